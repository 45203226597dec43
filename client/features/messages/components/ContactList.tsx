import type { Conversation } from '@matterdesk/contract/messages.ts';
import { useCallback, useId, useLayoutEffect, useRef } from 'react';
import { useToday } from '../../../ui/days.ts';
import { ContactRow } from './ContactRow.tsx';
import { useContactKeys } from './use-contact-keys.ts';
import { ROW_HEIGHT, useContactWindow } from './use-contact-window.ts';

interface ContactListProps {
  contacts: readonly Conversation[];
  drafts: Readonly<Record<string, string>>;
  own: string;
  chosen: string | null;
  onOpen: (number: string) => void;
}

/** The contacts, of which only those in sight are drawn. */
export function ContactList({ contacts, drafts, own, chosen, onOpen }: ContactListProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const today = useToday();
  const rows = useContactWindow(box, contacts.length);
  const keys = useContactKeys({
    contacts,
    chosen,
    onOpen,
    show: rows.show,
  });
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (isFirst.current && keys.at > 0) rows.show(keys.at);
    isFirst.current = false;
  });
  const { activate } = keys;
  const open = useCallback(
    (number: string) => {
      activate(number);
      onOpen(number);
    },
    [activate, onOpen],
  );
  const optionId = (index: number) => `${id}-${contacts[index]?.phoneNumber ?? index}`;
  const isDrawn = keys.at >= rows.first && keys.at < rows.last;
  return (
    <div
      ref={box}
      role="listbox"
      aria-label="Contacts"
      tabIndex={0}
      aria-activedescendant={isDrawn ? optionId(keys.at) : undefined}
      onKeyDown={keys.handleKeyDown}
      onScroll={rows.measure}
      className="group/list min-h-0 grow overflow-y-auto overscroll-contain -outline-offset-2"
    >
      <div
        role="presentation"
        className="relative"
        style={{ height: contacts.length * ROW_HEIGHT }}
      >
        {contacts.slice(rows.first, rows.last).map((contact, place) => {
          const index = rows.first + place;
          return (
            <ContactRow
              key={contact.phoneNumber}
              id={optionId(index)}
              contact={contact}
              draft={drafts[contact.phoneNumber]}
              own={own}
              today={today}
              top={index * ROW_HEIGHT}
              position={index + 1}
              count={contacts.length}
              isChosen={contact.phoneNumber === chosen}
              isActive={index === keys.at}
              onOpen={open}
            />
          );
        })}
      </div>
    </div>
  );
}
