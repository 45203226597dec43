import { useCallback, useEffect, useRef, useState } from 'react';
import { caseRoutes, type Case } from '@matterdesk/contract/cases.ts';
import { call, CallError } from '../../../api.ts';
import type { Option } from '../../../ui/option.ts';

const CASES_OFFERED = 100;
const PAUSE_MS = 150;
const NOT_LOADED = 'Couldn’t load the cases';

type Found = { text: string; options: Option[]; loading: boolean; failure?: string };

/** A case as something to choose: by its name, with its number under it. */
export function caseOption({ id, caseName, caseNo, statusType }: Case): Option {
  return {
    id,
    label: caseName,
    note: statusType === 'Archive' ? `${caseNo} · Archive` : caseNo,
  };
}

/** The cases that the server finds for what is typed, asked for after a short pause. */
export function useCaseOptions() {
  const [found, setFound] = useState<Found>({ text: '', options: [], loading: true });
  const asked = useRef<AbortController>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = useCallback(() => {
    clearTimeout(timer.current);
    asked.current?.abort();
  }, []);
  useEffect(() => stop, [stop]);
  const onSearch = useCallback(
    (text: string) => {
      stop();
      const controller = new AbortController();
      asked.current = controller;
      // While one types, what was found stays; what was searched for before is not offered anew.
      setFound((last) => ({
        text,
        options: text === '' && last.text !== '' ? [] : last.options,
        loading: true,
      }));
      const ask = () =>
        findCases(text.trim(), controller.signal).then(
          ({ cases }) => setFound({ text, options: cases.map(caseOption), loading: false }),
          (error: unknown) => {
            if (!(error instanceof CallError)) return;
            setFound({ text, options: [], loading: false, failure: NOT_LOADED });
          },
        );
      timer.current = setTimeout(() => void ask(), text === '' ? 0 : PAUSE_MS);
    },
    [stop],
  );
  const { text: _text, ...shown } = found;
  return { ...shown, onSearch };
}

/** The newest cases that hold the text, for the case dropdown. */
function findCases(search: string, signal: AbortSignal) {
  const query = { search, limit: CASES_OFFERED };
  return call(caseRoutes.listCases, { query, signal, toasts: 'none' });
}
