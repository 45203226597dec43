import type { LucideIcon } from 'lucide-react';
import Calendar from 'lucide-react/icons/calendar';
import Check from 'lucide-react/icons/check';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Ellipsis from 'lucide-react/icons/ellipsis';
import FileText from 'lucide-react/icons/file-text';
import Flag from 'lucide-react/icons/flag';
import History from 'lucide-react/icons/history';
import Lock from 'lucide-react/icons/lock';
import Mail from 'lucide-react/icons/mail';
import MessageCircle from 'lucide-react/icons/message-circle';
import Paperclip from 'lucide-react/icons/paperclip';
import PencilLine from 'lucide-react/icons/pencil-line';
import PhoneIncoming from 'lucide-react/icons/phone-incoming';
import PhoneOutgoing from 'lucide-react/icons/phone-outgoing';
import Pin from 'lucide-react/icons/pin';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Sparkles from 'lucide-react/icons/sparkles';
import SquareKanban from 'lucide-react/icons/square-kanban';
import { type MouseEvent, type TouchEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { StreamEntry, StreamItem, EntryAnswer } from '@matterdesk/contract/stream.ts';
import { fileOfLink } from '../../../core/file-link.ts';
import { fullName } from '../../../core/full-name.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useScreen } from '../../../core/use-screen.ts';
import { valueInWords } from '../../../core/value-in-words.ts';
import { briefMoment, exactMoment, formatTime, lengthInWords } from '../../../core/words.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { type MenuEntry, MenuButton } from '../../../ui/Menu.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import {
  type Act,
  type Acts,
  type MadeKind,
  addressOf,
  addressOfMade,
  foldInWords,
  isDayAlone,
  isDatedBack,
  isLong,
  isPrivate,
  madeInWords,
  resultInWords,
  splitMentions,
  wordsOf,
} from '../rules.ts';

interface StreamRowProps extends Acts {
  item: StreamItem;
  /** The firm's, once it is known. */
  timeZone: string | undefined;
  onAct: (item: StreamItem, act: Act) => void;
}

/** An item of the stream: who did what, and two lines of it. */
export function StreamRow({ item, acts, makeable, timeZone, onAct }: StreamRowProps) {
  const me = useAppSelector(({ user }) => user.current?.id);
  const [isOpen, setIsOpen] = useState(false);
  const longTouch = useLongTouch();
  const { who, does, thing } = wordsOf(item, me);
  const { entry } = item;
  const isHidden = isPrivate(item);
  const text = entry?.text ?? item.text?.body ?? item.excerpt;
  const title = (
    <>
      <strong className="font-medium">{who}</strong>
      {does !== '' && <span className="text-ink-2">{` ${does}`}</span>}
      {thing !== '' && <strong className="font-medium">{` ${thing}`}</strong>}
    </>
  );
  return (
    <article className="stream-item" data-private={isHidden || undefined} {...longTouch}>
      <Tile item={item} />
      <div className="min-w-0">
        <p className="stream-title">
          {isHidden ? (
            <span className="text-ink-2">
              {title}
              <span className="text-ink-3">{` · private until filed`}</span>
            </span>
          ) : item.link === null ? (
            <>
              <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
                {title}
              </button>
              {/* Paper has no buttons. */}
              <span
                data-title={[who, does, thing].filter(Boolean).join(' ')}
                className="stream-printed"
              />
            </>
          ) : (
            <Link to={addressOf(item.link)}>{title}</Link>
          )}
          {entry && <CallFacts entry={entry} />}
          {item.pinned && (
            <Pin aria-label="Pinned" className="inline size-3.5 align-[-2px] text-ink-3" />
          )}
        </p>
        <Changes item={item} />
        {entry?.answer && <AnswerQuote answer={entry.answer} isWhole={isOpen} />}
        {text !== '' && <Excerpt item={item} text={text} isOpen={isOpen} onOpen={setIsOpen} />}
        {entry && <Attached files={entry.files} />}
        {entry && entry.made.length > 0 && <Made entry={entry} />}
        {entry && !entry.deleted && (isDatedBack(entry) || entry.editedAt !== null) && (
          <p className="text-xs text-ink-3">
            {isDatedBack(entry) && `Written ${briefMoment(entry.enteredAt)}`}
            {isDatedBack(entry) && entry.editedAt !== null && ' · '}
            {entry.editedAt !== null && (
              <button
                type="button"
                className="link"
                onClick={() => onAct(item, { does: 'versions' })}
              >
                edited
              </button>
            )}
          </p>
        )}
      </div>
      <div className="stream-end">
        {!(timeZone && isDayAlone(item.at, timeZone)) && (
          <time dateTime={item.at} title={exactMoment(item.at)}>
            {formatTime(item.at)}
          </time>
        )}
        {!isHidden && <Actions item={item} acts={acts} makeable={makeable} onAct={onAct} />}
      </div>
    </article>
  );
}

/** Milliseconds after which a touch is long. */
const LONG_TOUCH_MS = 500;

/** A long touch opens the menu of its row; its end is then no click. */
function useLongTouch() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hasOpened = useRef(false);
  const stop = () => clearTimeout(timer.current);
  return {
    onTouchStart: ({ currentTarget: row }: TouchEvent<HTMLElement>) => {
      hasOpened.current = false;
      timer.current = setTimeout(() => {
        hasOpened.current = true;
        row.querySelector<HTMLElement>('.stream-actions [aria-expanded=false]')?.click();
      }, LONG_TOUCH_MS);
    },
    onTouchMove: stop,
    onTouchCancel: stop,
    onTouchEnd: (event: TouchEvent) => {
      stop();
      if (hasOpened.current) event.preventDefault();
    },
    // In place of the browser's own menu of a link.
    onContextMenu: (event: MouseEvent) => {
      if (hasOpened.current) event.preventDefault();
    },
  };
}

/** Neighboring changes in a line that opens in place. */
export function FoldedRow({ items, onOpen }: { items: readonly StreamItem[]; onOpen: () => void }) {
  const [first, last] = [items[0], items.at(-1)];
  return (
    <button type="button" aria-expanded={false} onClick={onOpen} className="stream-item w-full">
      <ChevronRight className="m-1 text-ink-3" />
      <span className="stream-title">
        {`${items.length} changes`}
        <span className="text-ink-3">{` · ${foldInWords(items)}`}</span>
      </span>
      <span className="stream-end">
        {first && last && `${formatTime(last.at)} – ${formatTime(first.at)}`}
      </span>
    </button>
  );
}

const ICONS = {
  mail: Mail,
  text: MessageCircle,
  file: FileText,
  task: SquareKanban,
  event: Calendar,
  deadline: Flag,
  check: ShieldCheck,
  change: History,
  note: PencilLine,
  memo: FileText,
  filing: FileText,
  answer: Sparkles,
  in: PhoneIncoming,
  out: PhoneOutgoing,
  done: Check,
  private: Lock,
} satisfies Record<string, LucideIcon>;

function Tile({ item }: { item: StreamItem }) {
  const { source, entry } = item;
  const icon = iconOf(item);
  const tone = source === 'deadline' ? 'hard' : entry && !entry.answer ? 'entry' : undefined;
  const Icon = ICONS[icon];
  return (
    <span
      aria-hidden
      className="stream-tile"
      data-tone={icon === 'done' || icon === 'private' ? icon : tone}
    >
      <Icon className="size-3.5" />
    </span>
  );
}

function iconOf(item: StreamItem): keyof typeof ICONS {
  const { source, kind, entry } = item;
  if (isPrivate(item)) return 'private';
  if (kind === 'done') return 'done';
  if (entry?.answer) return 'answer';
  if (entry?.kind === 'call') return entry.call?.direction ?? 'out';
  return source === 'entry' ? (entry?.kind === 'memo' ? 'memo' : 'note') : source;
}

/** The outcome of a call and its length. */
function CallFacts({ entry: { call } }: { entry: StreamEntry }) {
  if (!call) return null;
  const { result, seconds } = call;
  return (
    <>
      {result !== null && (
        <Chip
          tone={result === 'reached' ? 'green' : 'neutral'}
          {...(result === 'reached' && { icon: Check })}
        >
          {resultInWords(result)}
        </Chip>
      )}
      {seconds !== null && seconds >= 60 && (
        <span className="text-sm text-ink-3">{lengthInWords(Math.round(seconds / 60))}</span>
      )}
    </>
  );
}

/** Values before and after, which a screen reader says as 'from … to …'. */
function Changes({ item: { kind: act, changes } }: { item: StreamItem }) {
  if (changes.length === 0) return null;
  return (
    <ul className="stream-changes">
      {changes.map(({ field, label, kind, from, to }) => (
        <li key={field}>
          {/* A single field that was moved is a date, or a column. */}
          {(act !== 'moved' || from === null || changes.length > 1) && (
            <span className="text-ink-3">{`${label}: `}</span>
          )}
          {from === null ? (
            <span className="text-ink-3">confidential</span>
          ) : (
            <>
              <span className="sr-only">from </span>
              {from === '' ? 'nothing' : <del>{valueInWords(kind, from)}</del>}
              <span aria-hidden>{' → '}</span>
              <span className="sr-only"> to </span>
              <strong className="font-medium">{to ? valueInWords(kind, to) : 'nothing'}</strong>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

interface ExcerptProps {
  item: StreamItem;
  text: string;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** Two lines of an item, four of a note, and the rest after 'more'. */
function Excerpt({ item, text, isOpen, onOpen }: ExcerptProps) {
  const parts = splitMentions(text, item.entry?.mentions ?? []);
  return (
    <>
      <p className="stream-text" data-lines={isOpen ? 'all' : item.entry ? '4' : '2'} dir="auto">
        {parts.map((part, at) =>
          at % 2 === 1 ? (
            // oxlint-disable-next-line react/no-array-index-key -- the parts have no other identity
            <span key={at} className="stream-mention">
              {part}
            </span>
          ) : (
            part
          ),
        )}
      </p>
      {isLong(text) && (
        <button type="button" className="link text-sm" onClick={() => onOpen(!isOpen)}>
          {isOpen ? 'less' : 'more'}
        </button>
      )}
    </>
  );
}

function Attached({ files }: Pick<StreamEntry, 'files'>) {
  if (files.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-1 pt-1">
      {files.map((url) => (
        <Link key={url} to={addressOf(url)} className="stream-made">
          <Chip icon={Paperclip}>{fileOfLink(url)?.name}</Chip>
        </Link>
      ))}
    </p>
  );
}

/** Tasks, events and deadlines that were made from an entry, as they are now. */
function Made({ entry }: { entry: StreamEntry }) {
  return (
    <p className="flex flex-wrap gap-1 pt-1">
      {entry.made.map((made) => {
        const address = addressOfMade(entry.case, made);
        const chip = <Chip icon={ICONS[made.type]}>{madeInWords(made)}</Chip>;
        return address === null ? (
          <span key={made.id} className="max-w-full">
            {chip}
          </span>
        ) : (
          <Link key={made.id} to={address} className="stream-made">
            {chip}
          </Link>
        );
      })}
    </p>
  );
}

const MAKES: Record<MadeKind, { label: string; icon: LucideIcon }> = {
  task: { label: 'Make task', icon: SquareKanban },
  deadline: { label: 'Make deadline', icon: Flag },
  event: { label: 'Make event', icon: Calendar },
};

/** Buttons in the same order on each item; a phone has all of them in the menu. */
function Actions({ item, acts, makeable, onAct }: Omit<StreamRowProps, 'timeZone'>) {
  const isPhone = useScreen() === 'phone';
  const pinLabel = item.pinned ? 'Unpin' : 'Pin';
  const makes = makeable.map((what) => ({
    ...MAKES[what],
    onSelect: () => onAct(item, { does: 'make', what }),
  }));
  const pin = acts.includes('pin')
    ? [{ label: pinLabel, icon: Pin, onSelect: () => onAct(item, { does: 'pin' }) }]
    : [];
  const direct = [...makes, ...pin];
  return (
    <span className="stream-actions">
      {!isPhone &&
        direct.map(({ label, icon, onSelect }) => (
          <Tooltip key={label} text={label}>
            <IconButton label={label} icon={icon} variant="quiet" size="small" onClick={onSelect} />
          </Tooltip>
        ))}
      <MenuButton
        label="More for this item"
        icon={Ellipsis}
        variant="quiet"
        size="small"
        entries={[...(isPhone ? direct : []), ...menuOf(item, acts, onAct)]}
      />
    </span>
  );
}

function menuOf(
  item: StreamItem,
  acts: StreamRowProps['acts'],
  onAct: StreamRowProps['onAct'],
): MenuEntry[] {
  const labels = {
    edit: 'Edit',
    move: 'Move to another matter',
    copy: 'Copy link',
    byPerson: item.actor ? `Only by ${fullName(item.actor)}` : '',
    unfile: 'Remove from this matter',
    delete: 'Delete',
  } as const;
  return (Object.keys(labels) as (keyof typeof labels)[])
    .filter((does) => acts.includes(does))
    .map((does) => ({
      label: labels[does],
      onSelect: () => onAct(item, { does }),
      ...(does === 'delete' && { tone: 'red' as const }),
    }));
}

const MAX_QUOTATION_LENGTH = 300;

interface AnswerQuoteProps {
  answer: EntryAnswer;
  isWhole: boolean;
}

/** The quotation of an answer, with the page of its file, which opens there. */
export function AnswerQuote({ answer, isWhole }: AnswerQuoteProps) {
  const { quotation, url, page } = answer;
  const isCut = !isWhole && quotation.length > MAX_QUOTATION_LENGTH;
  const chip = <span className="stream-mention">{`p. ${page}`}</span>;
  const file = url === null ? null : fileOfLink(url);
  return (
    <p className="stream-answer" dir="auto">
      <span className="font-serif">
        {`“${isCut ? `${quotation.slice(0, MAX_QUOTATION_LENGTH).toWellFormed()}…` : quotation}”`}
      </span>{' '}
      {url !== null && file ? (
        <Link
          to={addressOf(url)}
          state={{ isFromCase: true, place: { page, version: file.version, quotation } }}
        >
          <bdi>{file.name}</bdi> {chip}
        </Link>
      ) : (
        <span className="text-sm text-ink-3">No longer in this matter {chip}</span>
      )}
    </p>
  );
}
