import { useMemo } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import type { Cited } from '../../../ui/highlight.ts';
import { citedPassage } from '../api.ts';
import type { Shown } from '../rules.shown.ts';

/**
 * The cited passage on each page that it is on. Nothing where it cannot be read: the document is there
 * without its mark, and the switch to its text is at hand.
 */
export function useCited(shown: Shown): ReadonlyMap<number, Cited> {
  const { caseId, folder, name, page, passage, sentence } = shown;
  const { data } = useResource(
    citedPassage,
    passage && page !== undefined ? { caseId, folder, name, page, passage, sentence } : null,
  );
  return useMemo(() => new Map(data), [data]);
}
