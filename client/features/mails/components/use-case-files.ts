import { useMemo } from 'react';
import type { Library } from '@matterdesk/contract/files.ts';
import { useResource } from '../../../core/use-resource.ts';
import { caseLibrary } from '../api.ts';

/** The non-empty folders of a case. */
export function useCaseFiles(caseId: string) {
  const { data, failure, refresh } = useResource(caseLibrary, caseId);
  const folders = useMemo(() => data && foldersOf(data), [data]);
  return { folders, hasFailed: !data && failure !== null, retry: refresh };
}

function foldersOf({ files, details }: Library) {
  return Object.entries(files)
    .map(([name, urls]) => ({
      name,
      files: urls.flatMap((url) => {
        const detail = details[url];
        return detail ? [{ url, name: detail.name, size: detail.size }] : [];
      }),
    }))
    .filter(({ files: held }) => held.length > 0);
}
