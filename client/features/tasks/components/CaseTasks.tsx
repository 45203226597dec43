import Plus from 'lucide-react/icons/plus';
import SquareKanban from 'lucide-react/icons/square-kanban';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { type ColumnId, columnIds, columnTitles } from '@matterdesk/contract/columns.ts';
import type { Task } from '@matterdesk/contract/tasks.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { fullName } from '../../../core/full-name.ts';
import { paths } from '../../../core/paths.ts';
import type { CaseField } from '../../../core/slots.ts';
import { useAppSelector, useMay } from '../../../core/store.ts';
import { distanceInWords, exactMoment, formatCount, weekdayOf } from '../../../core/words.ts';
import { buttonClass, Button } from '../../../ui/Button.tsx';
import { daysBetween, localDay, useToday } from '../../../ui/days.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { isFocusLost } from '../../../ui/focus.ts';
import type { Option } from '../../../ui/option.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { StaleNotice } from '../../../ui/StaleNotice.tsx';
import { useBoard } from '../hooks/use-board.ts';
import { selectCards, selectColumns, selectDone } from '../slice.ts';
import { DoneBox } from './DoneBox.tsx';

const loadDialog = () => import('./TaskDialog.tsx');
const TaskDialog = lazyNamed(loadDialog, 'TaskDialog');

interface CaseTasksProps {
  matter: Option;
  caseField: CaseField;
}

/** The tasks of a matter as a list, column by column, on the matter's own page. */
export function CaseTasks({ matter, caseField }: CaseTasksProps) {
  const { failure, isLoading, isStale, refresh } = useBoard(matter.id);
  const isChosen = useAppSelector(({ tasks }) => tasks.caseId === matter.id);
  const canEdit = useMay('editTasks');
  const [opened, setOpened] = useState<Task | 'new' | null>(null);
  useEffect(() => {
    // Preloaded, so that it opens at once.
    if (canEdit) void loadDialog().catch(() => undefined);
  }, [canEdit]);
  const isWaiting = isLoading || !isChosen;
  const add = canEdit && (
    <Button icon={Plus} onClick={() => setOpened('new')}>
      New Task
    </Button>
  );
  return (
    <section aria-labelledby="tasks-title" aria-busy={(isWaiting && !failure) || undefined}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="tasks-title" tabIndex={-1} className="outline-none text-heading font-semibold">
          Tasks
        </h2>
        <span className="flex gap-2 print:hidden">
          <Link to={paths.tasksOf(matter.id)} className={buttonClass()}>
            <SquareKanban />
            Board
          </Link>
          {add}
        </span>
      </div>
      {isStale && (
        <StaleNotice onRetry={refresh}>
          These tasks may be out of date: the server isn’t responding.
        </StaleNotice>
      )}
      {failure ? (
        <ErrorState title="Couldn’t load the tasks" onRetry={refresh} />
      ) : isWaiting ? (
        <Loading />
      ) : (
        <Columns caseId={matter.id} add={add} onEdit={canEdit ? setOpened : undefined} />
      )}
      {opened && (
        <TaskDialog
          task={opened === 'new' ? null : opened}
          column="intake"
          matter={matter}
          caseField={caseField}
          onClose={() => setOpened(null)}
        />
      )}
    </section>
  );
}

interface ColumnsProps {
  caseId: string;
  /** The button that adds a task, for those who may. */
  add: ReactNode;
  onEdit: ((task: Task) => void) | undefined;
}

/** Tasks to do in each column that has something, then what is done. */
function Columns({ caseId, add, onEdit }: ColumnsProps) {
  const columns = useAppSelector(({ tasks }) => selectColumns(tasks));
  const done = useAppSelector(({ tasks }) => selectDone(tasks));
  const list = useRowFocus();
  const filled = columnIds.filter((id) => columns[id].length > 0);
  const doneIds = columnIds.flatMap((id) => done[id]);
  return (
    <div ref={list}>
      {filled.length === 0 && (
        <EmptyState
          icon={SquareKanban}
          title={doneIds.length === 0 ? 'No tasks yet' : 'Nothing to do'}
          action={add || undefined}
        >
          {doneIds.length === 0
            ? 'What has to be done for this matter appears here and on its board.'
            : 'All tasks of this matter are done.'}
        </EmptyState>
      )}
      {filled.map((id) => (
        <Column key={id} id={id} ids={columns[id]} caseId={caseId} onEdit={onEdit} />
      ))}
      {doneIds.length > 0 && <DoneTasks ids={doneIds} />}
    </div>
  );
}

/** Focuses the next task when the row with the focus leaves the list, as a task that is done does. */
function useRowFocus() {
  const list = useRef<HTMLDivElement>(null);
  const last = useRef<{ id: string | undefined; at: number }>(undefined);
  useEffect(() => {
    const element = list.current;
    const note = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
      last.current = row ? { id: row.dataset['row'], at: rowsIn(element).indexOf(row) } : undefined;
    };
    element?.addEventListener('focusin', note);
    return () => element?.removeEventListener('focusin', note);
  }, []);
  useEffect(() => {
    const rows = rowsIn(list.current);
    const { id, at = 0 } = last.current ?? {};
    if (id === undefined || !isFocusLost() || rows.some(({ dataset }) => dataset['row'] === id))
      return;
    last.current = undefined;
    const next = rows[Math.min(at, rows.length - 1)]?.querySelector('input');
    (next ?? document.getElementById('tasks-title'))?.focus({ preventScroll: true });
  });
  return list;
}

function rowsIn(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
}

/** Rows that a column shows at first, and more each time. */
const SHOWN = 20;

interface ColumnProps extends Omit<ColumnsProps, 'add'> {
  id: ColumnId;
  ids: readonly string[];
}

function Column({ id, ids, caseId, onEdit }: ColumnProps) {
  const cards = useAppSelector(({ tasks }) => selectCards(tasks));
  const [most, setMost] = useState(SHOWN);
  const rest = ids.length - most;
  return (
    <section aria-labelledby={`tasks-${id}`} className="mt-5">
      <h3 id={`tasks-${id}`} className="border-b border-line pb-2 text-sm font-semibold">
        {columnTitles[id]}{' '}
        <span className="ml-1 font-normal text-ink-3 tabular-nums">{formatCount(ids.length)}</span>
      </h3>
      <ul>
        {ids.slice(0, most).map((one) => {
          const task = cards[one];
          return task && <TaskRow key={one} task={task} caseId={caseId} onEdit={onEdit} />;
        })}
      </ul>
      {rest > 0 && (
        <Button variant="quiet" size="small" onClick={() => setMost(most + SHOWN)}>
          {`Show ${Math.min(rest, SHOWN)} more`}
        </Button>
      )}
    </section>
  );
}

const ROW =
  'grid min-h-11 min-w-0 grow grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 py-1 text-left';

interface TaskRowProps extends Omit<ColumnsProps, 'add'> {
  task: Task;
}

/** A task with its box; it opens in its dialog, or on the board for those who may only read. */
function TaskRow({ task, caseId, onEdit }: TaskRowProps) {
  const today = useToday();
  const { id, name, description, assignedTo, endTime } = task;
  const day = localDay(new Date(endTime));
  const left = daysBetween(today, day);
  const words = (
    <>
      <span className="min-w-0">
        <span dir="auto" className="block truncate font-medium">
          {name}
        </span>
        <span dir="auto" className="block truncate text-note text-ink-2">
          {fullName(assignedTo)}
          {description !== '' && ` · ${description}`}
        </span>
      </span>
      <span className="text-right whitespace-nowrap tabular-nums">
        <time dateTime={endTime} title={exactMoment(endTime)} className="block">
          {left === 0 ? 'Today' : weekdayOf(day, today)}
        </time>
        {left < 0 && (
          <span className="block text-note font-medium text-red">{distanceInWords(left)}</span>
        )}
      </span>
    </>
  );
  return (
    <li
      data-row={id}
      className="flex min-h-[46px] items-center gap-2 border-b border-line hover:bg-hover"
    >
      <DoneBox task={task} />
      {onEdit ? (
        <button type="button" onClick={() => onEdit(task)} className={ROW}>
          {words}
        </button>
      ) : (
        <Link to={paths.cardOf(caseId, id)} className={ROW}>
          {words}
        </Link>
      )}
    </li>
  );
}

/** Finished tasks of all columns, folded. */
function DoneTasks({ ids }: { ids: readonly string[] }) {
  const cards = useAppSelector(({ tasks }) => selectCards(tasks));
  const [isOpen, setIsOpen] = useState(false);
  const [most, setMost] = useState(SHOWN);
  return (
    <div className="mt-5">
      <Button
        variant="quiet"
        size="small"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {`${formatCount(ids.length)} done`}
      </Button>
      {isOpen && (
        <ul aria-label="Done" className="mt-1">
          {ids.slice(0, most).map((id) => {
            const task = cards[id];
            return (
              task && (
                <li key={id} className="flex items-start gap-1.5 rounded-card px-1 py-1.5">
                  <DoneBox task={task} />
                  <span className="min-w-0 grow pt-0.5 text-sm wrap-anywhere text-ink-2 line-through">
                    {task.name}
                  </span>
                </li>
              )
            );
          })}
        </ul>
      )}
      {isOpen && ids.length > most && (
        <Button variant="quiet" size="small" onClick={() => setMost(most + SHOWN)}>
          Show more
        </Button>
      )}
    </div>
  );
}

function Loading() {
  return (
    <div className="mt-5">
      <span className="sr-only">Loading the tasks</span>
      {['w-40', 'w-28', 'w-32'].map((width) => (
        <div key={width} className="flex h-10 items-center border-b border-line last:border-b-0">
          <Skeleton className={`h-4 ${width}`} />
        </div>
      ))}
    </div>
  );
}
