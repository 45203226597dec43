import { useDebouncedSearch } from '../../../core/use-debounced.ts';
import { type ContactsFound, contactSearch } from '../slice.ts';

const NONE: ContactsFound = { contacts: [], total: 0 };
const TYPED = { queryOf: (text: string) => text, pause: 150 };

/** The contacts that a text finds. A null text searches nothing. */
export function useContactSearch(text: string | null) {
  const { matches = NONE, ...searching } = useDebouncedSearch(contactSearch, text, TYPED);
  return { ...matches, ...searching };
}
