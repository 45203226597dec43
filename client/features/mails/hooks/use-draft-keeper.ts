import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { keepDraft } from '../api.ts';
import { keepable, outgoing, type MailDraft } from '../rules.writing.ts';
import type { Change } from './use-kept-draft.ts';

export type SaveStatus = 'idle' | 'saving' | 'failed';

/** Milliseconds without typing after which the draft is saved; attachments take longer to send. */
const TYPING_PAUSE_MS = 1200;
const TYPING_PAUSE_WITH_FILES_MS = 4000;

interface Keeper {
  latest: RefObject<MailDraft | null>;
  composing: MailDraft | null;
  change: Change;
  /** The sender's address. */
  from: string;
}

type Kept = { id: string; text: string } | null;

/** Saves the mail to Gmail as a draft: one save at a time, ending with the latest text. */
export function useDraftKeeper({ latest, composing, change, from }: Keeper) {
  const [status, setStatus] = useState<{ id: string; keeping: SaveStatus }>();
  const kept = useRef<Kept>(null);
  const running = useRef<Promise<boolean> | null>(null);

  const save = useCallback(async (): Promise<boolean> => {
    const now = latest.current;
    if (!now || isKept(now, kept.current)) return true;
    const { id, written } = now;
    const { body, isWhole } = keepable(outgoing(written, from, null));
    setStatus({ id, keeping: 'saving' });
    try {
      const draftId = await keepDraft(now.draftId, body);
      if (isWhole) kept.current = { id, text: JSON.stringify(written) };
      const savedAt = new Date().toISOString();
      change((then) => (then?.id === id ? { ...then, draftId, savedAt } : then));
      setStatus({ id, keeping: 'idle' });
      return isWhole;
    } catch {
      setStatus({ id, keeping: 'failed' });
      return false;
    }
  }, [latest, change, from]);

  const saveAlone = useCallback((): Promise<boolean> => {
    running.current ??= save().finally(() => {
      running.current = null;
    });
    return running.current;
  }, [save]);
  /** @returns whether everything written is saved */
  const flush = useCallback(async (): Promise<boolean> => {
    while (latest.current && !isKept(latest.current, kept.current))
      if (!(await saveAlone())) return false;
    return true;
  }, [saveAlone, latest]);
  const { isHeld, hold, release } = useHold(running);

  const wait = useCallback(() => {
    const now = latest.current;
    if (!now || isKept(now, kept.current)) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const start = () => {
      timer = setTimeout(() => (isHeld.current ? start() : void saveAlone()), pauseOf(now));
    };
    start();
    return () => clearTimeout(timer);
  }, [saveAlone, latest, isHeld]);
  const text = composing && JSON.stringify(composing.written);
  // Each change restarts the pause.
  useEffect(wait, [wait, text]);

  const keeping = status && status.id === composing?.id ? status.keeping : 'idle';
  return { keeping, flush, hold, release };
}

/** `hold` waits for a running save and prevents others until `release`, so that a mail being sent is not saved. */
function useHold(running: RefObject<Promise<boolean> | null>) {
  const isHeld = useRef(false);
  const hold = useCallback(async () => {
    isHeld.current = true;
    await running.current;
  }, [running]);
  const release = useCallback(() => {
    isHeld.current = false;
  }, []);
  return { isHeld, hold, release };
}

/** Whether there are no unsaved changes. */
function isKept({ id, start, written }: MailDraft, kept: Kept): boolean {
  return (kept?.id === id ? kept.text : JSON.stringify(start)) === JSON.stringify(written);
}

function pauseOf({ written: { attachments, forwardOf } }: MailDraft): number {
  return attachments.length > 0 || forwardOf !== undefined ? TYPING_PAUSE_WITH_FILES_MS : TYPING_PAUSE_MS;
}
