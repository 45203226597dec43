import type { Conversation } from '@matterdesk/contract/messages.ts';
import { useCallback, useId, useMemo } from 'react';
import { useToday } from '../../../ui/days.ts';
import { useListBox } from '../../../ui/use-list-box.ts';
import { nameOf } from '../rules.ts';
import { ContactRow } from './ContactRow.tsx';

const ROW_HEIGHT = 60;

interface ContactListProps {
  contacts: readonly Conversation[];
  drafts: Readonly<Record<string, string>>;
  own: string;
  chosen: string | null;
  onOpen: (number: string) => void;
}

export function ContactList({ contacts, drafts, own, chosen, onOpen }: ContactListProps) {
  const id = useId();
  const today = useToday();
  const { items, at, setActive, handleKeyDown, rowsProps } = useListBox({
    list: 'contacts',
    ids: useMemo(() => contacts.map(({ phoneNumber }) => phoneNumber), [contacts]),
    names: useMemo(() => contacts.map(lettersOf), [contacts]),
    chosen,
    rowHeight: ROW_HEIGHT,
    onChoose: onOpen,
  });
  const open = useCallback(
    (number: string) => {
      setActive(number);
      onOpen(number);
    },
    [setActive, onOpen],
  );
  const active = contacts[at]?.phoneNumber;
  return (
    <div
      data-scroller
      role="listbox"
      aria-label="Contacts"
      tabIndex={0}
      aria-activedescendant={active === undefined ? undefined : `${id}-${active}`}
      onKeyDown={handleKeyDown}
      className="group/list min-h-0 grow overflow-y-auto overscroll-contain -outline-offset-2"
    >
      <div {...rowsProps} role="presentation" className="relative">
        {items.map(({ index, offset }) => {
          const contact = contacts[index];
          if (!contact) return null;
          const { phoneNumber } = contact;
          return (
            <ContactRow
              key={phoneNumber}
              id={`${id}-${phoneNumber}`}
              contact={contact}
              draft={drafts[phoneNumber]}
              own={own}
              today={today}
              top={offset}
              position={index + 1}
              count={contacts.length}
              isChosen={phoneNumber === chosen}
              isActive={index === at}
              onOpen={open}
            />
          );
        })}
      </div>
    </div>
  );
}

/** The names and numbers that typed letters match. */
function lettersOf(contact: Conversation): string[] {
  const { phoneNumber } = contact;
  return [nameOf(contact), phoneNumber, phoneNumber.slice(1)];
}
