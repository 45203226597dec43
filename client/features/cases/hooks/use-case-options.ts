import type { Case } from '@matterdesk/contract/cases.ts';
import { useState } from 'react';
import type { Option } from '../../../ui/option.ts';
import { useCaseSearch } from './use-case-search.ts';

const OFFERED = { limit: 100, pause: 150 };
const NONE: Option[] = [];

/** A case as an option: its name, with its number below. */
export function caseOption({ id, caseName, caseNo, statusType }: Case): Option {
  return {
    id,
    label: caseName,
    note: statusType === 'Archive' ? `${caseNo} · Archive` : caseNo,
  };
}

/** The options of a dropdown, searched on the server. */
export function useCaseOptions() {
  const [text, setText] = useState<string | null>(null);
  const { cases, search, isSearching, failure, refresh } = useCaseSearch(
    text?.trim() ?? null,
    OFFERED,
  );
  // On opening, earlier results are not offered again.
  const isOutdated = text === '' && search !== '';
  return {
    options: failure || isOutdated ? NONE : cases.map(caseOption),
    loading: isSearching,
    failure: failure ? 'Couldn’t load the cases' : undefined,
    onSearch: (wanted: string) => {
      setText(wanted);
      // There may be new cases when the dropdown opens.
      if (wanted === '' && text === '') refresh();
    },
  };
}
