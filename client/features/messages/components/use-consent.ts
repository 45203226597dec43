import type { Consent, TextMessage } from '@matterdesk/contract/messages.ts';
import { useEffect, useState } from 'react';
import { useAppSelector } from '../../../core/store.ts';
import { readConsent } from '../api.ts';

/** What somebody last said about texts; asked for again when a message may have changed it. */
export function useConsent(number: string, messages: readonly TextMessage[]): Consent | null {
  const epoch = useAppSelector((state) => state.socket.epoch);
  const [consent, setConsent] = useState<Consent | null>(null);
  // They said something, or Twilio refused what was sent to them.
  const newest = messages.findLast(
    ({ status }) => status === 'received' || status === 'failed',
  )?.id;
  useEffect(() => {
    const controller = new AbortController();
    readConsent(number, controller.signal).then(setConsent, () => undefined);
    return () => controller.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each connection and each such message asks afresh
  }, [number, newest, epoch]);
  return consent;
}
