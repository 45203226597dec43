import { MAX_MESSAGE, messageRoutes, NewTextSchema } from '@matterdesk/contract/messages.ts';
import Send from 'lucide-react/icons/send';
import { type KeyboardEvent, lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useAppDispatch, useAppSelector, store } from '../../../core/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { TextArea } from '../../../ui/TextArea.tsx';
import { sizeOf } from '../rules.ts';
import { draftWritten, type Pair, messageReceived, sendingBegun, sendingEnded } from '../slice.ts';
import { CallError } from '../../../api.ts';
import { keyOf } from '../../../core/entries.ts';
import { clickOf, isAnswered as hasAnswered } from '../../../core/use-click-key.ts';
import { toast } from '../../../ui/toast-store.ts';
import { history, sendText, wordsOf } from '../api.ts';

const NightQuestion = lazy(async () => ({
  default: (await import('./NightQuestion.tsx')).NightQuestion,
}));

interface ComposerProps {
  pair: Pair;
  /** Whether sending is blocked; the reason is shown above. */
  isOff: boolean;
  onSent: () => void;
}

/** The input for a text. Unsent text is kept per contact. */
export function Composer({ pair, isOff, onSent }: ComposerProps) {
  const dispatch = useAppDispatch();
  const text = useAppSelector((state) => state.messages.drafts[pair.to] ?? '');
  const { isBusy, send } = useSend(pair, onSent);
  const sizeId = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // On a touch screen, the keyboard would cover the conversation.
    if (matchMedia('(pointer: fine)').matches) input.current?.focus({ preventScroll: true });
  }, []);
  const night = useNight(pair.to, async () => {
    await send(text);
    input.current?.focus();
  });
  const submit = () => night.submit(text);
  const handleKeyDown = (event: KeyboardEvent) => {
    // Enter may also confirm a character in an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!isBusy) void submit();
  };
  return (
    <div className="flex-none border-t border-line">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        className="flex flex-wrap items-end gap-2 px-4 py-3.5 sm:px-6"
      >
        <TextArea
          ref={input}
          rows={1}
          aria-label="Text message"
          aria-describedby={sizeId}
          placeholder="Text message"
          value={text}
          disabled={isOff}
          readOnly={isBusy}
          onChange={(event) =>
            dispatch(draftWritten({ number: pair.to, text: event.target.value }))
          }
          onKeyDown={handleKeyDown}
          className="field-sizing-content max-h-40 min-h-10 w-0! grow resize-none! py-[9px]!"
        />
        <MessageSize id={sizeId} text={text} />
        <Button
          type="submit"
          variant="primary"
          size="large"
          icon={Send}
          busy={isBusy}
          disabled={isOff}
        >
          Send
        </Button>
      </form>
      <Suspense>
        {night.question !== null && (
          <NightQuestion
            words={night.question}
            onClose={night.drop}
            onConfirm={() => void night.confirm()}
          />
        )}
      </Suspense>
    </div>
  );
}

function MessageSize({ id, text }: { id: string; text: string }) {
  const { units, capacity, segments } = sizeOf(text);
  const isTooLong = text.trim().length > MAX_MESSAGE;
  return (
    <p
      id={id}
      className={cx(
        'flex h-10 min-w-11 flex-none flex-col items-end justify-center text-sm tabular-nums',
        isTooLong ? 'text-red' : 'text-ink-2',
      )}
    >
      <span>
        <span aria-hidden="true">{`${units}/${capacity}`}</span>
        <span className="sr-only">{`${units} of ${capacity} characters`}</span>
      </span>
      {isTooLong ? (
        <span className="text-xs">Too long</span>
      ) : (
        segments > 1 && <span className="text-xs">{`${segments} segments`}</span>
      )}
    </p>
  );
}

/** Sends a text, but asks first at night: `question` says why, `confirm` sends and asks no more this night. */
function useNight(number: string, send: () => Promise<void>) {
  const [question, setQuestion] = useState<string | null>(null);
  const submit = async (text: string) => {
    const words = text.trim() === '' ? null : await wordsNow(number);
    if (words === null) await send();
    else setQuestion(words);
  };
  const confirm = async () => {
    setQuestion(null);
    const { acceptNight } = await load();
    acceptNight(number, new Date());
    await send();
  };
  return { question, submit, confirm, drop: () => setQuestion(null) };
}

// With its table of time zones, which only a text that is written needs.
const load = () => import('../rules.night.ts');

/** A table that could not be loaded keeps no text back. */
async function wordsNow(number: string): Promise<string | null> {
  const night = await load().catch(() => null);
  return night?.nightWords(number, new Date()) ?? null;
}

const FAILED = 'Error in sending message';

/**
 * Sends a text once per click: sending continues while another contact is open, and a retry after a lost
 * answer has the same key.
 */
function useSend(pair: Pair, onSent: () => void) {
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
