import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import { messageRoutes, type NumberOffer } from '@matterdesk/contract/messages.ts';
import { nanoid } from '@reduxjs/toolkit';
import { useCallback, useEffect, useRef, useState } from 'react';
import { CallError } from '../../../api.ts';
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
  const once = useRef({ phoneNumber: '', key: '' });
  const buy = async (phoneNumber: string) => {
    if (running.current) return;
    running.current = true;
    setBuying(phoneNumber);
    setFailure(null);
    // The same key until there is an answer, so that a repeat after a lost one buys no second number.
    if (once.current.phoneNumber !== phoneNumber) once.current = { phoneNumber, key: nanoid() };
    try {
      const { data } = await buyNumber({ phoneNumber, email }, once.current.key);
      toast.success(messageRoutes.buyNumber.message);
      onBought(data);
    } catch (error) {
      setFailure({ phoneNumber, words: wordsOf(error, 'The number was not bought') });
      if (error instanceof CallError && error.status !== 0)
        once.current = { phoneNumber: '', key: '' };
    }
    running.current = false;
    setBuying(null);
  };
  return { buying, failure, buy };
}
