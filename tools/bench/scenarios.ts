import { CaseSearch } from '@matterdesk/server/features/cases/service.search.ts';
import { findCase, listAll } from '@matterdesk/server/features/cases/store.ts';
import { listTasks } from '@matterdesk/server/features/tasks/store.ts';
import type { BareDatabase, Statement } from './bare-database.ts';
import type { HttpRequest } from './http-client.ts';

/** A kind of request, and the equivalent work for the database alone. */
export type Scenario = {
  name: string;
  isWrite: boolean;
  /** Fewer than the load's, for replies that a firm asks for a few times a minute. */
  clients?: number;
  /** Receives a unique number. */
  request: (n: number) => HttpRequest;
  bare: (n: number) => { statements: Statement[]; isWrite: boolean };
};

const PAGE = { limit: 51 };
const MANY = 200;

/**
 * Pages of 50, with and without a search, single cases and boards.
 *
 * @param seenBy where matters are restricted, the user whose cases are read
 */
export async function readingScenarios(
  database: BareDatabase,
  seenBy?: string,
): Promise<Scenario[]> {
  const ids = seenBy ? await seenCases(database, seenBy) : await activeCases(database, MANY);
  return [
    await listScenario(database),
    ...(await searchScenarios(database)),
    await eachCase({
      name: 'board of a case',
      path: '/api/v1/tasks/',
      ids,
      read: (id) => database.capture((db) => listTasks(db, id)),
    }),
    await eachCase({
      name: 'single case',
      path: '/api/v1/cases/',
      ids,
      read: (id) => database.capture((db) => findCase(db, id)),
    }),
  ];
}

/** Newest first. */
export async function activeCases(database: BareDatabase, limit: number): Promise<string[]> {
  const rows = await database.read<{ id: string }>(
    `select id from cases where status_type = 'Active' and not is_walled
      order by serial desc limit $1`,
    [limit],
  );
  return rows.map((row) => row.id);
}

async function seenCases(database: BareDatabase, userId: string): Promise<string[]> {
  const rows = await database.read<{ id: string }>(
    'select case_id as id from base.case_sight where user_id = $1 and sees limit $2',
    [userId, MANY],
  );
  return rows.map((row) => row.id);
}

/** The bare statement reads the page alone, without its total. */
async function listScenario(database: BareDatabase): Promise<Scenario> {
  const filter = { statusType: 'Active' } as const;
  const statements = await database.capture((db) => listAll(db, filter, PAGE));
  return pageScenario('list page of 50', filter, statements);
}

async function searchScenarios(database: BareDatabase): Promise<Scenario[]> {
  const [rare] = await database.read<{ case_no: string }>(
    'select case_no from cases order by serial desc offset 999 limit 1',
  );
  const searches = [
    { name: 'search, common term', search: 'litigation' },
    { name: 'search, a name', search: 'castellano' },
    { name: 'search, two letters', search: 'gw' },
    { name: 'search, rare term', search: rare?.case_no ?? '' },
  ];
  const scenarios: Scenario[] = [];
  for (const { name, search } of searches) {
    const statements = await captureSearch(database, search);
    scenarios.push(pageScenario(name, { search }, statements));
  }
  return scenarios;
}

/** The statements of a search whose total is remembered. */
async function captureSearch(database: BareDatabase, search: string): Promise<Statement[]> {
  let searching: CaseSearch | undefined;
  const find = () =>
    database.capture((db) => (searching ??= new CaseSearch(db)).find({ search }, PAGE));
  await find();
  return find();
}

function pageScenario(
  name: string,
  filter: Record<string, string>,
  statements: Statement[],
): Scenario {
  const query = new URLSearchParams({ limit: '50', ...filter });
  const request = () => ({ path: `/api/v1/cases?${query.toString()}` });
  return { name, isWrite: false, request, bare: () => ({ statements, isWrite: false }) };
}

type EachCase = {
  name: string;
  path: string;
  ids: string[];
  read: (id: string) => Promise<Statement[]>;
};

/** The same request about many cases in turn. */
async function eachCase({ name, path, ids, read }: EachCase): Promise<Scenario> {
  const statements = new Map<string, Statement[]>();
  for (const id of ids) statements.set(id, await read(id));
  const pick = (n: number) => ids[n % ids.length] ?? '';
  return {
    name,
    isWrite: false,
    request: (n) => ({ path: `${path}${pick(n)}` }),
    bare: (n) => ({ statements: statements.get(pick(n)) ?? [], isWrite: false }),
  };
}
