import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { useRef, useState } from 'react';
import { CallError } from '../../../api.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import { useResource } from '../../../core/use-resource.ts';
import { toast } from '../../../ui/toast-store.ts';
import { buyNumber, offersIn, wordsOf } from '../api.ts';

/** The numbers for sale, loaded once `find` is called; '' finds any area code. */
export function useOffers() {
  const [areaCode, setAreaCode] = useState<string | null>(null);
  const { data, failure, refresh } = useResource(offersIn, areaCode);
  const find = (next: string) => (next === areaCode ? refresh() : setAreaCode(next));
  const hasFailed = data === null && failure !== null;
  return {
    areaCode,
    numbers: data,
    failure: hasFailed ? wordsOf(failure, 'Error fetching numbers') : null,
    find,
  };
}

/** Buys a number once, however often the button is clicked. */
export function usePurchase(email: string, onBought: (current: CurrentUser) => void) {
  const [buying, setBuying] = useState<string | null>(null);
  const [failure, setFailure] = useState<{ phoneNumber: string; words: string } | null>(null);
  const running = useRef(false);
  const withKey = useClickKey();
  const buy = async (phoneNumber: string) => {
    if (running.current) return;
    running.current = true;
    setBuying(phoneNumber);
    setFailure(null);
    try {
      const { data } = await withKey(phoneNumber, (key) => buyNumber({ phoneNumber, email }, key));
      toast.success(messageRoutes.buyNumber.message);
      onBought(data);
    } catch (error) {
      setFailure({
        phoneNumber,
        words: wordsOf(error instanceof CallError ? error : null, 'Couldn’t buy the number'),
      });
    }
    running.current = false;
    setBuying(null);
  };
  return { buying, failure, buy };
}
