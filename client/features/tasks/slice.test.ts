import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnIds, columnTitles, type ColumnId } from '@matterdesk/contract/columns.ts';
import type { Task } from '@matterdesk/contract/tasks.ts';
import { keyOf } from '../../core/resource.ts';
import {
  boardChosen,
  boards,
  cardPlaced,
  keptTasks,
  moveDone,
  moveFailed,
  moveStarted,
  selectCards,
  selectColumns,
  taskChanged,
  taskDeleted,
  taskRemoved,
  taskSaved,
  tasksReducer,
  type TasksState,
} from './slice.ts';

type Action = Parameters<typeof tasksReducer>[1];
type Event =
  | { name: 'changed'; task: Task }
  | { name: 'deleted'; id: string; case: string; at: string };

const CASE = 'c1';
const OTHER_CASE = 'c2';
const MOVER = { id: 'u2', firstName: 'Jun', lastName: 'Tanaka' };

describe('a board that receives changes', () => {
  test('ends as the server has it, in whatever order they arrive', () => {
    fc.assert(
      fc.property(histories(), ({ server, events, fetches }) => {
        const actions = events.map(toAction);
        // From the last fetch to the first, so that the places of the others stay what they are.
        for (const { begunAfter, answeredAfter, takenAfter } of fetches.toReversed()) {
          actions.splice(answeredAfter, 0, server.answer(takenAfter));
          actions.splice(begunAfter, 0, begun(CASE));
        }
        const board = apply([boardChosen(CASE), ...actions]);
        expect(shown(board)).toEqual(server.columns());
      }),
      { numRuns: 1500 },
    );
  });

  test('keeps a deleted card removed when an older change arrives later', () => {
    const [card] = cards('intake');
    const board = apply([
      ...loaded(card),
      deleted(card, later(2)),
      changed({ ...card, name: 'Older', updatedAt: later(1) }),
    ]);
    expect(selectCards(board)).toEqual({});
  });

  test('shows a card moved back from another case, regardless of the order of events', () => {
    const [card] = cards('intake');
    const back = { ...card, columnSince: later(2), updatedAt: later(2) };
    const events = [deleted(card, later(1)), changed(back)];
    for (const order of [events, events.toReversed()])
      expect(selectCards(apply([...loaded(card), ...order]))).toEqual({ [card.id]: back });
  });

  test('ignores the tasks of other cases', () => {
    const [card] = cards('intake');
    const board = apply([...loaded(), changed({ ...card, case: OTHER_CASE })]);
    expect(selectCards(board)).toEqual({});
  });

  test('that is not shown is kept up to date too', () => {
    const [a, b] = cards('intake', 'intake');
    const board = apply([...loaded(a), boardChosen(OTHER_CASE), changed(b), boardChosen(CASE)]);
    expect(selectColumns(board).intake).toEqual([a.id, b.id]);
  });
});

describe('a move', () => {
  test('shows its target, and moves the card only after the server confirms', () => {
    const [a, b] = cards('intake', 'adr');
    const started = apply([...loaded(a, b), moveStarted({ id: a.id, to: 'adr' })]);
    expect(selectColumns(started)).toMatchObject({ intake: [a.id], adr: [b.id] });
    expect(started.moving).toEqual({ [a.id]: 'adr' });
    const failed = apply([moveFailed(a.id)], started);
    expect(selectColumns(failed)).toMatchObject({ intake: [a.id], adr: [b.id] });
    expect(failed.moving).toEqual({});
  });

  test('puts the card where it was let go for the mover, and at the end for others', () => {
    const [a, b, c] = cards('intake', 'adr', 'adr');
    const task = moved(a, 'adr', 1);
    const mover = apply([...loaded(a, b, c), moveDone({ task, before: c.id })]);
    const other = apply([...loaded(a, b, c), changed(task)]);
    expect(selectColumns(mover).adr).toEqual([b.id, a.id, c.id]);
    expect(selectColumns(other).adr).toEqual([b.id, c.id, a.id]);
  });

  test('gives way to a later one of another user that arrives first', () => {
    const [a] = cards('intake');
    const [own, others] = [moved(a, 'adr', 1), moved(a, 'discovery', 2)];
    const board = apply([...loaded(a), changed(others), moveDone({ task: own, before: null })]);
    expect(selectColumns(board)).toMatchObject({ adr: [], discovery: [a.id] });
    expect(board.moving).toEqual({});
  });

  test('by another user puts a name tag on the card; an own one does not', () => {
    const [a, b] = cards('intake', 'intake');
    const board = apply([
      ...loaded(a, b),
      changed(moved(a, 'adr', 1)),
      moveDone({ task: moved(b, 'adr', 2), before: null }),
    ]);
    expect(board.tags).toEqual({ [a.id]: { mover: 'Jun Tanaka', until: expect.any(Number) } });
    expect(board.tags[a.id]?.until).toBeGreaterThan(Date.now());
  });

  test('of a card to another case takes it off the board', () => {
    const [a] = cards('intake');
    const board = apply([...loaded(a), taskSaved({ ...a, case: OTHER_CASE, updatedAt: later(1) })]);
    expect(selectCards(board)).toEqual({});
  });
});

describe('an arrangement of one’s own', () => {
  test('stays when the board is asked for again, and new cards follow it', () => {
    const [a, b, c, d] = cards('intake', 'intake', 'intake', 'intake');
    const arranged = apply([...loaded(a, b, c), cardPlaced({ id: c.id, before: a.id })]);
    expect(selectColumns(arranged).intake).toEqual([c.id, a.id, b.id]);
    const again = apply([begun(CASE), answered([a, b, c, d])], arranged);
    expect(selectColumns(again).intake).toEqual([c.id, a.id, b.id, d.id]);
  });

  test('does not bring a card back to its old place that has left the column meanwhile', () => {
    const [a, b, c] = cards('intake', 'intake', 'intake');
    const board = apply([
      ...loaded(a, b, c),
      cardPlaced({ id: c.id, before: a.id }),
      changed(moved(c, 'adr', 1)),
      changed(moved(c, 'intake', 2)),
    ]);
    expect(selectColumns(board).intake).toEqual([a.id, b.id, c.id]);
  });

  test('does not either when the board was fetched again in between', () => {
    const [a, b, c] = cards('intake', 'intake', 'intake');
    const board = apply([
      ...loaded(a, b, c),
      cardPlaced({ id: c.id, before: a.id }),
      begun(CASE),
      answered([a, b, moved(c, 'intake', 2)]),
    ]);
    expect(selectColumns(board).intake).toEqual([a.id, b.id, c.id]);
  });

  test('is kept for the fifty cases that were arranged last', () => {
    const [a, b] = cards('intake', 'intake');
    let board: TasksState | undefined;
    for (let n = 0; n < 60; n += 1) {
      const caseId = `case ${n}`;
      const items = [a, b].map((card) => ({ ...card, case: caseId }));
      board = apply(
        [
          boardChosen(caseId),
          begun(caseId),
          answered(items, caseId),
          cardPlaced({ id: b.id, before: a.id }),
        ],
        board,
      );
    }
    expect(Object.keys(board?.orders ?? {})).toHaveLength(50);
    expect(board?.orders['case 59']).toEqual({ intake: [b.id] });
    expect(board?.orders['case 9']).toBeUndefined();
  });

  test('leaves the lists of the other columns what they were', () => {
    const [a, b, c] = cards('intake', 'intake', 'adr');
    const before = apply(loaded(a, b, c));
    const { adr } = selectColumns(before);
    const after = apply([cardPlaced({ id: b.id, before: a.id })], before);
    expect(selectColumns(after).intake).toEqual([b.id, a.id]);
    expect(selectColumns(after).adr).toBe(adr);
  });
});

describe('what outlives the page', () => {
  test('is a small board without pending moves, so that it appears at once', () => {
    const [a, b] = cards('intake', 'intake');
    const board = apply([
      ...loaded(a, b),
      cardPlaced({ id: b.id, before: a.id }),
      moveStarted({ id: a.id, to: 'adr' }),
    ]);
    const kept = { ...apply([]), ...keptTasks(board) };
    expect(selectColumns(kept).intake).toEqual([b.id, a.id]);
    expect(kept).toMatchObject({ caseId: CASE, moving: {}, removed: {} });
    expect(Object.values(kept.boards)).toMatchObject([{ status: 'idle', stale: true }]);
  });

  test('is the arrangement alone when the board is large or not there', () => {
    const [a, b] = cards('intake', 'intake');
    const many = Array.from({ length: 201 }, (_, n) => ({ ...a, id: `big ${n}` }));
    const large = apply([...loaded(...many, b), cardPlaced({ id: b.id, before: 'big 0' })]);
    expect(keptTasks(large)).toEqual({ orders: { [CASE]: { intake: [b.id] } } });
    expect(keptTasks(apply([boardChosen(CASE), begun(CASE)]))).toEqual({ orders: {} });
  });

  test('has at most 1500 ids of arranged cards, those of the last cases', () => {
    const order = { intake: Array.from({ length: 700 }, (_, n) => `card ${n}`) };
    const board = { ...apply([]), orders: { a: order, b: order, c: order } };
    expect(Object.keys(keptTasks(board).orders ?? {})).toEqual(['b', 'c']);
  });
});

test('an own deletion removes the card, and nothing brings it back', () => {
  const [a] = cards('intake');
  const board = apply([...loaded(a), taskRemoved(a.id), changed({ ...a, updatedAt: later(9) })]);
  expect(selectCards(board)).toEqual({});
  const during = apply([boardChosen(CASE), begun(CASE), taskRemoved(a.id), answered([a])]);
  expect(selectCards(during)).toEqual({});
});

/** The server as far as a board is concerned: what it does to two cases, and what it emits. */
class Server {
  readonly events: Event[] = [];
  /** After each event; the first before all. */
  readonly #states: Task[][] = [[]];
  #clock = 0;

  /** The server's answer to a fetch of the board after so many events. */
  answer(after: number) {
    return answered((this.#states[after] ?? []).filter((task) => task.case === CASE));
  }

  /** The names of the cards of each column, as every browser must show them in the end. */
  columns() {
    const tasks = (this.#states.at(-1) ?? []).filter((task) => task.case === CASE);
    const sorted = tasks.toSorted((a, b) =>
      `${a.columnSince} ${a.id}` < `${b.columnSince} ${b.id}` ? -1 : 1,
    );
    return columnIds.map((column) =>
      sorted.filter(({ type }) => type === column).map(({ id, name }) => ({ id, name })),
    );
  }

  /** One change: 0 creates, 1 moves, 2 edits, 3 deletes, 4 moves to the other case or back. */
  take({ kind, which, column, wait }: Step) {
    const tasks = this.#states.at(-1) ?? [];
    this.#clock += wait;
    const task = tasks[which % Math.max(tasks.length, 1)];
    if (kind === 0 || !task) {
      const [card] = cards('intake');
      const now = later(this.#clock);
      const id = `t${this.events.length}`;
      const added = { ...card, id, createdAt: now, updatedAt: now, columnSince: now };
      this.#emit({ name: 'changed', task: added }, [...tasks, added]);
    } else this.#change(task, { kind, column });
  }

  #change(task: Task, { kind, column }: Pick<Step, 'kind' | 'column'>) {
    const tasks = this.#states.at(-1) ?? [];
    const now = [later(this.#clock), after(task.updatedAt)].toSorted().at(-1) ?? '';
    const left: Event = { name: 'deleted', id: task.id, case: task.case, at: now };
    if (kind === 3)
      return this.#emit(
        left,
        tasks.filter((other) => other !== task),
      );
    const next = { ...task, updatedAt: now };
    if (kind === 1) next.type = column;
    if (kind === 2) next.name = `Changed ${this.events.length}`;
    if (kind === 4) next.case = task.case === CASE ? OTHER_CASE : CASE;
    if (next.type !== task.type || kind === 4) next.columnSince = now;
    const then = tasks.map((other) => (other === task ? next : other));
    if (kind === 4) this.#emit(left, then);
    this.#emit({ name: 'changed', task: next }, then);
  }

  #emit(event: Event, tasks: Task[]) {
    this.events.push(event);
    this.#states.push(tasks);
  }
}

type Step = { kind: number; which: number; column: ColumnId; wait: number };

function steps(): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.integer({ min: 0, max: 4 }),
    which: fc.nat(5),
    column: fc.constantFrom(...columnIds),
    wait: fc.nat(1),
  });
}

/**
 * A history whose events arrive in any order, and a board that is fetched once or twice meanwhile. An answer is
 * as new as the newest event that had arrived when it was asked for, or newer.
 */
function histories() {
  return fc
    .record({
      done: fc.array(steps(), { maxLength: 14 }),
      times: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { minLength: 1, maxLength: 2 }),
    })
    .chain(({ done, times }) => {
      const server = new Server();
      for (const step of done) server.take(step);
      const count = server.events.length;
      const numbered = server.events.map((event, index) => ({ event, index }));
      return fc.shuffledSubarray(numbered, { minLength: count }).map((arrived) => {
        let from = 0;
        const fetches = times.map(([begin, wait, delay]) => {
          const begunAfter = from + (begin % (count - from + 1));
          const answeredAfter = begunAfter + (wait % (count - begunAfter + 1));
          const known = arrived.slice(0, begunAfter).map(({ index }) => index + 1);
          const least = Math.max(0, ...known);
          from = answeredAfter;
          return { begunAfter, answeredAfter, takenAfter: least + (delay % (count - least + 1)) };
        });
        return { server, events: arrived.map(({ event }) => event), fetches };
      });
    });
}

function toAction(event: Event): Action {
  return event.name === 'changed' ? changed(event.task) : deleted(event, event.at);
}

function changed(task: Task) {
  return taskChanged(task, { actor: MOVER, at: task.updatedAt });
}

function deleted({ id, case: caseId }: { id: string; case: string }, at: string) {
  return taskDeleted({ id, case: caseId }, { actor: MOVER, at });
}

function moved(task: Task, type: ColumnId, milliseconds: number): Task {
  return { ...task, type, columnSince: later(milliseconds), updatedAt: later(milliseconds) };
}

function shown(board: TasksState) {
  const columns = selectColumns(board);
  const held = selectCards(board);
  return columnIds.map((column) => columns[column].map((id) => ({ id, name: held[id]?.name })));
}

function apply(actions: Action[], from?: TasksState): TasksState {
  return actions.reduce<TasksState | undefined>(tasksReducer, from) ?? tasksReducer(from, noAction);
}
const noAction = { type: 'nothing' };

function loaded(...items: Task[]): Action[] {
  return [boardChosen(CASE), begun(CASE), answered(items)];
}

function begun(caseId: string) {
  return boards.step({ kind: 'begun', key: keyOf(caseId), isMore: false });
}

function answered(tasks: readonly Task[], caseId = CASE) {
  const column = <Id extends ColumnId>(id: Id) => ({
    id,
    title: columnTitles[id],
    items: tasks.filter(({ type }) => type === id),
  });
  const columns = {
    intake: column('intake'),
    demandOfInsurance: column('demandOfInsurance'),
    finalLawsuit: column('finalLawsuit'),
    discovery: column('discovery'),
    adr: column('adr'),
  };
  const answer = { columns, columnOrder: [...columnIds] };
  return boards.step({ kind: 'answered', key: keyOf(caseId), answer, after: null });
}

/** A card for each named column. */
function cards<Types extends [ColumnId, ...ColumnId[]]>(...types: Types) {
  return types.map((type, index) => ({
    id: `card ${index}`,
    name: `Task ${index}`,
    description: '',
    startTime: later(0),
    endTime: later(0),
    type,
    columnSince: later(0),
    assignedTo: { id: 'u1', firstName: 'Rune', lastName: 'Lindqvist' },
    assignee: 'u1',
    case: CASE,
    createdAt: later(0),
    updatedAt: later(0),
  })) as { [Index in keyof Types]: Task };
}

function later(milliseconds: number): string {
  return new Date(Date.UTC(2026, 10, 1) + milliseconds).toISOString();
}

function after(instant: string): string {
  return new Date(new Date(instant).getTime() + 1).toISOString();
}
