import { createSelector, current, type PayloadAction } from '@reduxjs/toolkit';
import { columnIds, type ColumnId } from '@matterdesk/contract/columns.ts';
import type { EventOrigin } from '@matterdesk/contract/events.ts';
import type { Due, ListedTask } from '@matterdesk/contract/task-lists.ts';
import type { Board, Task } from '@matterdesk/contract/tasks.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { fullName } from '../../core/full-name.ts';
import { matterLost } from '../../core/matter-lost.ts';
import {
  type AnswerContext,
  type Entries,
  keptEntry,
  keyOf,
  resource,
} from '../../core/resource.ts';
import { arrange, minimalOrder, placeBefore, type Columns, type OwnOrder } from './rules.ts';

/** The cards of a board by their ids. */
export type Cards = Record<string, Task>;

/** A task's state since `at`; null once it is deleted or belongs to another case. */
type Change = { id: string; at: string; task: Task | null };

/** A card that another user has moved: until when it says so (ms), and the user's name if there is one. */
export type Tag = { until: number; mover: string | null };

/** The `tasks` store: boards by case, and how this user has arranged them. */
export type TasksState = {
  boards: Entries<Cards, Change>;
  /** The case whose board is shown. */
  caseId: string | null;
  /** When tasks left a board: older events about them are ignored, in any order of arrival. */
  removed: Record<string, string>;
  /** Keyed by case, the most recently arranged at the end. */
  orders: Record<string, OwnOrder>;
  /** Cards on their way to another column. */
  moving: Record<string, ColumnId>;
  tags: Record<string, Tag>;
  /** Tasks across matters, by when they are due. */
  lists: Entries<TaskPage>;
};

/** Query for a list: a user's tasks of one due time; without both, everyone's open tasks. */
export type TaskQuery = {
  assignedTo?: string;
  due?: Due;
  search: string;
  timeZone?: string;
  limit: number;
};
export type TaskPage = {
  tasks: ListedTask[];
  counts: Record<Exclude<Due, 'done'>, number>;
  total: number;
  nextCursor: string | null;
};

declare module '../../core/store.ts' {
  interface RootState {
    tasks: TasksState;
  }
}

const ORDERS_KEPT = 50;
/** The most that outlives the page: cards of the board, and ids of arranged cards. */
const CARDS_KEPT = 200;
const IDS_KEPT = 1500;
const TAG_MS = 3000;
/** A deleted task never comes back. */
const FOREVER = '9999';

/** The state beside the resources. */
const own: Omit<TasksState, 'boards' | 'lists'> = {
  caseId: null,
  removed: {},
  orders: {},
  moving: {},
  tags: {},
};

export const lists = resource<TaskQuery, TaskPage>({
  kept: 12,
});

export const boards = resource({
  kept: 3,
  take(state: TasksState, { answer, held }: AnswerContext<string, Board, Cards>) {
    const data: Cards = {};
    for (const task of columnIds.flatMap((column): Task[] => answer.columns[column].items)) {
      const newest = newer(state, held?.data[task.id], task);
      if (newest) data[task.id] = newest;
    }
    return { data, cursor: null };
  },
  apply(state: TasksState, { query: caseId, data: cards }, { id, at, task }: Change) {
    const held = cards[id];
    if (held && held.updatedAt >= at) return cards;
    const newest = task?.case === caseId ? newer(state, held, task) : undefined;
    if (newest) cards[id] = newest;
    else if (held) remove(state, cards, { held, at });
    return cards;
  },
});

const slice = featureSlice(
  'tasks',
  { boards, lists },
  {
    state: own,
    on: {
      boardChosen(state, { payload: caseId }: PayloadAction<string | null>) {
        if (state.caseId === caseId) return;
        state.caseId = caseId;
        state.tags = {};
      },
      /** Another user's task is new or has changed. */
      taskChanged: {
        prepare: (payload: Task, { actor }: EventOrigin) => ({
          payload,
          meta: {
            until: Date.now() + TAG_MS,
            mover: actor && fullName(actor),
          },
        }),
        reducer(state, { payload, meta }: PayloadAction<Task, string, Tag>) {
          const before = selectCards(state)[payload.id]?.type;
          put(state, payload);
          const after = selectCards(state)[payload.id]?.type;
          if (before && after && before !== after) state.tags[payload.id] = meta;
        },
      },
      /** Another user has deleted a task, or has taken it to another case. */
      taskDeleted: {
        prepare: (payload: { id: string; case: string }, { at }: EventOrigin) => ({
          payload: { ...payload, at },
        }),
        reducer(
          state,
          { payload: { id, at } }: PayloadAction<{ id: string; case: string; at: string }>,
        ) {
          leave(state, id, at);
        },
      },
      /** The server has answered a change of our own. */
      taskSaved(state, { payload }: PayloadAction<Task>) {
        put(state, payload);
      },
      /** We have deleted a task. */
      taskRemoved(state, { payload: id }: PayloadAction<string>) {
        leave(state, id, FOREVER);
      },
      moveStarted(state, { payload }: PayloadAction<{ id: string; to: ColumnId }>) {
        state.moving[payload.id] = payload.to;
      },
      moveFailed(state, { payload: id }: PayloadAction<string>) {
        delete state.moving[id];
      },
      /** A move is done: the card is where it was dropped, unless someone has moved it on meanwhile. */
      moveDone(state, { payload }: PayloadAction<{ task: Task; before: string | null }>) {
        const { task, before } = payload;
        delete state.moving[task.id];
        delete state.tags[task.id];
        put(state, task);
        const isThere = selectCards(state)[task.id]?.updatedAt === task.updatedAt;
        if (isThere && before !== null) putInOrder(state, { id: task.id, before });
      },
      /** The user has put a card somewhere else in its column. */
      cardPlaced(state, { payload }: PayloadAction<{ id: string; before: string | null }>) {
        putInOrder(state, payload);
      },
    },
    others(builder) {
      builder.addCase(matterLost, (state, { payload: id }) => {
        lists.invalidate(state);
        delete state.boards[keyOf(id)];
        delete state.orders[id];
      });
    },
  },
);

function put(state: TasksState, task: Task) {
  lists.invalidate(state);
  boards.apply(state, { id: task.id, at: task.updatedAt, task });
}

function leave(state: TasksState, id: string, at: string) {
  lists.invalidate(state);
  markRemoved(state, id, at);
  boards.apply(state, { id, at, task: null });
}

function markRemoved(state: TasksState, id: string, at: string) {
  if (at > (state.removed[id] ?? '')) state.removed[id] = at;
}

function remove(state: TasksState, cards: Cards, { held, at }: { held: Task; at: string }) {
  dropFromOrder(state, held);
  markRemoved(state, held.id, at);
  delete cards[held.id];
  delete state.tags[held.id];
}

/** The newer of two states of a card; undefined when it has left the board since. */
function newer(state: TasksState, held: Task | undefined, task: Task): Task | undefined {
  if (held && held.updatedAt >= task.updatedAt) return held;
  if (task.updatedAt < (state.removed[task.id] ?? '')) return undefined;
  if (held && held.columnSince !== task.columnSince) dropFromOrder(state, held);
  return task;
}

function dropFromOrder(state: TasksState, { id, type, case: caseId }: Task) {
  const order = state.orders[caseId];
  if (order?.[type]) order[type] = order[type].filter((other) => other !== id);
}

function putInOrder(state: TasksState, { id, before }: { id: string; before: string | null }) {
  const type = selectCards(state)[id]?.type;
  if (state.caseId === null || !type) return;
  // Drafts are slow to walk.
  const plain = current(state);
  const cards = Object.values(selectCards(plain));
  const { [state.caseId]: order = {}, ...others } = plain.orders;
  const own = placeBefore(arrange(cards, order)[type], id, before);
  const kept = Object.entries(others).slice(1 - ORDERS_KEPT);
  const least = minimalOrder(own, arrange(cards)[type]);
  state.orders = { ...Object.fromEntries(kept), [state.caseId]: { ...order, [type]: least } };
}

export const {
  boardChosen,
  taskChanged,
  taskDeleted,
  taskSaved,
  taskRemoved,
  moveStarted,
  moveFailed,
  moveDone,
  cardPlaced,
} = slice.actions;
export const tasksReducer = slice.reducer;

const none: Cards = {};

/** The cards of the board that is shown. */
export function selectCards({ boards, caseId }: TasksState): Cards {
  return (caseId === null ? null : boards[keyOf(caseId)]?.data) ?? none;
}

/** State that outlives the page: the arrangements, and the board when it is small. */
export function keptTasks(state: TasksState): Partial<TasksState> {
  let left = IDS_KEPT;
  const orders = Object.entries(state.orders)
    .toReversed()
    .filter(([, order]) => {
      left -= Object.values(order).reduce((sum, { length }) => sum + length, 0);
      return left >= 0;
    })
    .toReversed();
  const kept = { orders: Object.fromEntries(orders) };
  const { caseId } = state;
  const cards = selectCards(state);
  if (caseId === null || cards === none || Object.keys(cards).length > CARDS_KEPT) return kept;
  return { ...kept, caseId, boards: { [keyOf(caseId)]: keptEntry(cards) } };
}

let lastColumns: Columns | undefined;

/** The ids of what is to do in each column, in the order in which they are shown; an unchanged column stays the same array. */
export const selectColumns = createSelector(
  [
    selectCards,
    (state: TasksState) => (state.caseId === null ? undefined : state.orders[state.caseId]),
  ],
  (cards, own): Columns => {
    const open = Object.values(cards).filter(({ doneAt }) => !doneAt);
    const columns = arrange(open, own);
    for (const id of columnIds) {
      const last = lastColumns?.[id];
      const isSame =
        last?.length === columns[id].length && last.every((other, at) => other === columns[id][at]);
      if (isSame) columns[id] = last;
    }
    lastColumns = columns;
    return columns;
  },
);

/** The ids of what is done in each column, the latest first. */
export const selectDone = createSelector([selectCards], (cards): Columns => {
  const done = Object.values(cards).filter(({ doneAt }) => doneAt);
  const columns = arrange([]);
  for (const { id, type } of done.toSorted(byDoneAt)) columns[type].push(id);
  return columns;
});

function byDoneAt(a: Task, b: Task) {
  return (a.doneAt ?? '') < (b.doneAt ?? '') ? 1 : -1;
}
