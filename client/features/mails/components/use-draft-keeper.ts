import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useAppDispatch } from '../../../app/store.ts';
import { keepDraft } from '../api.ts';
import { outgoing, type Composing } from '../rules.ts';
import type { Change } from './use-kept-composing.ts';

export type Keeping = 'idle' | 'saving' | 'saved' | 'failed';

/** Milliseconds of a pause in writing after which the draft is kept; files take longer to send. */
const PAUSE = 1200;
const PAUSE_WITH_FILES = 4000;

interface Keeper {
  latest: RefObject<Composing | null>;
  composing: Composing | null;
  change: Change;
  /** The address that mail leaves from. */
  from: string;
}

type Kept = { id: string; text: string } | null;

/** Keeps the mail that is written at Google: one save at a time, and the last word last. */
export function useDraftKeeper({ latest, composing, change, from }: Keeper) {
  const dispatch = useAppDispatch();
  const [keeping, setKeeping] = useState<Keeping>('idle');
  const kept = useRef<Kept>(null);
  const running = useRef<Promise<boolean> | null>(null);
  const isHeld = useRef(false);

  const save = useCallback(async (): Promise<boolean> => {
    const now = latest.current;
    if (!now || isKept(now, kept.current)) return true;
    setKeeping('saving');
    try {
      const draftId = await dispatch(keepDraft(now.draftId, outgoing(now.written, from, null)));
      kept.current = { id: now.id, text: JSON.stringify(now.written) };
      change((then) => (then?.id === now.id ? { ...then, draftId } : then));
      // What was written meanwhile waits for the next pause.
      setKeeping(latest.current && isKept(latest.current, kept.current) ? 'saved' : 'idle');
      return true;
    } catch {
      setKeeping('failed');
      return false;
    }
  }, [dispatch, latest, change, from]);

  const saveAlone = useCallback((): Promise<boolean> => {
    running.current ??= save().finally(() => {
      running.current = null;
    });
    return running.current;
  }, [save]);
  /** Keeps everything that is written; says whether it could. */
  const flush = useCallback(async (): Promise<boolean> => {
    while (latest.current && !isKept(latest.current, kept.current))
      if (!(await saveAlone())) return false;
    return true;
  }, [saveAlone, latest]);
  /** Waits for a save that is under way, and begins none until `release`: nobody keeps what is being sent. */
  const hold = useCallback(async () => {
    isHeld.current = true;
    await running.current;
  }, []);
  const release = useCallback(() => {
    isHeld.current = false;
  }, []);

  const [text, pause] = [composing && JSON.stringify(composing.written), pauseOf(composing)];
  useEffect(() => {
    const now = latest.current;
    if (text === null || !now || isKept(now, kept.current)) return undefined;
    setKeeping((before) => (before === 'saved' ? 'idle' : before));
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(() => (isHeld.current ? wait() : void saveAlone()), pause);
    };
    wait();
    return () => clearTimeout(timer);
  }, [text, pause, saveAlone, latest]);

  return { keeping, flush, hold, release };
}

/** Whether there is nothing to keep that is not kept. */
function isKept({ id, start, written }: Composing, kept: Kept): boolean {
  return (kept?.id === id ? kept.text : JSON.stringify(start)) === JSON.stringify(written);
}

function pauseOf(composing: Composing | null): number {
  const { attachments = [], forwardOf } = composing?.written ?? {};
  return attachments.length > 0 || forwardOf !== undefined ? PAUSE_WITH_FILES : PAUSE;
}
