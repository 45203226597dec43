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
    for (let now = latest.current; now && !isKept(now, kept.current); now = latest.current) {
      const { id, written } = now;
      setKeeping('saving');
      try {
        const draftId = await dispatch(keepDraft(now.draftId, outgoing(written, from, null)));
        kept.current = { id, text: JSON.stringify(written) };
        change((then) => (then?.id === id ? { ...then, draftId } : then));
      } catch {
        setKeeping('failed');
        return false;
      }
    }
    if (kept.current && kept.current.id === latest.current?.id) setKeeping('saved');
    return true;
  }, [dispatch, latest, change, from]);

  /** Says whether everything that is written is kept. */
  const flush = useCallback((): Promise<boolean> => {
    running.current ??= save().finally(() => {
      running.current = null;
    });
    return running.current;
  }, [save]);
  /** Waits for a save that is under way, and begins none until `release`: nobody keeps what is being sent. */
  const hold = useCallback(async () => {
    isHeld.current = true;
    await running.current;
  }, []);
  const release = useCallback(() => {
    isHeld.current = false;
  }, []);

  const text = composing && JSON.stringify(composing.written);
  const pause = composing && hasFiles(composing) ? PAUSE_WITH_FILES : PAUSE;
  useEffect(() => {
    const now = latest.current;
    if (text === null || !now) return undefined;
    if (isKept(now, kept.current)) return undefined;
    setKeeping((before) => (before === 'saved' ? 'idle' : before));
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(() => (isHeld.current ? wait() : void flush()), pause);
    };
    wait();
    return () => clearTimeout(timer);
  }, [text, pause, flush, latest]);

  return { keeping, flush, hold, release };
}

/** Whether there is nothing to keep that is not kept. */
function isKept({ id, start, written }: Composing, kept: Kept): boolean {
  return (kept?.id === id ? kept.text : JSON.stringify(start)) === JSON.stringify(written);
}

function hasFiles({ written: { attachments, forwardOf } }: Composing): boolean {
  return attachments.length > 0 || forwardOf !== undefined;
}
