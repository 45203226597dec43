import { useEffect, useRef, useState } from 'react';
import type { ImportReport } from '@matterdesk/contract/cases.ts';
import { CallError } from '../../../api.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { importCases, tryImport } from '../api.ts';
import { readCsvHead } from '../rules.ts';
import { lists } from '../slice.ts';

/** Rows of the preview, and the bytes of the file read for them. */
const SHOWN = 5;
const LOOKED_AT = 100_000;

export type Trial = { report: ImportReport; head: string[][] };

/** Checks a file without creating cases, then creates all of them or none. */
export function useImport() {
  const dispatch = useAppDispatch();
  const [file, setFile] = useState<File | null>(null);
  const [trial, setTrial] = useState<Trial | null>(null);
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState<'trying' | 'importing' | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const attempt = async (chosen: File) => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    setFile(chosen);
    setTrial(null);
    setFailure(undefined);
    setBusy('trying');
    try {
      const report = await tryImport(chosen, signal);
      const text = await chosen.slice(0, LOOKED_AT).text();
      if (signal.aborted) return;
      setTrial({ report, head: readCsvHead(text, SHOWN + 1) });
      setBusy(null);
    } catch (error) {
      if (signal.aborted) return;
      setFailure(inWords(error));
      setBusy(null);
    }
  };

  /** @returns whether the cases were created */
  const run = async (): Promise<boolean> => {
    if (!file) return false;
    setBusy('importing');
    try {
      const report = await importCases(file);
      dispatch(lists.invalidated());
      if (report.errors.length === 0) return true;
      setTrial((before) => before && { ...before, report });
    } catch (error) {
      setFailure(inWords(error));
    } finally {
      setBusy(null);
    }
    return false;
  };
  return { file, trial, failure, busy, attempt, run };
}

/** Reading fails when the file has changed on disk since it was chosen. */
function inWords(error: unknown): string {
  return error instanceof CallError ? error.message : 'Can’t read the file. Choose it again.';
}
