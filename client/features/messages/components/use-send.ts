import { messageRoutes, NewTextSchema } from '@matterdesk/contract/messages.ts';
import { nanoid } from '@reduxjs/toolkit';
import { useRef, useState } from 'react';
import { CallError } from '../../../api.ts';
import { useAppDispatch } from '../../../app/store.ts';
import { toast } from '../../../ui/toast-store.ts';
import { loadHistory, type Pair, sendText, wordsOf } from '../api.ts';
import { draftWritten, messageHeard } from '../slice.ts';

const FAILED = 'Error in sending message';
/** The server did not learn in time what became of it; it stands in the history and is being settled. */
const TIMED_OUT = 504;

/** Sends what was written, once a click. */
export function useSend(pair: Pair, onSent: () => void) {
  const dispatch = useAppDispatch();
  const [isBusy, setIsBusy] = useState(false);
  const running = useRef(false);
  const once = useRef({ text: '', key: '' });

  const send = async (text: string) => {
    if (running.current) return;
    const read = NewTextSchema.safeParse({ ...pair, message: text });
    if (!read.success) {
      toast.error(read.error.issues[0]?.message ?? FAILED);
      return;
    }
    running.current = true;
    setIsBusy(true);
    // The same key for the same words, so that a repeat after a lost answer sends no second text.
    if (once.current.text !== text) once.current = { text, key: nanoid() };
    try {
      const { message } = await sendText(read.data, once.current.key);
      dispatch(messageHeard({ number: pair.to, message, isSeen: true }));
      dispatch(draftWritten({ number: pair.to, text: '' }));
      toast.success(messageRoutes.sendText.message);
      once.current = { text: '', key: '' };
      onSent();
    } catch (error) {
      toast.error(wordsOf(error, FAILED));
      const status = error instanceof CallError ? error.status : 0;
      if (status !== 0) once.current = { text: '', key: '' };
      if (status === TIMED_OUT) dispatch(draftWritten({ number: pair.to, text: '' }));
      // What was refused on its way stands in the history, with the reason.
      if (status !== 0) void dispatch(loadHistory(pair));
    }
    running.current = false;
    setIsBusy(false);
  };
  return { isBusy, send };
}
