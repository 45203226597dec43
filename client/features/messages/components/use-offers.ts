import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import { messageRoutes, type NumberOffer } from '@matterdesk/contract/messages.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useClickKey } from '../../../core/use-click-key.ts';
import { toast } from '../../../ui/toast-store.ts';
import { buyNumber, listOffers, wordsOf } from '../api.ts';

type Offers =
  | { status: 'idle' }
  | { status: 'loading' }
  | { status: 'ready'; numbers: readonly NumberOffer[]; areaCode: string }
  | { status: 'failed'; failure: string; areaCode: string };

/** The numbers that can be bought, from the moment they are asked for. */
export function useOffers() {
  const [offers, setOffers] = useState<Offers>({ status: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const ask = useCallback(async (areaCode: string) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setOffers({ status: 'loading' });
    try {
      const { numbers } = await listOffers(areaCode || undefined, controller.signal);
      setOffers({ status: 'ready', numbers, areaCode });
    } catch (error) {
      if (controller.signal.aborted) return;
      setOffers({ status: 'failed', failure: wordsOf(error, 'Error fetching numbers'), areaCode });
    }
  }, []);
  return { offers, ask };
}

/** Buys one number, however often it is clicked. */
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
      setFailure({ phoneNumber, words: wordsOf(error, 'Couldn’t buy the number') });
    }
    running.current = false;
    setBuying(null);
  };
  return { buying, failure, buy };
}
