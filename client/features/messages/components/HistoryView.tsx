import ArrowDown from 'lucide-react/icons/arrow-down';
import CircleAlert from 'lucide-react/icons/circle-alert';
import Download from 'lucide-react/icons/download';
import { type RefObject, useEffect, useMemo, useRef, useState, memo } from 'react';
import type { Conversation, TextMessage } from '@matterdesk/contract/messages.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { dayInWords, formatTime } from '../../../core/words.ts';
import { buttonClass, Button, IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { useToday } from '../../../ui/days.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { history, markRead } from '../api.ts';
import {
  byDay,
  nameOf,
  PLACEHOLDER,
  endsGroup,
  hasFailed,
  statusInWords,
  isPicture,
} from '../rules.ts';
import { conversationClosed, conversationOpened, type Pair } from '../slice.ts';

interface BubbleProps {
  message: TextMessage;
  /** Whether it is chosen, while texts are chosen. */
  isChosen: boolean | null;
  onChoose: (id: string, isRange: boolean) => void;
  /** From the user's own number. */
  isOwn: boolean;
  name: string;
  withTime: boolean;
}

/** Characters of a text in the name of its checkbox. */
const NAMED = 80;

/** A message: the user's own at the right, the contact's at the left. */
const Bubble = memo(function Bubble(props: BubbleProps) {
  const { message, isChosen, isOwn, name, withTime } = props;
  const at = new Date(message.dateSent);
  const when = at.toLocaleString();
  const by = `${isOwn ? 'You' : name}, ${when}:`;
  return (
    <li
      className={cx(
        'flex flex-col gap-1.5',
        isOwn ? 'items-end' : 'items-start',
        isChosen !== null && 'relative pl-8',
      )}
    >
      {isChosen !== null && (
        <label className="absolute inset-0 cursor-pointer">
          <input
            type="checkbox"
            aria-label={`${by} ${message.body.slice(0, NAMED)}`}
            checked={isChosen}
            className="absolute top-2.5 left-0 size-4 accent-accent"
            onChange={({ nativeEvent }) =>
              props.onChoose(message.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </label>
      )}
      <span className="sr-only">{by}</span>
      {message.body !== '' && (
        <p
          title={when}
          className={cx(
            'w-fit max-w-[80%] rounded-pop px-3 py-2 whitespace-pre-wrap wrap-anywhere',
            isOwn ? 'rounded-br-[3px] bg-accent text-on-accent' : 'rounded-bl-[3px] bg-hover',
          )}
        >
          {message.body}
        </p>
      )}
      {message.media.map(({ url, mimeType }) => (
        <Media key={url} url={url} mimeType={mimeType} />
      ))}
      {withTime && (
        <p className="max-w-[80%] text-xs text-ink-2">
          <time dateTime={message.dateSent} title={when}>
            {formatTime(at)}
          </time>
          <DeliveryStatus message={message} />
        </p>
      )}
    </li>
  );
});

/** The delivery status of a message, with the reason if it failed. */
function DeliveryStatus({ message }: { message: TextMessage }) {
  const words = statusInWords(message.status);
  if (words === '') return null;
  if (!hasFailed(message))
    return (
      <span key={message.status} className="animate-appear">
        {` · ${words}`}
      </span>
    );
  return (
    <span className="text-red">
      {' · '}
      <CircleAlert className="mr-1 inline size-3.5! align-[-2px]" />
      {words}
      {message.error !== null && `: ${message.error.message}`}
    </span>
  );
}

/** Shows an image, which opens in a new tab; anything else is a download link. */
function Media({ url, mimeType }: { url: string; mimeType: string }) {
  const [hasFailed, setHasFailed] = useState(false);
  if (isPicture(mimeType) && !hasFailed)
    return (
      <a href={url} target="_blank" rel="noreferrer" className="block max-w-[80%] rounded-pop">
        <img
          src={url}
          alt={`Attachment ${mimeType}, opens in a new tab`}
          loading="lazy"
          onError={() => setHasFailed(true)}
          className="h-44 max-w-full min-w-24 rounded-pop border border-line bg-sunken object-contain"
        />
      </a>
    );
  return (
    <a href={url} download className={buttonClass({ size: 'small' })}>
      <Download /> Attachment ({mimeType})
    </a>
  );
}

interface HistoryViewProps {
  box: RefObject<HTMLDivElement | null>;
  history: History;
  contact: Conversation;
  own: string;
  /** Ids of the chosen texts, while texts are chosen. */
  chosen: ReadonlySet<string> | null;
  /** @param isRange with those between it and the last one that was pressed */
  onChoose: (id: string, isRange: boolean) => void;
}

/** Earlier messages load when the beginning is this many pixels away. */
const AHEAD = '600px 0px 0px 0px';
const SCROLLED_UP = 240;

/**
 * The messages, newest at the bottom. The column is reversed, so that messages added above move nothing
 * and a reader at the end stays there. The browser skips the layout of days out of view.
 */
export function HistoryView({ box, history, contact, own, ...choice }: HistoryViewProps) {
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
              {...choice}
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

interface DayOfMessagesProps extends Pick<HistoryViewProps, 'chosen' | 'onChoose'> {
  day: string;
  messages: readonly TextMessage[];
  own: string;
  /** The contact's name. */
  name: string;
  today: string;
}

/** The messages of a day. The browser skips its layout while it is out of view. */
const DayOfMessages = memo(function DayOfMessages(props: DayOfMessagesProps) {
  const { day, messages, own, name, today, chosen, onChoose } = props;
  return (
    <div
      role="group"
      aria-label={dayInWords(day, today)}
      className="[contain-intrinsic-size:auto_600px] [content-visibility:auto]"
    >
      <p className="py-3 [overflow-anchor:none] text-center text-xs text-ink-2">
        {dayInWords(day, today)}
      </p>
      <ol className="flex flex-col gap-2.5">
        {messages.map((message, index) => (
          <Bubble
            key={message.id}
            message={message}
            isChosen={chosen?.has(message.id) ?? null}
            onChoose={onChoose}
            isOwn={message.from === own}
            name={name}
            withTime={endsGroup(message, messages[index + 1])}
          />
        ))}
      </ol>
    </div>
  );
}, isSame);

/** Each new message regroups all days, but the messages stay the same objects. */
function isSame(before: DayOfMessagesProps, now: DayOfMessagesProps): boolean {
  return (
    before.today === now.today &&
    before.own === now.own &&
    before.name === now.name &&
    before.chosen === now.chosen &&
    before.onChoose === now.onChoose &&
    before.messages.length === now.messages.length &&
    before.messages.every((message, index) => message === now.messages[index])
  );
}

/**
 * The open conversation: fetched on opening and on return to the tab, and marked as read when a message
 * arrives. `pair` must stay the same object.
 */
export function useConversation(pair: Pair) {
  const dispatch = useAppDispatch();
  const { data, cursor, status, failure, refresh, grow } = useResource(history, pair);
  useEffect(() => {
    dispatch(conversationOpened(pair.to));
    const handleVisible = () => {
      if (!document.hidden) refresh();
    };
    document.addEventListener('visibilitychange', handleVisible);
    return () => {
      document.removeEventListener('visibilitychange', handleVisible);
      dispatch(conversationClosed(pair));
    };
  }, [dispatch, pair, refresh]);

  const seen = useAppSelector((state) => state.messages.seen);
  useEffect(() => {
    if (seen !== null) markRead(pair).catch(() => undefined);
  }, [seen, pair]);
  const earlier = status === 'idle' ? (failure ? 'failed' : 'idle') : 'loading';
  return {
    messages: data,
    hasFailed: data === null && failure !== null,
    hasEarlier: cursor !== null,
    earlier,
    refresh,
    grow,
  } as const;
}

/** The loaded part of a conversation; without `messages` while loading. */
type History = ReturnType<typeof useConversation>;
