import type { Conversation } from '@matterdesk/contract/messages.ts';
import { type KeyboardEvent, useRef, useState } from 'react';
import { contactStartingWith } from '../rules.ts';
import { useTypeAhead } from './use-type-ahead.ts';

interface ContactKeys {
  contacts: readonly Conversation[];
  chosen: string | null;
  onOpen: (number: string) => void;
  show: (index: number) => void;
}

/**
 * The contact that the keyboard is at: arrows, j, k, Home and End move, letters jump to a name, Enter opens.
 * A name that begins with j or k is reached by its second letter.
 */
export function useContactKeys({ contacts, chosen, onOpen, show }: ContactKeys) {
  const [wanted, setWanted] = useState<string | null>(null);
  const typeAhead = useTypeAhead();
  const start = useRef(0);
  const indexOf = (number: string | null) =>
    contacts.findIndex(({ phoneNumber }) => phoneNumber === number);
  const at = Math.max(indexOf(wanted), wanted === null ? indexOf(chosen) : -1);

  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const here = contacts[at];
    // Within a name a blank is a letter.
    if (key === 'Enter' || (key === ' ' && !typeAhead.isTyping())) {
      event.preventDefault();
      if (here) onOpen(here.phoneNumber);
      return;
    }
    const target = targetOf(key, typeAhead.type(key));
    const next = contacts[target];
    if (!next) return;
    event.preventDefault();
    setWanted(next.phoneNumber);
    show(target);
  };

  const targetOf = (key: string, typed: string): number => {
    if (typed.length === 1) start.current = at;
    const last = contacts.length - 1;
    if (key === 'ArrowDown' || typed === 'j') return Math.min(at + 1, last);
    if (key === 'ArrowUp' || typed === 'k') return Math.max(at - 1, 0);
    if (key === 'Home') return 0;
    if (key === 'End') return last;
    // Held down or pressed again, j and k go on.
    if (/^j+$/.test(typed)) return Math.min(at + 1, last);
    if (/^k+$/.test(typed)) return Math.max(at - 1, 0);
    return typed === '' ? -1 : contactStartingWith(contacts, typed, start.current);
  };
  return { at, activate: setWanted, handleKeyDown };
}
