import { useState } from 'react';
import { searchWords } from '@matterdesk/contract/search.ts';
import type { ContactFieldProps } from '../../../core/slots.ts';
import { Combobox } from '../../../ui/Combobox.tsx';
import { useContactSearch } from '../hooks/use-contact-search.ts';
import { contactOption } from '../rules.ts';

const NONE: readonly string[] = [];

/** A dropdown of all contacts, searched on the server. */
export function ContactDropdown({
  placeholder = 'Select a contact',
  without = NONE,
  ...props
}: ContactFieldProps) {
  const [text, setText] = useState<string | null>(null);
  const { contacts, search, isSearching, failure } = useContactSearch(text?.trim() ?? null);
  const words = searchWords(search ?? '');
  const offered = failure ? [] : contacts.filter(({ id }) => !without.includes(id));
  return (
    <Combobox
      {...props}
      options={offered.map((contact) => contactOption(contact, words))}
      loading={text === null || isSearching}
      failure={failure ? 'Couldn’t load the contacts' : undefined}
      onSearch={setText}
      placeholder={placeholder}
    />
  );
}
