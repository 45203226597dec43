import { useAppSelector } from '../core/store.ts';
import { useResource } from '../core/use-resource.ts';
import { NEWEST, newestOf, intakeList } from '../features/intakes/slice.ts';
import { unreadMails } from '../features/mails/slice.ts';
import { unreadOf } from '../features/messages/slice.ts';
import { countOf, MINE, trayCounts } from '../features/tray/slice.ts';
import type { Unread } from './navigation.ts';

/** Milliseconds between two fetches of what is new at least. */
const MIN_FETCH_INTERVAL_MS = 3000;

export function useUnread(): Unread {
  const texts = useAppSelector((state) => unreadOf(state.messages));
  const mails = useAppSelector((state) => unreadMails(state.mails));
  // After the page, which the calls of intakes would delay.
  const isConnected = useAppSelector(({ socket }) => socket.id !== null);
  useResource(intakeList, isConnected ? NEWEST : null, { gather: 120, pace: MIN_FETCH_INTERVAL_MS });
  const tray = useResource(trayCounts, isConnected ? MINE : null, { gather: 120, pace: MIN_FETCH_INTERVAL_MS });
  const intakes = useAppSelector((state) => newestOf(state.intakes)?.counts.new ?? 0);
  return { texts, mails, papers: tray.data ? countOf(tray.data) : 0, intakes };
}
