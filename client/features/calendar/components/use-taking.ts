import { useState } from 'react';
import type { TakeInvitation } from '@matterdesk/contract/calendar-invitations.ts';
import { CallError } from '../../../api.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import { toast } from '../../../ui/toast-store.ts';
import { takeInvitation } from '../api.from-mail.ts';
import { calendarChanged } from '../slice.ts';

/** Takes the invitation in a mail; `take` resolves with whether it succeeded. */
export function useTaking(mailId: string, onTaken: () => void) {
  const dispatch = useAppDispatch();
  const [isBusy, setIsBusy] = useState(false);
  const withKey = useClickKey();
  const take = async (body: Partial<TakeInvitation>): Promise<boolean> => {
    setIsBusy(true);
    try {
      const { event } = await withKey(body, (key) => takeInvitation(mailId, body, key));
      toast.success(event.cancelled ? 'Event canceled' : 'In the calendar');
      dispatch(calendarChanged());
      onTaken();
      return true;
    } catch (error) {
      // The call has shown it already.
      if (!(error instanceof CallError)) throw error;
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, take };
}
