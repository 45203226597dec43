import { useLocation } from 'react-router';
import { currentUser } from '../core/current-user.ts';
import { paths } from '../core/paths.ts';
import { people } from '../core/people.ts';
import { useAppSelector } from '../core/store.ts';
import { useResource } from '../core/use-resource.ts';
import { caseList } from '../features/cases/api.ts';
import type { ListQuery } from '../features/cases/rules.lists.ts';
import { UNREAD, unreadCount } from '../features/mails/slice.ts';
import { ALL, conversationList } from '../features/messages/slice.ts';

/** Milliseconds during which several changes are combined into one fetch. */
const GATHER = 50;

const FIRST_CASES: ListQuery = { statusType: 'Active', search: '' };

/** Loads what every page needs: the user, the people of the firm, the first cases, the conversations. */
export function useEntry(): void {
  useResource(people, 'all');
  useResource(currentUser, 'me');
  useResource(caseList, FIRST_CASES);
  const number = useAppSelector((state) => state.user.current?.twilioConfig.twilioPhoneNumber);
  // Several texts from unknown numbers may arrive at once.
  useResource(conversationList, number ? ALL : null, { gather: GATHER });
  const hasMailbox = useAppSelector((state) => state.user.current?.googleRefreshToken != null);
  // On the emails page, the inbox includes the count.
  const isCounted = useLocation().pathname !== paths.emails && hasMailbox;
  useResource(unreadCount, isCounted ? UNREAD : null, { gather: GATHER });
}
