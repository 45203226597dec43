import '../../../core/chips.css';
import '../../../core/stream.css';
import MessagesSquare from 'lucide-react/icons/messages-square';
import Pin from 'lucide-react/icons/pin';
import Printer from 'lucide-react/icons/printer';
import Search from 'lucide-react/icons/search';
import SearchX from 'lucide-react/icons/search-x';
import {
  type ComponentType,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { StreamEntry, StreamItem } from '@matterdesk/contract/stream.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { fullName } from '../../../core/full-name.ts';
import { paths } from '../../../core/paths.ts';
import { Pending } from '../../../core/Pending.tsx';
import { usePeople } from '../../../core/people.ts';
import type { CaseField } from '../../../core/slots.ts';
import { useAppSelector } from '../../../core/store.ts';
import { keepAllChanges, showsAllChanges } from '../../../core/tab-storage.ts';
import { anyText, searchText, useAddress } from '../../../core/use-address.ts';
import { succeeds } from '../../../core/use-attempt.ts';
import { useFirm } from '../../../core/use-firm.ts';
import { BATCH_MS, useResource } from '../../../core/use-resource.ts';
import { formatCount } from '../../../core/words.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { ClearSearch } from '../../../ui/ClearSearch.tsx';
import { copyToClipboard } from '../../../ui/copy-to-clipboard.ts';
import { formatDay, localDay, useToday } from '../../../ui/days.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { Option } from '../../../ui/option.ts';
import { SearchInput, useSearchText } from '../../../ui/SearchInput.tsx';
import { SkeletonRows } from '../../../ui/Skeleton.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { useAfterPress } from '../../../ui/use-after-press.ts';
import { useRows } from '../../../ui/use-rows.ts';
import { pinEntry } from '../api.ts';
import {
  type Act,
  actsOn,
  type MadeKind,
  chipOf,
  chips,
  countOf,
  headingOf,
  noMatch,
  readKinds,
  rowsOf,
  splitOpening,
  wantsAll,
} from '../rules.ts';
import { streams, type StreamQuery } from '../slice.ts';
import { type AttachProps, Composer } from './Composer.tsx';
import type { StreamFilters } from './PrintDialog.tsx';
import { FoldedRow, StreamRow } from './StreamRow.tsx';

const EntryDialog = lazyNamed(() => import('./EntryDialog.tsx'), 'EntryDialog');

const schema = { kinds: anyText, search: searchText, people: anyText };
/** The part of an address that opens an entry. */
const LINKED = /^#entry-(.+)$/;

interface CaseStreamProps {
  matter: Option;
  caseField: CaseField;
  attach: ComponentType<AttachProps>;
  /** Opens the dialog of another feature with the text of an item. */
  onMake: (what: MadeKind, item: StreamItem) => void;
  /** Opens the dialog that saves the stream as it is filtered. */
  onPrint: (filters: StreamFilters) => void;
}

/** Everything that happened in a matter, newest first, with the composer above it. */
export function CaseStream({ matter, caseField, attach, onMake, onPrint }: CaseStreamProps) {
  const { address, change } = useAddress(schema);
  const [isAll, setIsAll] = useAllChanges(address.kinds);
  const kinds = readKinds(address.kinds);
  const asked = [...kinds, ...(isAll ? ['all'] : [])].join(',');
  const filters: Omit<StreamQuery, 'caseId'> = {
    ...(asked !== '' && { kinds: asked }),
    ...(address.search !== '' && { search: address.search }),
    ...(address.people !== '' && { people: address.people }),
  };
  const query: StreamQuery = { caseId: matter.id, ...filters };
  const stream = useResource(streams, query, { batchMs: BATCH_MS });
  const { data } = stream;
  const top = useRef<HTMLDivElement>(null);
  const { shown, waiting, show } = useArrivals(data?.items, top, JSON.stringify(query));
  const [dialog, setDialog] = useState<{ what: EntryDialogKind; entry: StreamEntry } | null>(null);
  const linked = useLinked();
  const isFiltered = kinds.length > 0 || address.search !== '' || address.people !== '';
  const clear = () => change({ kinds: '', search: '', people: '' });
  const handleAct = (item: StreamItem, act: Act) => {
    if (act.does === 'make') onMake(act.what, item);
    else if (act.does === 'copy') void copyLink(matter.id, item.entry?.id ?? '');
    else if (act.does === 'byPerson') change({ people: item.actor?.id ?? '' });
    else if (act.does === 'pin') void togglePin(item);
    else if (act.does === 'unfile') void unfile(matter.id, item);
    else if (item.entry) setDialog({ what: act.does, entry: item.entry });
  };
  return (
    <section aria-label="Stream" className="stream">
      <Composer matter={matter} attach={attach} onSaved={show} />
      <div ref={top} className="stream-bar">
        <KindChips address={address.kinds} counts={data?.counts} onChange={change} />
        <div className="stream-tools">
          <Checkbox
            label="Show all changes"
            checked={isAll}
            onChange={({ target }) => {
              setIsAll(target.checked);
              change({ kinds: kinds.join(',') });
            }}
          />
          <StreamSearch search={address.search} onSearch={(search) => change({ search })} />
          <IconButton
            label="Save the stream as PDF"
            icon={Printer}
            variant="quiet"
            size="small"
            onClick={() => onPrint(filters)}
          />
        </div>
        {address.people !== '' && (
          <PersonChip id={address.people} onRemove={() => change({ people: '' })} />
        )}
      </div>
      {waiting > 0 && (
        <div className="stream-pill" role="status">
          <button type="button" onClick={show}>
            {`${formatCount(waiting)} new`}
          </button>
        </div>
      )}
      {!data && (
        <Pending of={stream} what="the stream">
          <SkeletonRows count={8} className="h-14" />
        </Pending>
      )}
      {data && <Pins pinned={data.pinned} onAct={handleAct} />}
      {data && data.items.length === 0 && (
        <Nothing
          title={isFiltered ? noMatch(chipOf(kinds), address.search !== '') : null}
          onClear={clear}
        />
      )}
      {data && data.items.length > 0 && (
        <Items
          list={`stream ${JSON.stringify(query)}`}
          items={shown}
          hasMore={stream.cursor !== null}
          onEnd={stream.grow}
          onAct={handleAct}
        />
      )}
      {data && stream.failure && <Pending of={stream} what="the newest part" isPart />}
      {dialog && <EntryDialog {...dialog} caseField={caseField} onClose={() => setDialog(null)} />}
      {!dialog && linked.id !== undefined && (
        <EntryDialog
          what="versions"
          entry={linked.id}
          caseField={caseField}
          onClose={linked.close}
        />
      )}
    </section>
  );
}

/** The entry that a link names: a notice, or one that was copied. */
function useLinked() {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const [, id] = LINKED.exec(hash) ?? [];
  return { id, close: () => void navigate({ search }, { replace: true }) };
}

type EntryDialogKind = 'edit' | 'move' | 'delete' | 'versions';

/** Whether all changes are shown: as the address asks once, otherwise as this user chose in this browser. */
function useAllChanges(kinds: string) {
  const me = useAppSelector(({ user }) => user.current?.id);
  const [isChosen, setIsChosen] = useState(() => showsAllChanges(me));
  const set = (isOn: boolean) => {
    keepAllChanges(isOn, me);
    setIsChosen(isOn);
  };
  return [isChosen || wantsAll(kinds), set] as const;
}

async function copyLink(caseId: string, entryId: string) {
  const address = `${paths.caseDetails(caseId)}#entry-${encodeURIComponent(entryId)}`;
  await copyToClipboard(`${location.origin}${address}`, 'Link copied');
}

async function togglePin({ entry }: StreamItem) {
  if (!entry) return;
  await succeeds(pinEntry({ params: { id: entry.id }, body: { pinned: !entry.pinned } }));
}

/** With a way back for its own texts: no one files those of others. */
async function unfile(caseId: string, { id, link }: StreamItem) {
  const body = { case: caseId, messageIds: [id] };
  const { fileTexts, unfileTexts } = await import('../../../core/text-filing.ts');
  if (!(await succeeds(unfileTexts({ body })))) return;
  if (link === null) toast.success('Text removed from this matter');
  else
    toast.plain('Text removed from this matter', {
      label: 'Undo',
      run: () => void succeeds(fileTexts({ body })),
    });
}

interface KindChipsProps {
  address: string;
  counts: Readonly<Record<string, number>> | undefined;
  onChange: (changes: { kinds: string }) => void;
}

/** The kinds with their counts under the other filters. */
function KindChips({ address, counts, onChange }: KindChipsProps) {
  const chosen = chipOf(readKinds(address));
  return (
    <div role="group" aria-label="Kinds" className="chips">
      {chips.map((chip) => (
        <button
          key={chip.label}
          type="button"
          aria-pressed={chip === chosen}
          onClick={() => onChange({ kinds: chip === chosen ? '' : chip.kinds.join(',') })}
        >
          {chip.label}
          {counts && <span>{formatCount(countOf(chip, counts))}</span>}
        </button>
      ))}
    </div>
  );
}

/** An icon that becomes a field; a search in the address keeps it open. */
function StreamSearch({
  search,
  onSearch,
}: {
  search: string;
  onSearch: (search: string) => void;
}) {
  const [isOpen, setIsOpen] = useState(search !== '');
  const [text, setText] = useSearchText(search, onSearch);
  const afterPress = useAfterPress();
  if (!isOpen)
    return (
      <IconButton
        label="Search the stream"
        icon={Search}
        variant="quiet"
        size="small"
        onClick={() => setIsOpen(true)}
      />
    );
  return (
    <SearchInput
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader asked for it
      autoFocus={search === ''}
      aria-label="Search the stream"
      value={text}
      onChange={setText}
      onBlur={() => text === '' && afterPress(() => setIsOpen(false))}
      className="w-44"
    />
  );
}

function PersonChip({ id, onRemove }: { id: string; onRemove: () => void }) {
  const person = usePeople().people.find((other) => other.id === id);
  const name = person ? fullName(person) : 'one person';
  return (
    <Chip onRemove={onRemove} removeLabel="Show everyone">
      {`By ${name}`}
    </Chip>
  );
}

const PINS_SHOWN = 2;

/** Pinned entries, a line each; from the third on they fold. */
function Pins({
  pinned,
  onAct,
}: {
  pinned: readonly StreamItem[];
  onAct: (item: StreamItem, act: Act) => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  if (pinned.length === 0) return null;
  const shown = isOpen ? pinned : pinned.slice(0, PINS_SHOWN);
  const more = pinned.length - shown.length;
  return (
    <div role="group" aria-label="Pinned" className="stream-pins">
      {shown.map((item) => {
        const [opening, rest] = splitOpening(item.excerpt);
        return (
          <button key={item.id} type="button" onClick={() => onAct(item, { does: 'versions' })}>
            <Pin className="flex-none text-ink-3" />
            <span className="min-w-0 grow truncate">
              <strong className="font-semibold">{opening}</strong>
              {rest}
            </span>
            <span className="flex-none text-xs text-ink-3 max-sm:hidden">
              {item.actor && `${fullName(item.actor)}, `}
              {formatDay(localDay(new Date(item.at)), 'short')}
            </span>
          </button>
        );
      })}
      {more > 0 && (
        <button type="button" className="text-sm text-ink-3" onClick={() => setIsOpen(true)}>
          {`${formatCount(more)} more pinned`}
        </button>
      )}
    </div>
  );
}

/** `title` says why a filtered stream has no rows; null for a stream without any. */
function Nothing({ title, onClear }: { title: string | null; onClear: () => void }) {
  if (title !== null)
    return (
      <EmptyState
        icon={SearchX}
        title={title}
        action={<ClearSearch label="Clear filters" onClear={onClear} />}
      />
    );
  const write = () =>
    document.querySelector<HTMLElement>('.stream-composer textarea')?.focus({
      preventScroll: true,
    });
  return (
    <EmptyState
      icon={MessagesSquare}
      title="Nothing here yet"
      action={<Button onClick={write}>Write a note</Button>}
    />
  );
}

interface ItemsProps {
  list: string;
  items: readonly StreamItem[];
  hasMore: boolean;
  onEnd: () => void;
  onAct: (item: StreamItem, act: Act) => void;
}

const paper = matchMedia('print');

function subscribeToPaper(listener: () => void): () => void {
  paper.addEventListener('change', listener);
  return () => paper.removeEventListener('change', listener);
}

const ROW_HEIGHT = 58;
/** Rows before the end from which the next page is read. */
const AHEAD = 15;

/** The rows in a window, with a heading over the first row of a day. */
function Items({ list, items, hasMore, onEnd, onAct }: ItemsProps) {
  const today = useToday();
  const timeZone = useFirm().data?.timeZone;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  // On paper, nothing opens.
  const isPaper = useSyncExternalStore(subscribeToPaper, () => paper.matches);
  const rows = useMemo(() => rowsOf(items, isPaper ? 'all' : opened), [items, opened, isPaper]);
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const me = useAppSelector(({ user }) => user.current);
  const onReach = useCallback(
    (index: number) => {
      if (hasMore && index >= ids.length - AHEAD) onEnd();
    },
    [hasMore, ids.length, onEnd],
  );
  const windowed = useRows<HTMLOListElement>({
    list,
    ids,
    rowHeight: ROW_HEIGHT,
    isPageWide: true,
    onReach,
  });
  return (
    <>
      <ol {...windowed.rowsProps} className="relative">
        {windowed.items.map(({ id, index, offset }) => {
          const row = rows[index];
          const [item] = row?.items ?? [];
          if (id === undefined || !row || !item || !me) return null;
          return (
            <li
              key={id}
              ref={windowed.measure}
              data-index={index}
              data-row={id}
              style={{ transform: `translateY(${offset}px)` }}
              className="absolute inset-x-0 top-0"
            >
              {row.opensDay && <DayHeading day={row.day} today={today} />}
              {row.items.length > 1 ? (
                <FoldedRow
                  items={row.items}
                  onOpen={() => setOpened(new Set([...opened, row.id]))}
                />
              ) : (
                <StreamRow item={item} {...actsOn(item, me)} timeZone={timeZone} onAct={onAct} />
              )}
            </li>
          );
        })}
      </ol>
      {hasMore && <SkeletonRows count={2} className="h-14" />}
    </>
  );
}

function DayHeading({ day, today }: { day: string; today: string }) {
  const { name, date } = headingOf(day, today);
  return (
    <h3 className="stream-heading">
      {name !== '' && <strong>{name}</strong>}
      <span className={name === '' ? 'font-semibold' : 'text-ink-2'}>{date}</span>
    </h3>
  );
}

/** Pixels within which a page is scrolled to its top. */
const AT_TOP = 80;

/**
 * Items that arrive while the list is scrolled down wait, so that nothing moves under the reader.
 * @param list shows all of another list at once
 */
function useArrivals(
  items: readonly StreamItem[] | undefined,
  top: RefObject<HTMLElement | null>,
  list: string,
) {
  const [held, setHeld] = useState<{ list: string; first: string } | null>(null);
  const newest = items?.[0]?.id;
  const at = held?.list === list ? (items?.findIndex(({ id }) => id === held.first) ?? -1) : -1;
  const waiting = Math.max(at, 0);
  useEffect(() => {
    const scroller = top.current?.closest('main');
    if (!scroller || newest === undefined) return undefined;
    const follow = () => {
      const isAtTop = scroller.scrollTop < AT_TOP;
      setHeld((before) => {
        if (isAtTop) return null;
        return before?.list === list ? before : { list, first: newest };
      });
    };
    scroller.addEventListener('scroll', follow, { passive: true });
    return () => scroller.removeEventListener('scroll', follow);
  }, [top, newest, list]);
  const show = useCallback(() => {
    setHeld(null);
    top.current?.closest('main')?.scrollTo({ top: 0 });
  }, [top]);
  const shown = useMemo(() => items?.slice(waiting) ?? [], [items, waiting]);
  return { shown, waiting, show };
}
