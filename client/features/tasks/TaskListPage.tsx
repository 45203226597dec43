// Tasks across matters.

import ChevronRight from 'lucide-react/icons/chevron-right';
import Clock from 'lucide-react/icons/clock-alert';
import ListChecks from 'lucide-react/icons/list-checks';
import ListTodo from 'lucide-react/icons/list-todo';
import Plus from 'lucide-react/icons/plus';
import { type ComponentProps, type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { NOT_FILED } from '@matterdesk/contract/cases.ts';
import { columnTitles } from '@matterdesk/contract/columns.ts';
import type { ListedTask, Due } from '@matterdesk/contract/task-lists.ts';
import { zoneNamed } from '@matterdesk/contract/time.ts';
import { lazyComponent, lazyNamed } from '../../core/chunks.ts';
import { personOption } from '../../core/full-name.ts';
import { paths } from '../../core/paths.ts';
import { Pending } from '../../core/Pending.tsx';
import { usePeople } from '../../core/people.ts';
import { SelectableRows, SelectBox, SelectionBar, useSelection } from '../../core/selection.tsx';
import { useAppSelector } from '../../core/store.ts';
import { anyText, searchText, useAddress } from '../../core/use-address.ts';
import { useResource } from '../../core/use-resource.ts';
import {
  distanceInWords,
  exactMoment,
  formatCount,
  formatTime,
  hoursAhead,
  plural,
  weekdayOf,
} from '../../core/words.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { ClearSearch } from '../../ui/ClearSearch.tsx';
import { cx } from '../../ui/cx.ts';
import { localDay, daysBetween, formatDay, addDays, useNow } from '../../ui/days.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { indexForKey, isHandledElsewhere } from '../../ui/list-keys.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchInput, useSearchText } from '../../ui/SearchInput.tsx';
import { Select } from '../../ui/Select.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { taskList } from './api.ts';
import { DoneBox } from './components/DoneBox.tsx';
import { ViewSwitch } from './components/ViewSwitch.tsx';
import type { TaskQuery } from './slice.ts';

type Group = { due: Due; title: string; most: number };

/** The groups of a list in their order, and how many tasks each shows at first. */
const groups: readonly Group[] = [
  { due: 'late', title: 'Late', most: 20 },
  { due: 'today', title: 'Today', most: 20 },
  { due: 'week', title: 'This week', most: 20 },
  { due: 'later', title: 'Later', most: 5 },
  { due: 'done', title: 'Done', most: 5 },
];

/** Note at the right of a group: an order, a day, or nothing. */
function groupAside(due: Due, today: string): string {
  if (due === 'late') return 'oldest first';
  if (due === 'today') return formatDay(today, 'long');
  return due === 'week' ? `until ${formatDay(addDays(today, 6), 'long')}` : '';
}

type DueTime = { words: string; distance: string; tone: 'late' | 'soon' | 'later' };

const HOUR = 3_600_000;

/** 'Mon, Nov 16' and '4 days late', '1:00 PM' and 'in 2 hours', 'Fri, Dec 4'. */
function endingInWords(endTime: string, now: Date): DueTime {
  const end = new Date(endTime);
  const today = localDay(now);
  const day = localDay(end);
  const left = daysBetween(today, day);
  const words = weekdayOf(day, today);
  if (left < 0) return { words, distance: distanceInWords(left), tone: 'late' };
  if (left > 0) return { words, distance: '', tone: 'later' };
  const hours = Math.floor((end.getTime() - now.getTime()) / HOUR);
  if (hours < 0) return { words: formatTime(end), distance: 'late', tone: 'late' };
  return { words: formatTime(end), distance: hoursAhead(hours), tone: 'soon' };
}

/** '2 are due this week'. What is late was due earlier, and is counted beside it. */
function needsInWords(counts: Record<Exclude<Due, 'done'>, number>): string {
  const needed = counts.today + counts.week;
  if (needed === 0) return 'Nothing is due this week';
  return `${formatCount(needed)} ${plural(needed, 'is', 'are')} due this week`;
}

const SavedViews = lazyNamed(() => import('../views/components/SavedViews.tsx'), 'SavedViews');
const BulkTasks = lazyNamed(() => import('./components/BulkTasks.tsx'), 'BulkTasks');
const TaskDialog = lazyComponent(async () => {
  const [{ TaskDialog: Dialog }, { CaseDropdown }] = await Promise.all([
    import('./components/TaskDialog.tsx'),
    import('../cases/components/CaseDropdown.tsx'),
  ]);
  return (props: Omit<ComponentProps<typeof Dialog>, 'caseField'>) => (
    <Dialog {...props} caseField={CaseDropdown} />
  );
});

/** The reader's; else the firm's counts. */
const timeZone = zoneNamed(Intl.DateTimeFormat().resolvedOptions().timeZone);
const FIRST = groups[0]?.most ?? 1;

const schema = { person: anyText, search: searchText };
const VIEW_MEMBERS = Object.keys(schema);

/** The view `?view=mine` of tasks: of the reader, or of another person. */
export function TaskListPage() {
  const { address, change } = useAddress(schema);
  const me = useAppSelector(({ user }) => user.current);
  const { people } = usePeople();
  const { search } = address;
  const assignedTo = address.person || (me?.id ?? '');
  const [text, setText] = useSearchText(search, (wanted) => change({ search: wanted }));
  const now = useNow();
  const filter = { assignedTo, search, ...(timeZone !== undefined && { timeZone }) };
  const { data } = useResource(taskList, { ...filter, due: 'late', limit: FIRST });
  const counts = data?.counts;
  const isNone = counts && Object.values(counts).every((count) => count === 0);
  const select = useSelection();
  const [isAdding, setIsAdding] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const canEdit = me?.permissions.editTasks === true;
  const person = people.find(({ id }) => id === assignedTo);
  const isOwn = assignedTo === me?.id;
  return (
    <div className="h-full overflow-y-auto pb-9">
      <PageHeader
        title={isOwn ? 'My tasks' : `Tasks of ${person?.firstName ?? 'a user'}`}
        actions={
          <>
            <SavedViews
              page="tasks"
              members={VIEW_MEMBERS}
              fallback={<span className="size-[34px] pointer-coarse:size-11" />}
            />
            {canEdit && (
              <Button variant="primary" icon={Plus} onClick={() => setIsAdding(true)}>
                New Task
              </Button>
            )}
          </>
        }
      >
        {counts ? needsInWords(counts) : '\u00A0'}
        {counts && counts.late > 0 && (
          <span className="text-red">{` · ${formatCount(counts.late)} late`}</span>
        )}
      </PageHeader>
      <div className="flex flex-wrap items-center gap-2 px-4 pt-4 max-sm:pt-2 sm:px-9">
        <ViewSwitch isList />
        <PersonFilter
          value={assignedTo}
          onChange={(id) => change({ person: id === me?.id ? '' : id })}
        />
        <SearchInput
          value={text}
          onChange={setText}
          placeholder="Search tasks and matters"
          className="ml-auto w-72 max-sm:w-[calc(100%-3.25rem)]"
        />
        <Tooltip text="Select several" side="bottom">
          <IconButton label="Select several" icon={ListTodo} onClick={select.start} />
        </Tooltip>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it handles the keys of its rows */}
      <div
        ref={list}
        className="px-4 sm:px-9"
        onKeyDown={(event) => moveAmongRows(event, list.current)}
      >
        <SelectableRows selection={select.selection}>
          {groups.map((group) => (
            <TaskGroup
              key={`${group.due} ${assignedTo} ${search}`}
              {...group}
              filter={filter}
              now={now}
            />
          ))}
        </SelectableRows>
      </div>
      <SelectionBar selection={select.selection} onStop={select.stop}>
        {select.selection && (
          <BulkTasks ids={select.selection.ids} canEdit={canEdit} onDone={select.stop} />
        )}
      </SelectionBar>
      {isNone && (
        <EmptyState
          icon={ListChecks}
          title={search === '' ? 'Nothing to do' : `No tasks match “${search}”.`}
          {...(search !== '' && {
            action: <ClearSearch onClear={() => setText('')} />,
          })}
        >
          {search === ''
            ? 'Tasks that are assigned appear here, whichever matter they are in.'
            : undefined}
        </EmptyState>
      )}
      {isAdding && (
        <TaskDialog task={null} column="intake" matter={null} onClose={() => setIsAdding(false)} />
      )}
    </div>
  );
}

function moveAmongRows(event: KeyboardEvent, list: HTMLElement | null) {
  if (!list || isHandledElsewhere(event.nativeEvent, list)) return;
  const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row === document.activeElement);
  const next = indexForKey(event.key, at, rows.length);
  if (next === undefined) return;
  event.preventDefault();
  rows[next]?.focus();
}

/** Whose tasks are shown. */
function PersonFilter(props: { value: string; onChange: (id: string) => void }) {
  const { people } = usePeople();
  return (
    <Select
      aria-label="Person"
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
      className="w-52"
      placeholder="My tasks"
      options={people.filter(({ active, id }) => active || id === props.value).map(personOption)}
    />
  );
}

/** Milliseconds during which changes are combined into one fetch. */
const BATCH_MS = 300;
const PAGE_SIZE = 50;
const MAX_SHOWN = 200;

interface TaskGroupProps extends Group {
  filter: Omit<TaskQuery, 'due' | 'limit'>;
  now: Date;
}

/** The tasks of one due time. Empty groups are hidden, except for today's. */
function TaskGroup({ due, title, most, filter, now }: TaskGroupProps) {
  const [limit, setLimit] = useState(most);
  const query = { ...filter, due, limit };
  const { data, failure, status, refresh } = useResource(taskList, query, { batchMs: BATCH_MS });
  const isEmpty = data?.tasks.length === 0;
  if (isEmpty && (due !== 'today' || filter.search !== '')) return null;
  const id = `tasks-${due}`;
  const left = (data?.total ?? 0) - (data?.tasks.length ?? 0);
  const isWaiting = !data && !failure;
  return (
    <section
      aria-labelledby={id}
      aria-busy={status === 'loading'}
      data-waiting={isWaiting || undefined}
      // Hidden until the groups above it have loaded, so that nothing shifts.
      className="peer mt-5 peer-data-waiting:hidden"
    >
      <div className="flex items-baseline justify-between gap-4 border-b border-line pb-2">
        <h2 id={id} className={cx('text-heading font-semibold', due === 'late' && 'text-red')}>
          {due === 'late' && <Clock className="mr-2 inline-block align-[-3px]" />}
          {title}{' '}
          <span className="ml-1 text-base font-normal text-ink-3 tabular-nums">{data?.total}</span>
        </h2>
        <p className="text-sm text-ink-3">{groupAside(due, localDay(now))}</p>
      </div>
      {data ? (
        <ul>
          {data.tasks.map((task) => (
            <TaskRow key={task.id} task={task} now={now} />
          ))}
        </ul>
      ) : (
        <Pending of={{ failure, status, refresh }} what="these tasks" isPart>
          <div className="flex h-[46px] animate-delayed items-center border-b border-line">
            <Skeleton className="h-3.5 w-1/2" />
          </div>
        </Pending>
      )}
      {isEmpty && <p className="py-3 text-ink-2">Nothing due today</p>}
      {left > 0 && limit < MAX_SHOWN && (
        <Button
          variant="quiet"
          size="small"
          className="mt-2 -ml-2"
          onClick={() => setLimit(Math.min(limit + PAGE_SIZE, MAX_SHOWN))}
        >
          {`Show ${Math.min(left, PAGE_SIZE)} more`}
        </Button>
      )}
      {left > 0 && limit >= MAX_SHOWN && (
        <p className="mt-2 text-sm text-ink-3">{`The first ${MAX_SHOWN} are shown; search for others.`}</p>
      )}
    </section>
  );
}

const TONES = { late: 'text-red', soon: 'text-amber', later: '' } as const;

/** A task in the list: its box, and a link to its card on the board. */
function TaskRow({ task, now }: { task: ListedTask; now: Date }) {
  const { words, distance, tone } = endingInWords(task.endTime, now);
  return (
    <li className="flex min-h-[46px] items-center gap-2 border-b border-line hover:bg-hover">
      <SelectBox id={task.id} name={task.name} />
      <DoneBox task={task} />
      <Link
        to={paths.cardOf(task.case, task.id)}
        data-row={task.id}
        className="grid min-h-11 min-w-0 grow grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 py-1 lg:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_9.5rem_7.5rem]"
      >
        <span dir="auto" className={cx('truncate font-medium', task.doneAt && 'line-through')}>
          {task.name}
          <span className="ml-1.5 text-note font-normal text-ink-3">{task.description}</span>
        </span>
        <span
          dir="auto"
          className="truncate text-ink-2 max-lg:order-last max-lg:col-span-2 max-lg:text-note"
        >
          {task.caseName}{' '}
          <span className="text-note text-ink-3 tabular-nums">{task.caseNo ?? NOT_FILED}</span>
        </span>
        <span className="max-lg:hidden">
          <Chip>{columnTitles[task.type]}</Chip>
        </span>
        <span className="text-right whitespace-nowrap">
          <time dateTime={task.endTime} title={exactMoment(task.endTime)} className="block">
            {words}
          </time>
          {!task.doneAt && distance !== '' && (
            <span className={cx('block text-note font-medium', TONES[tone])}>{distance}</span>
          )}
        </span>
      </Link>
      <ChevronRight className="flex-none text-ink-3 max-sm:hidden" />
    </li>
  );
}
