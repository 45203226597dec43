import { useEffect, useState } from 'react';
import type { Library } from '@matterdesk/contract/files.ts';
import { CallError } from '../../../api.ts';
import { readLibrary } from '../api.ts';

/** The folders of a case that hold files. */
export function useCaseFiles(caseId: string) {
  const [library, setLibrary] = useState<Library | 'failed'>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    readLibrary(caseId, controller.signal).then(setLibrary, (error: unknown) => {
      if (error instanceof CallError) setLibrary('failed');
    });
    return () => controller.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each attempt asks anew
  }, [caseId, attempt]);
  const retry = () => {
    setLibrary(undefined);
    setAttempt(attempt + 1);
  };
  const hasFailed = library === 'failed';
  return {
    folders: library && library !== 'failed' ? foldersOf(library) : undefined,
    hasFailed,
    retry,
  };
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
