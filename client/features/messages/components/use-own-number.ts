import type { RegistrationState } from '@matterdesk/contract/messages.ts';
import { useEffect, useState } from 'react';
import { useAppSelector } from '../../../core/store.ts';
import { readNumber } from '../api.ts';

interface Known {
  registration: RegistrationState | null;
  notice: string | null;
}

/** What is known of one's own number; nothing while it is asked for. */
export function useOwnNumber(number: string): Known {
  const epoch = useAppSelector((state) => state.socket.epoch);
  const [known, setKnown] = useState<Known>({ registration: null, notice: null });
  useEffect(() => {
    const controller = new AbortController();
    readNumber(controller.signal).then(setKnown, () => undefined);
    return () => controller.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- of another number, or after a while, there may be another
  }, [number, epoch]);
  return known;
}
