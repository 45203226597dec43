import type { TakeInvitation } from '@matterdesk/contract/calendar-invitations.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { toast } from '../../../ui/toast-store.ts';
import { takeInvitation } from '../api.from-mail.ts';
import { calendarChanged } from '../slice.ts';

/** Takes the invitation in a mail; `take` resolves with whether it succeeded. */
export function useTaking(mailId: string, onTaken: () => void) {
  const dispatch = useAppDispatch();
  const { isBusy, attempt } = useAttempt();
  const take = (body: Partial<TakeInvitation>): Promise<boolean> =>
    attempt(body, async (key) => {
      const event = await takeInvitation(mailId, body, key);
      toast.success(event.cancelled ? 'Event canceled' : 'In the calendar');
      dispatch(calendarChanged());
      onTaken();
    });
  return { isBusy, take };
}
