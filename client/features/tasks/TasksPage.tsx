// The board of tasks.

import Plus from 'lucide-react/icons/plus';
import {
  useCallback,
  useEffect,
  useState,
  type ReactNode,
  useRef,
  type KeyboardEvent,
} from 'react';
import { useSearchParams } from 'react-router';
import { type ColumnId, columnIds } from '@matterdesk/contract/columns.ts';
import { errorCodes } from '@matterdesk/contract/errors.ts';
import type { Task } from '@matterdesk/contract/tasks.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { store, useAppSelector, useMay } from '../../core/store.ts';
import { useNewInAddress } from '../../core/use-new-in-address.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StaleNotice } from '../../ui/StaleNotice.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useMatter } from '../cases/hooks/use-case-options.ts';
import { overviewOf } from '../dashboard/slice.ts';
import { BoardColumn } from './components/BoardColumn.tsx';
import { ViewSwitch } from './components/ViewSwitch.tsx';
import { focusCard, setActiveCard } from './hooks/use-active-card.ts';
import { useBoardDrag } from './hooks/use-board-drag.ts';
import { useBoard } from './hooks/use-board.ts';
import { besideInColumn, putCard } from './hooks/use-moves.ts';
import { columnBeside } from './rules.ts';
import { selectCards, selectColumns } from './slice.ts';

const CaseDropdown = lazyNamed(
  () => import('../cases/components/CaseDropdown.tsx'),
  'CaseDropdown',
);
const loadDialog = () => import('./components/TaskDialog.tsx');
const TaskDialog = lazyNamed(loadDialog, 'TaskDialog');

const NoBoard = lazyNamed(() => import('./components/NoBoard.tsx'), 'NoBoard');

type OpenTask = { task: Task | null; column: ColumnId };

const TaskListPage = lazyNamed(() => import('./TaskListPage.tsx'), 'TaskListPage');

/** Tasks: the list of what someone has to do, or the board of a case. */
export function TasksPage() {
  const [params] = useSearchParams();
  if (params.get('view') !== 'mine') return <BoardPage />;
  return <TaskListPage />;
}

/** The tasks board of the case that the address names. */
function BoardPage() {
  const [params, setParams] = useSearchParams();
  const caseId = params.get('case') || null;
  const { matter, setPicked } = useMatter(caseId);
  const { failure, isLoading, isStale, refresh } = useBoard(caseId);
  useCardOfAddress(isLoading);
  const canEdit = useMay('editTasks');
  const counts = useAppSelector((state) => overviewOf(state.overview)?.counts);
  const hasNoMatters = counts?.activeCases === 0 && counts.archivedCases === 0;
  const [opened, setOpened] = useState<OpenTask | null>(null);
  const close = useCallback(() => setOpened(null), []);
  // The reader no longer sees the matter of the task.
  if (failure === 'unknown' && opened?.task) setOpened(null);
  useEffect(() => {
    // Preloaded, so that it opens at once; users without the permission never open it.
    if (canEdit) void loadDialog().catch(() => undefined);
  }, [canEdit]);

  const open = useCallback(
    (subject: OpenTask) => {
      if (canEdit) setOpened(subject);
      else toast.error(errorCodes.notPermitted.message);
    },
    [canEdit],
  );
  const handleNew = useCallback((column: ColumnId) => open({ task: null, column }), [open]);
  useNewInAddress(() => handleNew('intake'), canEdit);
  const handleEdit = useCallback(
    (id: string) => {
      const task = selectCards(store.getState().tasks)[id];
      if (task) open({ task, column: task.type });
    },
    [open],
  );

  const width = cx(
    'w-80',
    canEdit ? 'max-sm:w-[calc(100vw-10rem)]' : 'max-sm:w-[calc(100vw-2rem)]',
  );
  return (
    <div className="flex h-full flex-col">
      <PageHeader
        title="Tasks"
        actions={
          <>
            <ViewSwitch isList={false} />
            <CaseDropdown
              aria-label="Case"
              withIcon
              className={width}
              value={matter}
              onChange={(option) => {
                setPicked(option);
                setParams(option ? { case: option.id } : {});
              }}
              fallback={<span className={cx('h-[34px] pointer-coarse:h-11', width)} />}
            />
            {canEdit && (
              <Button
                variant={hasNoMatters ? 'default' : 'primary'}
                icon={Plus}
                onClick={() => handleNew('intake')}
              >
                New Task
              </Button>
            )}
          </>
        }
      />
      {isStale && (
        <div className="mt-3 px-4 sm:px-9">
          <StaleNotice onRetry={refresh}>
            This board may be out of date: the server isn’t responding.
          </StaleNotice>
        </div>
      )}
      {failure ? (
        <NoBoard why={failure} hasNoMatters={hasNoMatters} onRetry={refresh} />
      ) : (
        <Board
          isChosen={caseId !== null}
          isLoading={isLoading}
          canEdit={canEdit}
          onNew={handleNew}
          onEdit={handleEdit}
        >
          <NoBoard why="unchosen" hasNoMatters={hasNoMatters} onRetry={refresh} />
        </Board>
      )}
      {opened && (
        <TaskDialog {...opened} matter={matter} caseField={CaseDropdown} onClose={close} />
      )}
    </div>
  );
}

/** Focuses the card that the address names, once its board is loaded; then the address names the board alone. */
function useCardOfAddress(isLoading: boolean): void {
  const [params, setParams] = useSearchParams();
  const id = params.get('task');
  useEffect(() => {
    if (id === null || isLoading) return;
    const card = selectCards(store.getState().tasks)[id];
    if (card && !card.doneAt) focusCard(id);
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete('task');
        return after;
      },
      { replace: true },
    );
  }, [id, isLoading, setParams]);
}

const HINTS: Record<ColumnId, string> = {
  intake: 'Nothing here yet. New tasks start in this column.',
  demandOfInsurance: 'Nothing here yet. Drag a task here when the demand goes out.',
  finalLawsuit: 'Nothing here yet. Drag a task here when the suit is filed.',
  discovery: 'Nothing here yet. Drag a task here when discovery opens.',
  adr: 'Nothing here yet. Drag a task here when mediation starts.',
};

interface BoardProps {
  /** Without a case there are the placeholder cards alone. */
  isChosen: boolean;
  isLoading: boolean;
  canEdit: boolean;
  onNew: (column: ColumnId) => void;
  onEdit: (id: string) => void;
  /** Shown over the columns while no case is chosen. */
  children?: ReactNode;
}

/** The five columns: side by side where there is room, else they scroll and snap. */
function Board({ isChosen, isLoading, canEdit, onNew, onEdit, children }: BoardProps) {
  const board = useRef<HTMLDivElement>(null);
  useBoardDrag(board);
  return (
    <div className="relative min-h-[26rem] grow">
      <p id="board-keys" hidden>
        {KEYS_IN_WORDS}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it handles the keys of its cards */}
      <div
        ref={board}
        aria-busy={isLoading || undefined}
        onKeyDown={(event) => handleBoardKey(event, onEdit)}
        onFocus={(event) => {
          const id = event.target.closest('[data-card]')?.getAttribute('data-card');
          if (id) setActiveCard(id);
        }}
        className={cx(
          'absolute inset-0 grid auto-cols-[minmax(216px,1fr)] grid-flow-col gap-4 overflow-x-auto px-4 pt-5 pb-4 sm:px-9 sm:pb-9',
          // Snapping would undo the scrolling that a drag near the edge asks for.
          'snap-x scroll-px-4 has-data-dragging:snap-none max-sm:snap-mandatory max-sm:auto-cols-[84%] sm:scroll-px-9',
          '[scrollbar-color:var(--color-line-strong)_transparent] [scrollbar-width:thin]',
        )}
      >
        {columnIds.map((id) => (
          <BoardColumn
            key={id}
            id={id}
            isLoading={isLoading}
            hint={isChosen ? HINTS[id] : undefined}
            onNew={onNew}
            onEdit={canEdit ? onEdit : undefined}
          />
        ))}
      </div>
      {!isChosen && (
        <div className="pointer-events-none absolute inset-0 grid place-items-center p-4">
          <div className="rounded-pop border border-line bg-surface shadow-float *:py-8">
            {children}
          </div>
        </div>
      )}
    </div>
  );
}

/** The keys in words, for screen readers: every card refers to it. */
const KEYS_IN_WORDS =
  'Arrow keys go from card to card, Home and End to the first and the last of a column. With Control the arrow keys move the card: up and down in its column, left and right to another one. Enter edits.';

/** Infinity is the end of the column. */
type Step = { across: -1 | 0 | 1; along: number };

const STEPS: Record<string, Step> = {
  ArrowUp: { across: 0, along: -1 },
  ArrowDown: { across: 0, along: 1 },
  ArrowLeft: { across: -1, along: 0 },
  ArrowRight: { across: 1, along: 0 },
  Home: { across: 0, along: -Infinity },
  End: { across: 0, along: Infinity },
  k: { across: 0, along: -1 },
  j: { across: 0, along: 1 },
};

/** The keys of the board, active while a card itself has the focus and not something in it. */
function handleBoardKey(event: KeyboardEvent, onEdit: (id: string) => void): void {
  const id = event.target instanceof HTMLElement ? event.target.dataset['card'] : undefined;
  if (id === undefined || event.altKey || event.shiftKey) return;
  const isMoving = event.ctrlKey || event.metaKey;
  const step = STEPS[event.key];
  if (event.key === 'Enter' && !isMoving) onEdit(id);
  else if (!step || (isMoving && !event.key.startsWith('Arrow'))) return;
  else if (isMoving) moveCard(id, step);
  else goToCard(id, step);
  event.preventDefault();
}

function moveCard(id: string, { across, along }: Step) {
  const type = selectCards(store.getState().tasks)[id]?.type;
  if (!type) return;
  if (along !== 0) {
    const spot = besideInColumn(id, along < 0 ? -1 : 1);
    if (spot) putCard(id, spot);
  } else if (across !== 0) {
    const column = columnBeside(type, across);
    if (column) putCard(id, { column, before: null });
  }
}

function goToCard(id: string, { across, along }: Step) {
  const { tasks } = store.getState();
  const columns = selectColumns(tasks);
  const type = selectCards(tasks)[id]?.type;
  if (!type) return;
  const at = columns[type].indexOf(id);
  const last = columns[type].length - 1;
  const next =
    across === 0
      ? columns[type][Math.min(Math.max(at + along, 0), last)]
      : nextAcross(columns, { type, across, at });
  if (next !== undefined) focusCard(next);
}

/** At the same height in the nearest column that has cards. */
function nextAcross(
  columns: Record<ColumnId, string[]>,
  { type, across, at }: { type: ColumnId; across: -1 | 0 | 1; at: number },
) {
  const own = columnIds.indexOf(type);
  const beside = across > 0 ? columnIds.slice(own + 1) : columnIds.slice(0, own).toReversed();
  const ids = beside.map((column) => columns[column]).find(({ length }) => length > 0);
  return ids?.[at] ?? ids?.at(-1);
}
