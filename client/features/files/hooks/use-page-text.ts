import { useState } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import { pageText } from '../api.ts';
import type { FileAt, PageText } from '../rules.shown.ts';

/** A page of a file's text; the previous page is shown while it loads. */
export function usePageText({ caseId, folder, name, version }: FileAt, page: number) {
  const { data, failure, refresh } = useResource(pageText, { caseId, folder, name, version, page });
  const [last, setLast] = useState<PageText | null>(data);
  if (data && data !== last) setLast(data);
  return { text: data ?? last, failure: failure?.message ?? null, retry: refresh };
}
