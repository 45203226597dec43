import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { Filters } from '../slice.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What the address of the deadlines says: filters, and what is open beside the list. */
export function useDeadlinesAddress() {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (name: string, value: string | null) =>
      setParams(
        (before) => {
          const others = [...before].filter(([key]) => key !== name);
          return value ? [...others, [name, value]] : others;
        },
        { replace: true },
      ),
    [setParams],
  );
  const text = (name: string) => params.get(name) ?? '';
  const day = (name: string) => (DAY.test(text(name)) ? text(name) : '');
  const [owner, kind] = [text('owner'), text('kind')];
  const [caseId, from, to] = [text('case'), day('from'), day('to')];
  const filters = useMemo<Filters>(
    () => ({ owner, case: caseId, kind, from, to }),
    [owner, caseId, kind, from, to],
  );
  return {
    filters,
    deadline: params.get('deadline'),
    proposal: params.get('proposal'),
    /** What a rule is to count from: `date`, or `event:` or `deadline:` with an id. */
    apply: params.get('apply'),
    change,
  };
}
