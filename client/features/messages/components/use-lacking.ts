import { useEffect, useState } from 'react';
import { useAppSelector } from '../../../app/store.ts';
import { readLacking } from '../api.ts';

/**
 * What an administrator sets before texts can be sent; null when nothing is lacking, undefined while
 * that is not known. Whether it is cannot be asked: then the calls themselves say so.
 */
export function useLacking(): string | null | undefined {
  const epoch = useAppSelector((state) => state.socket.epoch);
  const [lacking, setLacking] = useState<string | null>();
  useEffect(() => {
    const controller = new AbortController();
    readLacking(controller.signal).then(setLacking, () => {
      if (!controller.signal.aborted) setLacking(null);
    });
    return () => controller.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a server that was started anew may know more
  }, [epoch]);
  return lacking;
}
