import { useCallback } from 'react';
import type { Import } from '@matterdesk/contract/imports.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { useAnnounced } from '../../../core/use-announced.ts';
import { usePolling } from '../../../core/use-polling.ts';
import { useResource } from '../../../core/use-resource.ts';
import { endInWords } from '../rules.ts';
import { importOf } from '../slice.ts';

/** Milliseconds between two reads: while it runs, and while another admin may start it. */
const RUNNING_POLL_MS = 1000;
const IDLE_POLL_MS = 10_000;

/** An import, read again and again; no event reports it. `announced` is for screen readers. */
export function useImport(id: string) {
  const dispatch = useAppDispatch();
  const entry = useResource(importOf, id);
  const shown = entry.data?.import ?? null;
  const pause = shown && isRunning(shown) ? RUNNING_POLL_MS : IDLE_POLL_MS;
  const load = useCallback(() => void dispatch(importOf.load(id)), [dispatch, id]);
  usePolling(pause, load);
  return { entry, announced: useAnnounced(shown, { isRunning, endInWords }) };
}

function isRunning({ state }: Import): boolean {
  return state === 'running';
}
