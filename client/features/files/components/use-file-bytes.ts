import { useEffect, useState } from 'react';
import { CallError } from '../../../api.ts';
import { readBytes } from '../api.ts';
import type { FileAt } from '../rules.shown.ts';

/** What a file holds, read whole and once. `make` must be the same function each time. */
export function useFileBytes<T>(
  { caseId, folder, name }: FileAt,
  make: (bytes: Blob) => T | Promise<T>,
) {
  const [made, setMade] = useState<T | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const read = async () => {
      try {
        const result = await make(await readBytes({ caseId, folder, name }, stop.signal));
        if (!stop.signal.aborted) setMade(() => result);
      } catch (error) {
        if (stop.signal.aborted) return;
        setFailure(error instanceof CallError ? error.message : 'It seems to be damaged.');
      }
    };
    void read();
    return () => stop.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt reads again
  }, [caseId, folder, name, make, attempt]);
  const retry = () => {
    setFailure(null);
    setAttempt(attempt + 1);
  };
  return { made, failure, retry };
}
