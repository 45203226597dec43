import { useMemo } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import { pageText } from '../api.ts';
import { placeOf } from '../rules.ts';
import type { Shown } from '../rules.shown.ts';

/**
 * A quotation as a cited passage. Without a mark where the page has other words by now.
 * @returns null while its page loads
 */
export function useQuoted(shown: Shown): Shown | null {
  const { caseId, folder, name, version, page = 1, quotation } = shown;
  const { data, failure } = useResource(
    pageText,
    quotation === undefined ? null : { caseId, folder, name, version, page },
  );
  return useMemo(() => {
    if (quotation === undefined) return shown;
    if (!data) return failure ? shown : null;
    const passage = placeOf(quotation, data);
    return passage ? { ...shown, passage, sentence: passage } : shown;
  }, [shown, quotation, data, failure]);
}
