import type { Case } from '@matterdesk/contract/cases.ts';
import { useState } from 'react';
import type { Option } from '../../../ui/option.ts';
import { useCaseSearch } from './use-case-search.ts';

const OFFERED = { limit: 100, pause: 150 };
const NONE: Option[] = [];

/** A case as something to choose: by its name, with its number under it. */
export function caseOption({ id, caseName, caseNo, statusType }: Case): Option {
  return {
    id,
    label: caseName,
    note: statusType === 'Archive' ? `${caseNo} · Archive` : caseNo,
  };
}

/** The cases that the server finds for what is typed into a dropdown. */
export function useCaseOptions() {
  const [text, setText] = useState<string | null>(null);
  const { cases, search, isSearching, failure, refresh } = useCaseSearch(
    text?.trim() ?? null,
    OFFERED,
  );
  // On opening, what was searched for before is not offered again.
  const isOutdated = text === '' && search !== '';
  return {
    options: failure || isOutdated ? NONE : cases.map(caseOption),
    loading: isSearching,
    failure: failure ? 'Couldn’t load the cases' : undefined,
    onSearch: (wanted: string) => {
      setText(wanted);
      // The dropdown opens: there may be new ones.
      if (wanted === '' && text === '') refresh();
    },
  };
}
