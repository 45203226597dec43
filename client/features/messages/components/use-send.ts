import { messageRoutes, NewTextSchema } from '@matterdesk/contract/messages.ts';
import { CallError } from '../../../api.ts';
import { keyOf } from '../../../core/entries.ts';
import { store, useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { clickOf, isAnswered as hasAnswered } from '../../../core/use-click-key.ts';
import { toast } from '../../../ui/toast-store.ts';
import { history, sendText, wordsOf } from '../api.ts';
import { messageReceived, type Pair, sendingBegun, sendingEnded } from '../slice.ts';

const FAILED = 'Error in sending message';

/**
 * Sends a text once per click: sending continues while another contact is open, and a retry after a lost
 * answer has the same key.
 */
export function useSend(pair: Pair, onSent: () => void) {
  const dispatch = useAppDispatch();
  const number = pair.to;
  const isBusy = useAppSelector((state) => state.messages.attempts[number]?.isBusy === true);

  const send = async (text: string) => {
    // A second key press may arrive before the next render.
    const before = store.getState().messages.attempts[number];
    if (before?.isBusy === true) return;
    const read = NewTextSchema.safeParse({ ...pair, message: text });
    if (!read.success) {
      toast.error(read.error.issues[0]?.message ?? FAILED);
      return;
    }
    const { key } = clickOf(text, before);
    dispatch(sendingBegun({ number, text, key }));
    try {
      const { message } = await sendText(read.data, key);
      dispatch(messageReceived({ own: pair.from, message, isSeen: true }));
      dispatch(sendingEnded({ number, isAnswered: true, isTaken: true }));
      toast.success(messageRoutes.sendText.message);
      onSent();
    } catch (error) {
      toast.error(wordsOf(error instanceof CallError ? error : null, FAILED));
      const isAnswered = hasAnswered(error);
      // The history shows a rejected text with its reason, and a text that may have been sent.
      if (isAnswered) await dispatch(history.refresh(pair));
      const isTaken = isAnswered && isUnconfirmed(pair, read.data.message);
      dispatch(sendingEnded({ number, isAnswered, isTaken }));
    }
  };
  return { isBusy, send };
}

/** Whether the delivery of the latest text is still unknown, so that it must not be sent again. */
function isUnconfirmed(pair: Pair, body: string): boolean {
  const messages = store.getState().messages.histories[keyOf(pair)]?.data;
  const last = messages?.findLast((message) => message.from === pair.from);
  return last?.status === 'unknown' && last.body === body;
}
