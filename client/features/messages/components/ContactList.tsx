import type { Conversation } from '@matterdesk/contract/messages.ts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useId, useLayoutEffect, useRef } from 'react';
import { useToday } from '../../../ui/days.ts';
import { ContactRow } from './ContactRow.tsx';
import { useContactKeys } from './use-contact-keys.ts';

interface ContactListProps {
  contacts: readonly Conversation[];
  drafts: Readonly<Record<string, string>>;
  own: string;
  chosen: string | null;
  onOpen: (number: string) => void;
}

const ROW_HEIGHT = 60;
const OVERSCAN = 6;

/** The contacts, of which only those in sight are drawn. */
export function ContactList({ contacts, drafts, own, chosen, onOpen }: ContactListProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const today = useToday();
  const rows = useVirtualizer({
    count: contacts.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => contacts[index]?.phoneNumber ?? index,
    overscan: OVERSCAN,
    initialRect: { width: 0, height: innerHeight },
  });
  const keys = useContactKeys({
    contacts,
    chosen,
    onOpen,
    show: (index) => rows.scrollToIndex(index),
  });
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (isFirst.current && keys.at > 0) rows.scrollToIndex(keys.at, { align: 'center' });
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
  const items = rows.getVirtualItems();
  const isDrawn = items.some(({ index }) => index === keys.at);
  return (
    <div
      ref={box}
      role="listbox"
      aria-label="Contacts"
      tabIndex={0}
      aria-activedescendant={isDrawn ? optionId(keys.at) : undefined}
      onKeyDown={keys.handleKeyDown}
      className="group/list min-h-0 grow overflow-y-auto overscroll-contain -outline-offset-2"
    >
      <div role="presentation" className="relative" style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const contact = contacts[index];
          if (!contact) return null;
          return (
            <ContactRow
              key={contact.phoneNumber}
              id={optionId(index)}
              contact={contact}
              draft={drafts[contact.phoneNumber]}
              own={own}
              today={today}
              top={start}
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
