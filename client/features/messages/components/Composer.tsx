import { MAX_MESSAGE } from '@matterdesk/contract/messages.ts';
import Send from 'lucide-react/icons/send';
import { type KeyboardEvent, lazy, Suspense, useEffect, useId, useRef } from 'react';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { TextArea } from '../../../ui/TextArea.tsx';
import { sizeOf } from '../rules.ts';
import { draftWritten, type Pair } from '../slice.ts';
import { useNight } from './use-night.ts';
import { useSend } from './use-send.ts';

const NightQuestion = lazy(async () => ({
  default: (await import('./NightQuestion.tsx')).NightQuestion,
}));
// With its table of time zones, which only a text that is written needs.
const QuietHours = lazy(async () => ({
  default: (await import('./QuietHours.tsx')).QuietHours,
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
      {!isOff && text !== '' && (
        <Suspense fallback={null}>
          <QuietHours number={pair.to} />
        </Suspense>
      )}
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
