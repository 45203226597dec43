import {
  createEntityAdapter,
  createSelector,
  createSlice,
  current,
  type EntityState,
  type PayloadAction,
} from '@reduxjs/toolkit';
import { columnIds, type Board, type ColumnId, type Task } from '@matterdesk/contract/tasks.ts';
import {
  arrange,
  loadedVersion,
  ownPart,
  place,
  withVersion,
  type Columns,
  type OwnOrder,
  type Version,
} from './rules.ts';

export type Gone = { id: string; case: string };

/** A card that somebody else has moved: until when it says so (ms), and who it was once that is known. */
export type Tag = { until: number; mover?: string | null };

/** The `tasks` store: the cards of the chosen case, and how this person has arranged the boards. */
export type TasksState = EntityState<Task, string> & {
  caseId: string | null;
  status: 'idle' | 'loading' | 'ready' | 'failed' | 'unknown';
  /** A board that is shown could not be asked for afresh. */
  isStale: boolean;
  versions: Record<string, Version[]>;
  /** The newest moment that the board held when it came. */
  loadedUntil: string;
  /** By case, the one arranged last at the end. */
  orders: Record<string, OwnOrder>;
  /** Cards on their way to another column. */
  moving: Record<string, ColumnId>;
  tags: Record<string, Tag>;
  /** Cards that went away since the board came, with the moment of the last state that was held. */
  gone: Record<string, string>;
  /** What was heard while the board was asked for: it may be newer than the answer. */
  late: (Task | Gone)[] | null;
  /** Grows when what was heard does not tell what is true now, and the board must be asked for. */
  doubts: number;
};

const ORDERS_KEPT = 50;
/** What outlives the page is bounded: a board of so many cards, and so many ids of arranged ones. */
const CARDS_KEPT = 200;
const IDS_KEPT = 1500;
const TAG_MS = 3000;

const adapter = createEntityAdapter<Task>();

declare module '../../core/store.ts' {
  interface RootState {
    tasks: TasksState;
  }
}

const initialState: TasksState = adapter.getInitialState({
  caseId: null,
  status: 'idle' as const,
  isStale: false,
  versions: {},
  loadedUntil: '',
  orders: {},
  moving: {},
  tags: {},
  gone: {},
  late: null,
  doubts: 0,
});

const slice = createSlice({
  name: 'tasks',
  initialState,
  reducers: {
    /** A board that is shown already stays until the answer is there. */
    boardAsked(state, { payload: caseId }: PayloadAction<string>) {
      if (state.caseId !== caseId || state.status !== 'ready') {
        empty(state);
        state.caseId = caseId;
        state.status = 'loading';
      }
      state.late = [];
    },
    boardCame(state, { payload }: PayloadAction<{ caseId: string; board: Board }>) {
      if (state.caseId !== payload.caseId) return;
      const late = state.late ?? [];
      empty(state);
      state.status = 'ready';
      for (const column of columnIds) {
        const { items } = payload.board.columns[column];
        adapter.addMany(state, items);
        for (const [index, task] of items.entries()) {
          state.versions[task.id] = [loadedVersion(task, index)];
          if (task.updatedAt > state.loadedUntil) state.loadedUntil = task.updatedAt;
        }
      }
      for (const one of late)
        if ('updatedAt' in one) hear(state, one);
        else lose(state, one);
    },
    boardFailed(
      state,
      { payload }: PayloadAction<{ caseId: string; status: 'failed' | 'unknown' }>,
    ) {
      if (state.caseId !== payload.caseId) return;
      state.late = null;
      if (state.status === 'ready' && payload.status === 'failed') state.isStale = true;
      else {
        empty(state);
        state.status = payload.status;
      }
    },
    boardLeft(state) {
      empty(state);
      state.caseId = null;
      state.status = 'idle';
    },
    /** Somebody else's task is new or has changed. */
    taskHeard: {
      prepare: (payload: Task) => ({ payload, meta: { until: Date.now() + TAG_MS } }),
      reducer(state, { payload, meta }: PayloadAction<Task, string, { until: number }>) {
        state.late?.push(payload);
        const before = state.entities[payload.id]?.type;
        hear(state, payload);
        const after = state.entities[payload.id];
        if (before && after && before !== after.type)
          state.tags[payload.id] = { until: meta.until };
      },
    },
    taskGone(state, { payload }: PayloadAction<Gone>) {
      state.late?.push(payload);
      lose(state, payload);
    },
    /** The server has answered a change of our own. */
    taskSaved(state, { payload }: PayloadAction<Task>) {
      state.late?.push(payload);
      hear(state, payload);
    },
    taskRemoved(state, { payload }: PayloadAction<Gone>) {
      state.late?.push(payload);
      if (state.caseId === payload.case) remove(state, payload.id);
    },
    moveStarted(state, { payload }: PayloadAction<{ id: string; to: ColumnId }>) {
      state.moving[payload.id] = payload.to;
    },
    moveFailed(state, { payload: id }: PayloadAction<string>) {
      delete state.moving[id];
    },
    /** A move is done: the card stands where it was let go, unless somebody has moved it on meanwhile. */
    moveDone(state, { payload }: PayloadAction<{ task: Task; before: string | null }>) {
      const { task, before } = payload;
      delete state.moving[task.id];
      delete state.tags[task.id];
      state.late?.push(task);
      hear(state, task);
      const isThere = state.entities[task.id]?.updatedAt === task.updatedAt;
      if (isThere && before !== null) putInOrder(state, { id: task.id, before });
    },
    /** The person has put a card somewhere else in its column. */
    cardPlaced(state, { payload }: PayloadAction<{ id: string; before: string | null }>) {
      putInOrder(state, payload);
    },
    /** Who moved cards, or null where that cannot be found. */
    moversCame(state, { payload }: PayloadAction<Record<string, string | null>>) {
      for (const [id, mover] of Object.entries(payload))
        if (state.tags[id]) state.tags[id].mover = mover;
    },
  },
});

/** Takes the cards away; the arrangements stay. */
function empty(state: TasksState) {
  adapter.removeAll(state);
  const nothing = { versions: {}, loadedUntil: '', tags: {}, gone: {}, late: null };
  Object.assign(state, nothing, { isStale: false });
}

function hear(state: TasksState, task: Task) {
  const held = state.entities[task.id];
  if (task.case !== state.caseId) {
    if (held && held.updatedAt < task.updatedAt) remove(state, task.id);
    return;
  }
  const lastHeld = state.gone[task.id];
  if (lastHeld !== undefined) {
    // Either the card has come back from another case, or this was under way when it was deleted.
    if (lastHeld < task.updatedAt) state.doubts += 1;
    return;
  }
  state.versions[task.id] = withVersion(state.versions[task.id] ?? [], task);
  if (held && held.updatedAt >= task.updatedAt) return;
  // Two changes at once may be stored in another order than that in which they are seen.
  if (held?.type !== task.type && task.updatedAt <= state.loadedUntil) state.doubts += 1;
  if (held && held.type !== task.type) dropFromOrder(state, held);
  adapter.setOne(state, task);
}

function lose(state: TasksState, { id, case: caseId }: Gone) {
  if (state.caseId !== caseId) return;
  const held = state.entities[id];
  // The event does not say when: a card that has changed since its creation may be back already.
  if (held && held.updatedAt !== held.createdAt) state.doubts += 1;
  remove(state, id);
}

function remove(state: TasksState, id: string) {
  const held = state.entities[id];
  if (held) dropFromOrder(state, held);
  state.gone[id] = held?.updatedAt ?? '';
  adapter.removeOne(state, id);
  delete state.versions[id];
  delete state.tags[id];
}

function dropFromOrder(state: TasksState, { id, type, case: caseId }: Task) {
  const order = state.orders[caseId];
  if (order?.[type]) order[type] = order[type].filter((one) => one !== id);
}

function putInOrder(state: TasksState, { id, before }: { id: string; before: string | null }) {
  const type = state.entities[id]?.type;
  if (!state.caseId || !type) return;
  const { [state.caseId]: order = {}, ...others } = state.orders;
  const plain = current(state);
  const tasks = Object.values(plain.entities).filter((task) => task.type === type);
  const arranged = arrange(tasks, plain.versions, plain.orders[state.caseId])[type];
  const own = ownPart(place(arranged, id, before), arrange(tasks, plain.versions)[type]);
  const kept = Object.entries(others).slice(1 - ORDERS_KEPT);
  state.orders = { ...Object.fromEntries(kept), [state.caseId]: { ...order, [type]: own } };
}

export const {
  boardAsked,
  boardCame,
  boardFailed,
  boardLeft,
  taskHeard,
  taskGone,
  taskSaved,
  taskRemoved,
  moveStarted,
  moveFailed,
  moveDone,
  cardPlaced,
  moversCame,
} = slice.actions;
export const tasksReducer = slice.reducer;

/** What of the store outlives the page: the arrangements, and the board when it is small. */
export function keptTasks(state: TasksState): Partial<TasksState> {
  const { caseId, status, ids, entities, versions, loadedUntil } = state;
  let left = IDS_KEPT;
  const orders = Object.entries(state.orders)
    .toReversed()
    .filter(([, order]) => {
      left -= Object.values(order).reduce((sum, { length }) => sum + length, 0);
      return left >= 0;
    })
    .toReversed();
  const kept = { orders: Object.fromEntries(orders) };
  const isSmall = status === 'ready' && ids.length <= CARDS_KEPT;
  return isSmall ? { ...kept, caseId, status, ids, entities, versions, loadedUntil } : kept;
}

let lastColumns: Columns | undefined;

/** The ids of each column in the order in which they are shown; a column that is as it was stays the same list. */
export const selectColumns = createSelector(
  [
    (state: TasksState) => state.entities,
    (state: TasksState) => state.versions,
    (state: TasksState) => (state.caseId === null ? undefined : state.orders[state.caseId]),
  ],
  (entities, versions, own): Columns => {
    const columns = arrange(Object.values(entities), versions, own);
    for (const id of columnIds) {
      const last = lastColumns?.[id];
      const isSame =
        last?.length === columns[id].length && last.every((one, at) => one === columns[id][at]);
      if (isSame) columns[id] = last;
    }
    lastColumns = columns;
    return columns;
  },
);
