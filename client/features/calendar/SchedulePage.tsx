// Events, deadlines, tasks and the dates of matters, in a grid or day by day.

import CalendarDays from 'lucide-react/icons/calendar-days';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Ellipsis from 'lucide-react/icons/ellipsis';
import EyeOff from 'lucide-react/icons/eye-off';
import Flag from 'lucide-react/icons/flag';
import Rss from 'lucide-react/icons/rss';
import SearchX from 'lucide-react/icons/search-x';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useNavigate } from 'react-router';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import type { Deadline } from '@matterdesk/contract/deadlines.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { useFilterFold } from '../../core/filter-fold.tsx';
import { personOption } from '../../core/full-name.ts';
import { paths } from '../../core/paths.ts';
import { Pending } from '../../core/Pending.tsx';
import { usePeople } from '../../core/people.ts';
import type { CaseField } from '../../core/slots.ts';
import { useResource } from '../../core/use-resource.ts';
import { counted, plural } from '../../core/words.ts';
import { Button } from '../../ui/Button.tsx';
import { ClearSearch } from '../../ui/ClearSearch.tsx';
import { cx } from '../../ui/cx.ts';
import { daysBetween, useDayIn, useNow } from '../../ui/days.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { MenuButton } from '../../ui/Menu.tsx';
import { SearchInput, useSearchText } from '../../ui/SearchInput.tsx';
import { Select } from '../../ui/Select.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useDocumentKey } from '../../ui/use-document-key.ts';
import { CaseDropdown } from '../cases/components/CaseDropdown.tsx';
import { useMatter } from '../cases/hooks/use-case-options.ts';
import { Agenda } from './components/Agenda.tsx';
import { icons } from './components/KindTile.tsx';
import { ScheduleHeader } from './components/ScheduleHeader.tsx';
import { type CalendarAddress, useCalendarAddress } from './hooks/use-calendar-address.ts';
import { useMoves } from './hooks/use-moves.ts';
import { useOpenedEvent } from './hooks/use-opened-event.ts';
import { addressOf, byDay, groupNames, groupOf, groups } from './rules.ts';
import { daysOfView, type DaysView, stepOf } from './rules.views.ts';
import { calendarWindow } from './slice.ts';

const Grid = lazyNamed(() => import('./components/Grid.tsx'), 'Grid');
const EventCard = lazyNamed(() => import('./components/EventCard.tsx'), 'EventCard');
const EventDialog = lazyNamed(() => import('./components/EventDialog.tsx'), 'EventDialog');
const MoveDialogs = lazyNamed(() => import('./components/MoveDialogs.tsx'), 'MoveDialogs');

/** Milliseconds during which several changes are combined into one fetch. */
const BATCH_MS = 50;
const NOTHING: readonly CalendarItem[] = [];

interface SchedulePageProps {
  view: DaysView;
  /** The switch to the other views. */
  views: ReactNode;
  /** The longest overdue deadline, if there is one; null while it loads. */
  overdue: readonly Deadline[] | null;
  overdueCount: number;
}

/** The days that the address names, in one of the calendar's views. */
export function SchedulePage({ view, views, overdue, overdueCount }: SchedulePageProps) {
  const navigate = useNavigate();
  const address = useCalendarAddress();
  const { today, date, caseId, change } = address;
  const { matter, setPicked } = useMatter(caseId || null);
  const { opened, openCard, openForm, close } = useOpenedEvent();
  const now = useNow();
  // Paper has no hours to scroll: every view is printed as a list of its days.
  const isPrinting = useIsPrinting();
  const fold = useFilterFold(address.isNarrowed);
  const moves = useMoves();
  const days = daysOfView(view, date);
  const { data, items, failure, status, refresh } = useItems(address, days);
  const step = (by: -1 | 1) => change({ date: stepOf(view, date, by) });
  const open = (item: CalendarItem) => {
    const home = addressOf(item);
    if (home === null) openCard(item.id);
    else void navigate(home);
  };
  useCalendarKeys({
    n: () => openForm(null),
    t: () => change({ date: '' }),
    m: () => change({ view: 'month' }),
    w: () => change({ view: 'week' }),
    d: () => change({ view: 'day' }),
    a: () => change({ view: 'agenda' }),
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
  });

  return (
    <div className={view === 'agenda' ? undefined : 'flex h-full min-h-[34rem] flex-col'}>
      <ScheduleHeader
        view={view}
        views={views}
        menu={<CalendarMenu caseField={CaseDropdown} />}
        date={date}
        today={today}
        items={data ? items : null}
        overdueCount={overdueCount}
        filterButton={fold.button}
        onToday={() => change({ date: '' })}
        onStep={step}
        onAdd={() => openForm(null)}
      />
      {!fold.isHidden && (
        <CalendarFilters address={address}>
          <CaseDropdown
            aria-label="Matter"
            placeholder="All matters"
            withIcon
            className="w-40 max-sm:w-full"
            value={matter}
            onChange={(option) => {
              setPicked(option);
              change({ case: option?.id ?? '' });
            }}
          />
        </CalendarFilters>
      )}
      {data?.isCut === true && <CutNotice />}
      {data === null && failure !== null ? (
        <Pending of={{ failure, status, refresh }} what="the calendar" />
      ) : view === 'agenda' || isPrinting ? (
        <AgendaBody
          days={days}
          today={today}
          now={now}
          items={data && overdue ? items : null}
          overdue={<OverdueLine overdue={overdue ?? []} count={overdueCount} />}
          onOpen={open}
          nothing={<NothingListed address={address} />}
        />
      ) : (
        <GridBody isLoading={data === null}>
          <Grid
            view={view}
            date={date}
            now={now}
            items={items}
            onOpen={open}
            onOpenDay={(day) => change({ view: 'day', date: day })}
            onMove={(moved) => void moves.move(moved)}
            onSpan={(times) => openForm(null, times)}
            onPropose={open}
          />
        </GridBody>
      )}
      {opened?.kind === 'card' && (
        <EventCard event={opened.event} onEdit={() => openForm(opened.event)} onClose={close} />
      )}
      {opened?.kind === 'form' && (
        <EventDialog
          event={opened.event}
          times={opened.times}
          day={days.from < today && today <= days.to ? today : date}
          matter={opened.event ? null : matter}
          caseField={CaseDropdown}
          onClose={close}
        />
      )}
      {(moves.asked ?? moves.question) && <MoveDialogs moves={moves} />}
    </div>
  );
}

function CutNotice() {
  return (
    <p className="px-4 pt-3 text-sm text-amber sm:px-9">
      The first 5,000 are shown; choose a person or matter
    </p>
  );
}

/** Items on the visible days, filtered to the visible kinds. */
function useItems(
  { people, caseId, search, hidden }: ReturnType<typeof useCalendarAddress>,
  days: { from: string; to: string },
) {
  const query = {
    ...days,
    ...(people && { people }),
    ...(caseId && { case: caseId }),
    ...(search && { search }),
  };
  const found = useResource(calendarWindow, query, { batchMs: BATCH_MS });
  const all = found.data?.items ?? NOTHING;
  const items = useMemo(() => {
    const groups = hidden.split(',');
    return all.filter((item) => !groups.includes(groupOf(item)));
  }, [all, hidden]);
  return { ...found, items };
}

interface AgendaBodyProps {
  days: { from: string; to: string };
  today: string;
  now: Date;
  items: readonly CalendarItem[] | null;
  overdue: ReactNode;
  onOpen: (item: CalendarItem) => void;
  /** In place of days that have nothing. */
  nothing: ReactNode;
}

function AgendaBody(props: AgendaBodyProps) {
  const { days, today, now, items, overdue, onOpen, nothing } = props;
  const { from, to } = days;
  const listed = useMemo(() => byDay(items ?? NOTHING, { from, to }), [items, from, to]);
  if (items === null) return <AgendaSkeleton />;
  return (
    <>
      {overdue}
      {listed.length === 0 && nothing}
      <Agenda days={listed} today={today} now={now} onOpen={onOpen} />
    </>
  );
}

/** Explains days that show nothing, and what to do next. */
function NothingListed({ address }: { address: CalendarAddress }) {
  const { people, search, change, showPerson } = address;
  if (search !== '')
    return (
      <EmptyState
        icon={SearchX}
        title="No match"
        action={<ClearSearch onClear={() => change({ search: '' })} />}
      >
        <span className="wrap-anywhere">{`Nothing on these days matches “${search}”.`}</span>
      </EmptyState>
    );
  return (
    <EmptyState
      icon={CalendarDays}
      title="Nothing on these days"
      {...(people !== '' && {
        action: <Button onClick={() => showPerson('')}>Show everyone’s</Button>,
      })}
    >
      Add an event, or look at other days.
    </EmptyState>
  );
}

/** The grid takes what is left of the page's height; its empty days are its own skeleton. */
function GridBody({ isLoading, children }: { isLoading: boolean; children: ReactNode }) {
  return (
    <div
      aria-busy={isLoading}
      className="mt-3 min-h-0 grow border-t border-line sm:pl-3 print:border-0"
    >
      {isLoading && (
        <p role="status" className="sr-only">
          Loading the calendar
        </p>
      )}
      {children}
    </div>
  );
}

/** Whether the page is being printed, known before the browser lays out the paper. */
function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const begin = () => flushSync(() => setIsPrinting(true));
    const end = () => setIsPrinting(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}

/** Days in their final geometry, while they load. */
function AgendaSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading the calendar"
      className="grid max-w-4xl animate-delayed gap-6 px-4 pt-4 sm:px-9"
    >
      {[1, 2, 3].map((day) => (
        <div key={day} className="grid gap-3">
          <Skeleton className="h-5 w-32" />
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-11 w-full" />
        </div>
      ))}
    </div>
  );
}

/** Keys that act while the focus is in the page, and nothing is typed and no dialog is open. */
function useCalendarKeys(actions: Record<string, () => void>) {
  useDocumentKey((event) => {
    const { key, target, defaultPrevented } = event;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    const act = actions[key];
    if (!act || !isPlain || defaultPrevented || !isInPage(target)) return;
    event.preventDefault();
    act();
  });
}

function isInPage(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const takesKeys = 'input, select, textarea, [role=dialog], [role=menu], [role=listbox]';
  if (target.closest(takesKeys) || document.querySelector('[role=dialog]')) return false;
  return target === document.body || target.closest('main') !== null;
}

const FeedsDialog = lazyNamed(() => import('./components/FeedsDialog.tsx'), 'FeedsDialog');
const EventImport = lazyNamed(() => import('./components/EventImport.tsx'), 'EventImport');

/** Feeds and imports, for exchange with other programs. */
function CalendarMenu({ caseField }: { caseField: CaseField }) {
  const [open, setOpen] = useState<'feeds' | 'import' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <MenuButton
        label="Other calendars"
        icon={Ellipsis}
        entries={[
          { label: 'Subscribe…', icon: Rss, onSelect: () => setOpen('feeds') },
          { label: 'Import a file…', icon: CalendarPlus, onSelect: () => setOpen('import') },
        ]}
      />
      {open === 'feeds' && <FeedsDialog onClose={close} />}
      {open === 'import' && <EventImport caseField={caseField} onClose={close} />}
    </>
  );
}

interface OverdueLineProps {
  /** The longest overdue deadline first. */
  overdue: readonly Deadline[];
  count: number;
}

/** Late deadlines in one line, whatever days are shown. */
function OverdueLine({ overdue: [first], count }: OverdueLineProps) {
  const today = useDayIn(first?.timeZone);
  if (!first || count === 0) return null;
  const days = Math.max(0, daysBetween(first.effectiveDate, today));
  const since = days === 0 ? 'today' : counted(days, 'day');
  const words = [first.title, first.case?.caseName, since].filter(Boolean).join(' · ');
  return (
    <Link
      to={`${paths.calendar}?view=deadlines`}
      className="mx-4 mt-4 flex min-h-11 max-w-[51.5rem] items-center gap-4 rounded-card bg-red-soft px-4 py-2 text-red sm:mx-9"
    >
      <Flag />
      <span className="min-w-0 grow">
        <span className="block font-book">
          {`${counted(count, 'deadline')} ${plural(count, 'is', 'are')} late`}
        </span>
        <span className="block truncate text-note">{words}</span>
      </span>
      <ChevronRight />
    </Link>
  );
}

interface CalendarFiltersProps {
  address: CalendarAddress;
  children: ReactNode;
}

/** Whose time, which matter and which kinds are shown; the kinds are the legend as well. */
function CalendarFilters({ address, children }: CalendarFiltersProps) {
  const { people } = usePeople();
  const [text, setText] = useSearchText(address.search, (search) => address.change({ search }));
  const active = people.filter((person) => person.active);
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pt-4 sm:px-9 print:hidden">
      <Select
        aria-label="Person"
        placeholder="Everyone"
        className="w-36 max-sm:w-full"
        options={active.map(personOption)}
        value={address.people}
        onChange={(event) => address.showPerson(event.target.value)}
      />
      {children}
      {groupNames.map((group) => {
        const isShown = address.isShown(group);
        const Icon = isShown ? icons[group] : EyeOff;
        return (
          <button
            key={group}
            type="button"
            aria-pressed={isShown}
            onClick={() => address.toggle(group)}
            className={cx(
              'inline-flex h-7 items-center gap-1.5 rounded-small border px-2.5 text-sm pointer-coarse:min-h-11',
              isShown
                ? 'border-line bg-surface text-ink-2'
                : 'border-dashed border-line-strong text-ink-3',
            )}
          >
            <Icon className="size-3.5" />
            {groups[group].label}
          </button>
        );
      })}
      <SearchInput
        placeholder="Search"
        value={text}
        onChange={setText}
        className="w-36 max-sm:w-full sm:ml-auto"
      />
    </div>
  );
}
