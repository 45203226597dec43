import { useEffect, useState } from 'react';
import { CallError } from '../../../api.ts';
import { readText } from '../api.ts';
import type { FileAt } from '../rules.shown.ts';

export type PageText = Awaited<ReturnType<typeof readText>>;

/** One page of a file's text; while it comes, the one before it is kept. */
export function usePageText({ caseId, folder, name }: FileAt, page: number) {
  const [text, setText] = useState<PageText | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const read = async () => {
      try {
        setText(await readText({ caseId, folder, name }, page, stop.signal));
        setFailure(null);
      } catch (error) {
        if (!stop.signal.aborted)
          setFailure(error instanceof CallError ? error.message : 'Something went wrong');
      }
    };
    void read();
    return () => stop.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt reads again
  }, [caseId, folder, name, page, attempt]);
  return { text, failure, retry: () => setAttempt(attempt + 1) };
}
