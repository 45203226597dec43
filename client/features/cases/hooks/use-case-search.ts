import { useSettledSearch } from '../../../core/use-settled.ts';
import { caseSearch } from '../api.ts';
import type { CasesFound } from '../slice.ts';

const NO_MATCHES: CasesFound = { cases: [], total: 0 };

/** The cases that a text matches best, or the newest without a text. A null text searches nothing. */
export function useCaseSearch(
  text: string | null,
  { limit, pause }: { limit: number; pause: number },
) {
  const queryOf = (search: string) => ({ search, limit });
  const { matches = NO_MATCHES, ...searching } = useSettledSearch(caseSearch, text, { queryOf, pause });
  return { ...matches, ...searching };
}
