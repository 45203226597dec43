import { useEffect, useRef, useState } from 'react';
import type { ImportItem } from '@matterdesk/contract/calendar-exchange.ts';
import { CallError } from '../../../api.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { importEvents, tryImport, type ImportFields } from '../api.exchange.ts';
import { calendarChanged } from '../slice.ts';

/** Shows what a file would change, then takes all of it or nothing. */
export function useEventImport() {
  const dispatch = useAppDispatch();
  const [file, setFile] = useState<File | null>(null);
  const [items, setItems] = useState<ImportItem[] | null>(null);
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState<'trying' | 'importing' | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const attempt = async (chosen: File, fields: ImportFields) => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    setFile(chosen);
    setItems(null);
    setFailure(undefined);
    setBusy('trying');
    try {
      const found = await tryImport(chosen, fields, signal);
      if (!signal.aborted) setItems(found);
    } catch (error) {
      if (!signal.aborted) setFailure(inWords(error));
    }
    if (!signal.aborted) setBusy(null);
  };

  /** @returns whether the events were taken */
  const run = async (fields: ImportFields): Promise<boolean> => {
    if (!file) return false;
    setBusy('importing');
    try {
      await importEvents(file, fields);
      dispatch(calendarChanged());
      return true;
    } catch (error) {
      setFailure(inWords(error));
      return false;
    } finally {
      setBusy(null);
    }
  };
  return { file, items, failure, busy, attempt, run };
}

/** Reading fails when the file has changed on disk since it was chosen. */
function inWords(error: unknown): string {
  return error instanceof CallError ? error.message : 'Can’t read the file. Choose it again.';
}
