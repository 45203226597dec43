import { useCallback, useEffect, useState } from 'react';
import type { Import } from '@matterdesk/contract/imports.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { importOf } from '../api.ts';
import { endInWords } from '../rules.ts';

/** Milliseconds between two reads: while it runs, and while another admin may start it. */
const RUNNING = 1000;
const RESTING = 10_000;

/** An import, read again and again; no event reports it. `announced` is for screen readers. */
export function useImport(id: string) {
  const dispatch = useAppDispatch();
  const one = useResource(importOf, id);
  const shown = one.data?.import ?? null;
  const pause = shown?.state === 'running' ? RUNNING : RESTING;
  const load = useCallback(() => void dispatch(importOf.load(id)), [dispatch, id]);
  usePolling(pause, load);
  return { one, announced: useAnnounced(shown) };
}

/** Calls it again and again while the page is in view. */
export function usePolling(pause: number, load: () => void): void {
  useEffect(() => {
    const read = () => {
      if (!document.hidden) load();
    };
    const timer = setInterval(read, pause);
    document.addEventListener('visibilitychange', read);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [pause, load]);
}

/** The last end, until another run begins. */
function useAnnounced(shown: Import | null): string {
  const [seen, setSeen] = useState({ shown, text: '' });
  if (shown && shown !== seen.shown) {
    const kept = shown.state === 'running' ? '' : seen.text;
    setSeen({ shown, text: endInWords(seen.shown, shown) ?? kept });
  }
  return seen.text;
}
