import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { CallError } from '../api.ts';
import { readOverview } from '../features/dashboard/api.ts';
import { overviewCame, overviewFailed } from '../features/dashboard/slice.ts';
import { useToday } from '../ui/days.ts';
import { paths } from '../core/paths.ts';
import { useAppDispatch, useAppSelector } from '../core/store.ts';

/** Milliseconds between two looks while others work: where the overview is read, and where only its counts are. */
const PAUSE_WHERE_READ = 500;
const PAUSE_ELSEWHERE = 3000;
const readAt: string[] = [paths.dashboard, paths.matters];
/** Changes that come together are looked at together. */
const GATHER = 120;

/** Keeps the overview and the counts of the navigation up to date as long as the shell is open. */
export function useOverview(): void {
  const dispatch = useAppDispatch();
  const today = useToday();
  const epoch = useAppSelector((state) => state.socket.epoch);
  const changes = useAppSelector((state) => state.overview.changes);
  const pause = readAt.includes(useLocation().pathname) ? PAUSE_WHERE_READ : PAUSE_ELSEWHERE;
  const looked = useRef({ at: 0, for: '', changes: 0 });
  const running = useRef<AbortController>(undefined);

  useEffect(() => {
    const look = () => {
      if (document.hidden) return document.addEventListener('visibilitychange', look, once);
      running.current?.abort();
      running.current = new AbortController();
      looked.current = { at: Date.now(), for: reason, changes };
      readOverview(today, running.current.signal).then(
        (overview) => dispatch(overviewCame(overview)),
        (error: unknown) => {
          if (error instanceof CallError) dispatch(overviewFailed(error.message));
        },
      );
    };
    const once = { once: true };
    const reason = `${today} ${epoch}`;
    const isNew = looked.current.for !== reason;
    if (!isNew && looked.current.changes === changes) return undefined;
    const wait = isNew ? 0 : Math.max(GATHER, looked.current.at + pause - Date.now());
    const timer = setTimeout(look, wait);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [dispatch, today, epoch, changes, pause]);

  useEffect(() => () => running.current?.abort(), []);
}
