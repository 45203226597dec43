import type { Conversation } from '@matterdesk/contract/messages.ts';
import ArrowDown from 'lucide-react/icons/arrow-down';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { useToday } from '../../../ui/days.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { byDay, nameOf, PLACEHOLDER } from '../rules.ts';
import { DayOfMessages } from './DayOfMessages.tsx';
import type { History } from './use-conversation.ts';

interface HistoryViewProps {
  box: RefObject<HTMLDivElement | null>;
  history: History;
  contact: Conversation;
  own: string;
}

/** Earlier messages load when the beginning is this many pixels away. */
const AHEAD = '600px 0px 0px 0px';
const SCROLLED_UP = 240;

/**
 * The messages, newest at the bottom. The column is reversed, so that messages added above move nothing
 * and a reader at the end stays there. The browser skips the layout of days out of view.
 */
export function HistoryView({ box, history, contact, own }: HistoryViewProps) {
  const today = useToday();
  const [isScrolledUp, setIsScrolledUp] = useState(false);
  const { messages } = history;
  const isReady = messages !== null;
  const days = useMemo(() => byDay(messages ?? []), [messages]);
  return (
    <div className="relative flex min-h-0 grow flex-col">
      <div
        ref={box}
        role="log"
        aria-label={`Conversation with ${nameOf(contact)}`}
        aria-busy={!isReady || history.earlier === 'loading'}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long conversation is scrolled by keys
        tabIndex={0}
        onScroll={(event) => setIsScrolledUp(event.currentTarget.scrollTop < -SCROLLED_UP)}
        className="flex min-h-0 grow flex-col-reverse overflow-y-auto overscroll-contain -outline-offset-2"
      >
        <div className="px-4 py-4 sm:px-6">
          {isReady && <Beginning box={box} history={history} />}
          {!isReady && <Loading />}
          {isReady && days.length === 0 && <Placeholder />}
          {days.map(({ day, messages: ofDay }) => (
            <DayOfMessages
              key={day}
              day={day}
              messages={ofDay}
              own={own}
              name={nameOf(contact)}
              today={today}
            />
          ))}
        </div>
      </div>
      {isScrolledUp && (
        <IconButton
          label="Newest message"
          icon={ArrowDown}
          className="absolute right-4 bottom-3 animate-appear shadow-float sm:right-6"
          onClick={() => box.current?.scrollTo({ top: 0 })}
        />
      )}
    </div>
  );
}

type BeginningProps = Pick<HistoryViewProps, 'box' | 'history'>;

/** Loads earlier messages as it scrolls into view. */
function Beginning({ box, history }: BeginningProps) {
  const mark = useRef<HTMLDivElement>(null);
  const { hasEarlier, earlier, grow } = history;
  useEffect(() => {
    if (!hasEarlier || earlier !== 'idle' || !mark.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && grow(),
      { root: box.current, rootMargin: AHEAD },
    );
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [box, hasEarlier, earlier, grow]);
  if (!hasEarlier) return null;
  return (
    <div
      ref={mark}
      // Not a scroll anchor: messages are inserted below it.
      className="flex h-11 [overflow-anchor:none] items-center justify-center gap-2 text-sm text-ink-3"
    >
      {earlier === 'failed' ? (
        <>
          <span role="alert">Couldn’t load earlier messages.</span>
          <Button size="small" onClick={grow}>
            Try again
          </Button>
        </>
      ) : (
        <>
          <Spinner /> Earlier messages
        </>
      )}
    </div>
  );
}

function Placeholder() {
  return (
    <div className="flex flex-col items-start gap-1.5">
      <p className="max-w-[80%] rounded-pop rounded-bl-[3px] bg-hover px-3 py-2 text-ink-2">
        {PLACEHOLDER.text}
      </p>
      <time dateTime={PLACEHOLDER.day} className="text-xs text-ink-3">
        {new Date(`${PLACEHOLDER.day}T00:00:00`).toLocaleDateString()}
      </time>
    </div>
  );
}

const shapes = [
  { width: 'w-64', isOwn: false },
  { width: 'w-80', isOwn: true },
  { width: 'w-52', isOwn: true },
  { width: 'w-44', isOwn: false },
];

function Loading() {
  return (
    <div className="flex flex-col gap-2.5">
      <span className="sr-only">Loading the conversation</span>
      {shapes.map(({ width, isOwn }) => (
        <Skeleton
          key={width}
          className={cx('h-[38px] max-w-[80%] rounded-pop!', width, isOwn && 'self-end')}
        />
      ))}
    </div>
  );
}
