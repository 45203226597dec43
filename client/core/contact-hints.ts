import type { ComponentType, RefObject } from 'react';
import type { Contact } from '@matterdesk/contract/contacts.ts';

export interface ContactHintsProps {
  /** The name as it is being typed, and the input that it is typed into. */
  name: string;
  /** Whether the name was typed already when this was first shown. */
  isTyped?: boolean;
  input: RefObject<HTMLInputElement | null>;
  onPick: (contact: Contact) => void;
}

/** Existing contacts offered under a name; pages pass it to features that cannot import contacts. */
export type ContactHints = ComponentType<ContactHintsProps>;
