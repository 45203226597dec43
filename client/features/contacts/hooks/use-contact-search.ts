import { useEffect, useState } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import { type ContactsFound, contactSearch } from '../slice.ts';

/** Milliseconds without typing after which the search starts. */
const PAUSE = 150;
const NONE: ContactsFound = { contacts: [], total: 0 };

/** Contacts that a text finds, searched after a pause; earlier ones stay until the answer. Null searches nothing. */
export function useContactSearch(text: string | null) {
  const [settled, setSettled] = useState(text);
  const { data, failure } = useResource(contactSearch, text === null ? null : settled);
  const [found, setFound] = useState<{ text: string; matches: ContactsFound }>();
  useEffect(() => {
    const timer = setTimeout(setSettled, PAUSE, text);
    return () => clearTimeout(timer);
  }, [text]);
  if (data && settled !== null && (found?.matches !== data || found.text !== settled))
    setFound({ text: settled, matches: data });
  const { contacts, total, totalIsCapped } = found?.matches ?? NONE;
  const isFailed = failure !== null && text === settled;
  return {
    contacts,
    total,
    totalIsCapped,
    /** The text that the contacts match. */
    search: found?.text,
    isSearching: text !== null && text !== found?.text && !isFailed,
    failure: isFailed ? failure : null,
  };
}
