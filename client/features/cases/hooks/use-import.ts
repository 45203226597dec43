import { useEffect, useRef, useState } from 'react';
import {
  type Decode,
  decodeText,
  delimiterOf,
  type ImportReport,
} from '@matterdesk/contract/cases.ts';
import { CallError } from '../../../api.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { importCases, type Mapping, tryImport } from '../api.ts';
import { readCsvHead } from '../rules.ts';
import { lists } from '../slice.ts';

/** Rows of the preview, and the bytes of the file read for them. */
const MAX_PREVIEW_ROWS = 5;
const MAX_PREVIEW_BYTES = 100_000;

export type Trial = { report: ImportReport; head: string[][] };

/** Checks a file without creating cases, then creates all of them or none. */
export function useImport() {
  const dispatch = useAppDispatch();
  const [file, setFile] = useState<File | null>(null);
  const [head, setHead] = useState<string[][]>([]);
  const [mapping, setMapping] = useState<Mapping | null>(null);
  const [trial, setTrial] = useState<Trial | null>(null);
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState<'trying' | 'importing' | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const attempt = async (chosen: File, columns: Mapping | null = null) => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    setFile(chosen);
    setMapping(columns);
    setTrial(null);
    setFailure(undefined);
    setBusy('trying');
    try {
      const first = await readHead(chosen);
      setHead(first);
      const report = await tryImport(chosen, columns, signal);
      if (signal.aborted) return;
      setTrial({ report, head: first });
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
      const report = await importCases(file, mapping);
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
  return { file, head, trial, failure, busy, attempt, run };
}

const decode: Decode = (bytes, charset) => new TextDecoder(charset, { fatal: true }).decode(bytes);

async function readHead(file: File): Promise<string[][]> {
  const bytes = new Uint8Array(await file.slice(0, MAX_PREVIEW_BYTES).arrayBuffer());
  // The last character may be cut, so that its line is not read.
  const whole = file.size > MAX_PREVIEW_BYTES ? bytes.subarray(0, bytes.lastIndexOf(10) + 1) : bytes;
  const text = decodeText(whole, decode) ?? '';
  return readCsvHead(text, MAX_PREVIEW_ROWS + 1, delimiterOf(text));
}

/** Reading fails when the file has changed on disk since it was chosen. */
function inWords(error: unknown): string {
  return error instanceof CallError ? error.message : 'Can’t read the file. Choose it again.';
}
