import { useState } from 'react';
import { searchWords } from '@matterdesk/contract/search.ts';
import type { Option } from '../../../ui/option.ts';
import { contactOption } from '../rules.ts';
import { useContactSearch } from './use-contact-search.ts';

const NONE: Option[] = [];

/** The options of a dropdown of contacts. */
export function useContactOptions() {
  const [text, setText] = useState<string | null>(null);
  const { contacts, search, isSearching, failure } = useContactSearch(text?.trim() ?? null);
  const words = searchWords(search ?? '');
  return {
    options: failure ? NONE : contacts.map((contact) => contactOption(contact, words)),
    loading: text === null || isSearching,
    failure: failure ? 'Couldn’t load the contacts' : undefined,
    onSearch: setText,
  };
}
