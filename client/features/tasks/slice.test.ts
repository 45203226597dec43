import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnIds, columnTitles, type ColumnId, type Task } from '@matterdesk/contract/tasks.ts';
import {
  boardAsked,
  boardCame,
  boardFailed,
  cardPlaced,
  keptTasks,
  moveDone,
  moveFailed,
  moveStarted,
  moversCame,
  selectColumns,
  taskGone,
  taskHeard,
  taskRemoved,
  taskSaved,
  tasksReducer,
  type Gone,
  type TasksState,
} from './slice.ts';

type Action = Parameters<typeof tasksReducer>[1];
type ServerTask = Task & { inColumnSince: string };

const CASE = 'c1';
const OTHER_CASE = 'c2';

describe('a board that hears of changes', () => {
  test('ends as the server has it, in whatever order it hears of them', () => {
    fc.assert(
      fc.property(histories(), ({ server, askedAt, takenAt, heard, cameAfter, loadOfOther }) => {
        const news = heard.map(({ event }) => tell(event));
        const first = [boardAsked(CASE), ...news.slice(0, cameAfter), server.board(takenAt)];
        let board = apply([...first, ...news.slice(cameAfter)]);
        if (board.doubts > 0) board = apply([boardAsked(CASE), server.board()], board);
        expect(whatIsShown(board)).toEqual(whatIsShown(apply(loadOfOther)));
        expect(askedAt).toBeLessThanOrEqual(takenAt);
      }),
      { numRuns: 1500 },
    );
  });

  test('does not ask again while everything comes in order', () => {
    fc.assert(
      fc.property(fc.array(steps()), (done) => {
        const server = new Server();
        for (const step of done) server.take({ ...step, kind: step.kind % 3 });
        const board = apply([boardAsked(CASE), server.board(0), ...server.events.map(tell)]);
        expect(board.doubts).toBe(0);
        expect(whatIsShown(board)).toEqual(whatIsShown(apply([boardAsked(CASE), server.board()])));
      }),
    );
  });

  test('leaves a deleted card away when an older change of it comes late', () => {
    const [card] = cards('intake');
    const board = apply([
      ...loaded(card),
      taskGone({ id: card.id, case: CASE }),
      taskHeard({ ...card, name: 'Late' }),
    ]);
    expect(board.entities).toEqual({});
    expect(board.doubts).toBe(0);
  });

  test('takes nothing from other cases', () => {
    const [card] = cards('intake');
    const board = apply([...loaded(), taskHeard({ ...card, case: OTHER_CASE })]);
    expect(board.ids).toEqual([]);
  });
});

describe('a move', () => {
  test('shows where it goes, and moves nothing before the server has said so', () => {
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
    const task = { ...a, type: 'adr' as const, updatedAt: later(1) };
    const mover = apply([...loaded(a, b, c), moveDone({ task, before: c.id })]);
    const other = apply([...loaded(a, b, c), taskHeard(task)]);
    expect(selectColumns(mover).adr).toEqual([b.id, a.id, c.id]);
    expect(selectColumns(other).adr).toEqual([b.id, c.id, a.id]);
  });

  test('gives way to a later one of somebody else that was heard first', () => {
    const [a] = cards('intake');
    const own = { ...a, type: 'adr' as const, updatedAt: later(1) };
    const others = { ...a, type: 'discovery' as const, updatedAt: later(2) };
    const board = apply([...loaded(a), taskHeard(others), moveDone({ task: own, before: null })]);
    expect(selectColumns(board)).toMatchObject({ adr: [], discovery: [a.id] });
    expect(board.moving).toEqual({});
  });

  test('of somebody else puts a name tag on the card; an own one does not', () => {
    const [a, b] = cards('intake', 'intake');
    const board = apply([
      ...loaded(a, b),
      taskHeard({ ...a, type: 'adr', updatedAt: later(1) }),
      moveDone({ task: { ...b, type: 'adr', updatedAt: later(2) }, before: null }),
      moversCame({ [a.id]: 'Jun Tanaka', [b.id]: 'Jun Tanaka' }),
    ]);
    expect(Object.keys(board.tags)).toEqual([a.id]);
    expect(board.tags[a.id]?.mover).toBe('Jun Tanaka');
    expect(board.tags[a.id]?.until).toBeGreaterThan(Date.now());
  });

  test('of a card to another case takes it off the board', () => {
    const [a] = cards('intake');
    const board = apply([...loaded(a), taskSaved({ ...a, case: OTHER_CASE, updatedAt: later(1) })]);
    expect(board.ids).toEqual([]);
  });
});

describe('an arrangement of one’s own', () => {
  test('stays when the board is asked for again, and new cards follow it', () => {
    const [a, b, c, d] = cards('intake', 'intake', 'intake', 'intake');
    const arranged = apply([...loaded(a, b, c), cardPlaced({ id: c.id, before: a.id })]);
    expect(selectColumns(arranged).intake).toEqual([c.id, a.id, b.id]);
    const again = apply([boardAsked(CASE), came([a, b, c, d])], arranged);
    expect(selectColumns(again).intake).toEqual([c.id, a.id, b.id, d.id]);
  });

  test('does not bring a card back to its old place that has left the column meanwhile', () => {
    const [a, b, c] = cards('intake', 'intake', 'intake');
    const board = apply([
      ...loaded(a, b, c),
      cardPlaced({ id: c.id, before: a.id }),
      taskHeard({ ...c, type: 'adr', updatedAt: later(1) }),
      taskHeard({ ...c, type: 'intake', updatedAt: later(2) }),
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
        [boardAsked(caseId), came(items, caseId), cardPlaced({ id: b.id, before: a.id })],
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
  test('is a small board without what is under way, so that it stands at once', () => {
    const [a, b] = cards('intake', 'intake');
    const board = apply([
      ...loaded(a, b),
      cardPlaced({ id: b.id, before: a.id }),
      moveStarted({ id: a.id, to: 'adr' }),
    ]);
    const kept = { ...apply([]), ...keptTasks(board) };
    expect(selectColumns(kept).intake).toEqual([b.id, a.id]);
    expect(kept).toMatchObject({ caseId: CASE, status: 'ready', moving: {} });
  });

  test('is the arrangement alone when the board is large or not there', () => {
    const [a, b] = cards('intake', 'intake');
    const many = Array.from({ length: 201 }, (_, n) => ({ ...a, id: `many ${n}` }));
    const large = apply([...loaded(...many, b), cardPlaced({ id: b.id, before: 'many 0' })]);
    expect(keptTasks(large)).toEqual({ orders: { [CASE]: { intake: [b.id] } } });
    expect(keptTasks(apply([boardAsked(CASE)]))).toEqual({ orders: {} });
  });

  test('has at most 1500 ids of arranged cards, those of the last cases', () => {
    const order = { intake: Array.from({ length: 700 }, (_, n) => `card ${n}`) };
    const board = { ...apply([]), orders: { a: order, b: order, c: order } };
    expect(Object.keys(keptTasks(board).orders ?? {})).toEqual(['b', 'c']);
  });
});

describe('a board that cannot be loaded', () => {
  test('says so, and says it otherwise when there is no such case', () => {
    expect(apply([boardAsked(CASE), failed('failed')]).status).toBe('failed');
    expect(apply([boardAsked(CASE), failed('unknown')]).status).toBe('unknown');
  });

  test('stays as it is when it was there before, and is known to be behind', () => {
    const [a] = cards('intake');
    const board = apply([...loaded(a), boardAsked(CASE), failed('failed')]);
    expect(board).toMatchObject({ status: 'ready', isStale: true, ids: [a.id] });
    expect(apply([boardAsked(CASE), came([a])], board).isStale).toBe(false);
  });

  test('takes no answer for a case that was left', () => {
    const [a] = cards('intake');
    const board = apply([boardAsked(CASE), boardAsked(OTHER_CASE), came([a])]);
    expect(board).toMatchObject({ status: 'loading', caseId: OTHER_CASE, ids: [] });
  });
});

test('an own deletion takes the card away, and nothing brings it back', () => {
  const [a] = cards('intake');
  const gone: Gone = { id: a.id, case: CASE };
  const board = apply([...loaded(a), taskRemoved(gone), taskHeard(a)]);
  expect(board.ids).toEqual([]);
  expect(apply([boardAsked(CASE), taskRemoved(gone), came([a])]).ids).toEqual([]);
});

/** The server as far as a board is concerned: what it does to one case, and what it tells of it. */
class Server {
  readonly events: (Task | Gone)[] = [];
  readonly #states: ServerTask[][] = [[]];
  #clock = 0;

  board(after = this.events.length) {
    const tasks = (this.#states[after] ?? []).toSorted((a, b) =>
      a.inColumnSince === b.inColumnSince
        ? a.id.localeCompare(b.id)
        : a.inColumnSince.localeCompare(b.inColumnSince),
    );
    return came(tasks.filter((task) => task.case === CASE));
  }

  /** One change: 0 creates, 1 moves, 2 edits, 3 deletes, 4 takes to the other case or back. */
  take({ kind, which, column, wait }: Step) {
    const tasks = this.#states.at(-1) ?? [];
    this.#clock += wait;
    const task = tasks[which % Math.max(tasks.length, 1)];
    if (kind === 0 || !task) {
      const [made] = cards('intake');
      const now = later(this.#clock);
      const id = `t${this.events.length}`;
      const added = { ...made, id, createdAt: now, updatedAt: now, inColumnSince: now };
      this.#tell(added, [...tasks, added]);
    } else if (kind === 3) {
      this.#tell(
        { id: task.id, case: task.case },
        tasks.filter((one) => one !== task),
      );
    } else this.#change(task, { kind, column });
  }

  #change(task: ServerTask, { kind, column }: Pick<Step, 'kind' | 'column'>) {
    const tasks = this.#states.at(-1) ?? [];
    const now = [later(this.#clock), after(task.updatedAt)].toSorted().at(-1) ?? '';
    const changed = { ...task, updatedAt: now };
    if (kind === 1) changed.type = column;
    if (kind === 2) changed.name = `Changed ${this.events.length}`;
    if (kind === 4) changed.case = task.case === CASE ? OTHER_CASE : CASE;
    if (changed.type !== task.type || kind === 4) changed.inColumnSince = now;
    const next = tasks.map((one) => (one === task ? changed : one));
    if (kind === 4) this.#tell({ id: task.id, case: task.case }, next);
    this.#tell(changed, next);
  }

  #tell(event: Task | Gone, tasks: ServerTask[]) {
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

/** What a board hears that was asked for and taken at some moments of a history: everything since, shuffled. */
function histories() {
  return fc
    .record({ done: fc.array(steps(), { maxLength: 14 }), from: fc.nat(), to: fc.nat() })
    .chain(({ done, from, to }) => {
      const server = new Server();
      for (const step of done) server.take(step);
      const askedAt = from % (server.events.length + 1);
      const takenAt = askedAt + (to % (server.events.length - askedAt + 1));
      const news = server.events.map((event, index) => ({ event, index })).slice(askedAt);
      return fc.record({
        server: fc.constant(server),
        askedAt: fc.constant(askedAt),
        takenAt: fc.constant(takenAt),
        heard: fc.shuffledSubarray(news, { minLength: news.length }),
        cameAfter: fc.nat(news.length),
        loadOfOther: fc.constant<Action[]>([boardAsked(CASE), server.board()]),
      });
    });
}

function tell(event: Task | Gone) {
  return 'updatedAt' in event ? taskHeard(event) : taskGone(event);
}

function whatIsShown(board: TasksState) {
  const columns = selectColumns(board);
  return columnIds.map((column) =>
    columns[column].map((id) => {
      const { name, type } = board.entities[id] ?? {};
      return { id, name, type };
    }),
  );
}

function apply(actions: Action[], from?: TasksState): TasksState {
  return actions.reduce<TasksState | undefined>(tasksReducer, from) ?? tasksReducer(from, noAction);
}
const noAction = { type: 'nothing' };

function loaded(...items: Task[]) {
  return [boardAsked(CASE), came(items)];
}

function came(tasks: readonly Task[], caseId = CASE) {
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
  return boardCame({ caseId, board: { columns, columnOrder: [...columnIds] } });
}

function failed(status: 'failed' | 'unknown') {
  return boardFailed({ caseId: CASE, status });
}

/** A card for each column that is named. */
function cards<Types extends [ColumnId, ...ColumnId[]]>(...types: Types) {
  return types.map((type, index) => ({
    id: `card ${index}`,
    name: `Task ${index}`,
    description: '',
    startTime: later(0),
    endTime: later(0),
    type,
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
