import { useMemo } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import type { Cited } from '../../../ui/highlight.ts';
import { citedPassage } from '../api.ts';
import type { Shown } from '../rules.shown.ts';

/**
 * The cited passage by page. Empty when it fails to load: the document is then shown without the mark,
 * and the user can switch to its text.
 */
export function useCited(shown: Shown): ReadonlyMap<number, Cited> {
  const { caseId, folder, name, version, page, passage, sentence } = shown;
  const { data } = useResource(
    citedPassage,
    passage && page !== undefined
      ? { caseId, folder, name, version, page, passage, sentence }
      : null,
  );
  return useMemo(() => new Map(data), [data]);
}
