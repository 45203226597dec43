import { useState } from 'react';
import { NOT_FILED, type Case } from '@matterdesk/contract/cases.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import type { Option } from '../../../ui/option.ts';
import { matchedFields } from '../rules.matches.ts';
import { useCaseSearch } from './use-case-search.ts';

const OFFERED = { limit: 100, pause: 150 };
const NONE: Option[] = [];

const NO_WORDS: readonly string[] = [];

/** A case as an option: its name, with its number and why a search found it below. */
export function caseOption(matter: Case, words = NO_WORDS): Option {
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
