import { useState } from 'react';
import { NOT_FILED, type Case } from '@matterdesk/contract/cases.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useDebouncedSearch } from '../../../core/use-debounced.ts';
import { useResource } from '../../../core/use-resource.ts';
import type { Option } from '../../../ui/option.ts';
import { caseSearch, caseDetails } from '../api.ts';
import { matchedFields } from '../rules.matches.ts';
import type { CasesFound } from '../slice.ts';

const OFFERED = { limit: 100, pause: 150 };
const NONE: Option[] = [];

const NO_WORDS: readonly string[] = [];

/** A case as an option: its name, with its number and why a search found it below. */
function caseOption(matter: Case, words = NO_WORDS): Option {
  const { id, caseName, statusType } = matter;
  const caseNo = matter.caseNo ?? NOT_FILED;
  const archive = statusType === 'Archive' ? ['Archive'] : [];
  const note = [caseNo, ...archive, ...matchedFields(matter, words)].join(' · ');
  return { id, label: caseName, note, number: caseNo };
}

/** The options of a dropdown, searched on the server. */
export function useCaseOptions() {
  const [text, setText] = useState<string | null>(null);
  const { cases, search, isSearching, failure, refresh } = useCaseSearch(
    text?.trim() ?? null,
    OFFERED,
  );
  const words = searchWords(search ?? '');
  // On opening, earlier results are not offered again.
  const isOutdated = text === '' && search !== '';
  return {
    options: failure || isOutdated ? NONE : cases.map((matter) => caseOption(matter, words)),
    loading: text === null || isSearching,
    failure: failure ? 'Couldn’t load the cases' : undefined,
    onSearch: (wanted: string) => {
      setText(wanted);
      // There may be new cases when the dropdown opens.
      if (wanted === '' && text === '') refresh();
    },
  };
}

const NO_MATCHES: CasesFound = { cases: [], total: 0 };

/** The cases that a text matches best, or the newest without a text. A null text searches nothing. */
export function useCaseSearch(
  text: string | null,
  { limit, pause }: { limit: number; pause: number },
) {
  const queryOf = (search: string) => ({ search, limit });
  const { matches = NO_MATCHES, ...searching } = useDebouncedSearch(caseSearch, text, {
    queryOf,
    pause,
  });
  return { ...matches, ...searching };
}

/** The chosen case for the dropdown: from the store, the pick, or the server. */
export function useMatter(caseId: string | null) {
  const held = useAppSelector((state) =>
    caseId === null ? undefined : state.cases.entities[caseId],
  );
  const [picked, setPicked] = useState<Option | null>(null);
  const isLost = useAppSelector((state) => caseId !== null && state.cases.lost[caseId] === true);
  // The page around it also fails, and shows the failure.
  useResource(caseDetails, held ? null : caseId);
  const known = picked?.id === caseId && !isLost ? picked : null;
  const matter = held ? caseOption(held) : known;
  return { matter, setPicked };
}
