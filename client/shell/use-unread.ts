import { unreadMails } from '../features/mails/slice.ts';
import { unreadOf } from '../features/messages/slice.ts';
import type { Unread } from './navigation.ts';
import { useAppSelector } from '../core/store.ts';

export function useUnread(): Unread {
  const texts = useAppSelector((state) => unreadOf(state.messages));
  const mails = useAppSelector((state) => unreadMails(state.mails));
  return { texts, mails };
}
