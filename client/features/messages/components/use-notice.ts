import { useEffect, useState } from 'react';
import { useAppSelector } from '../../../app/store.ts';
import { readNotice } from '../api.ts';

/** Why texts from one's own number may not arrive yet, as far as that is known. */
export function useNotice(number: string): string | null {
  const epoch = useAppSelector((state) => state.socket.epoch);
  const [notice, setNotice] = useState<string | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    readNotice(controller.signal).then(setNotice, () => undefined);
    return () => controller.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- of another number, or after a while, there may be another
  }, [number, epoch]);
  return notice;
}
