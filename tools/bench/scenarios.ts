import { ITEMS_MAX } from '@matterdesk/contract/calendar.ts';
import { conflictRoutes, type AskedName } from '@matterdesk/contract/conflicts.ts';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import type { ActorContext } from '@matterdesk/server/context.ts';
import { SYSTEM } from '@matterdesk/server/db/scoped-query.ts';
import { windowOf } from '@matterdesk/server/features/calendar/rules.times.ts';
import { readCalendarGrid } from '@matterdesk/server/features/calendar/service.items.ts';
import {
  listAllDay,
  listCaseDates,
  listTaskMoments,
  listTimed,
  type ItemQuery,
} from '@matterdesk/server/features/calendar/store.items.ts';
import { CaseSearch } from '@matterdesk/server/features/cases/service.search.ts';
import { findCase, listAll } from '@matterdesk/server/features/cases/store.ts';
import { findAgreements } from '@matterdesk/server/features/conflicts/matching/service.ts';
import { listDeadlines } from '@matterdesk/server/features/deadlines/service.ts';
import {
  countIdleCases,
  listIdleCases,
  listCalendarDeadlines,
} from '@matterdesk/server/features/deadlines/store.list.ts';
import { listTasks as listTasksOfAll } from '@matterdesk/server/features/tasks/service.ts';
import { listTasks } from '@matterdesk/server/features/tasks/store.ts';
import { findAdmin } from './admin.ts';
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

const DAY_MS = 86_400_000;
/** Days before and after today. */
const [BACK, AHEAD] = [14, 27];
const EVENTS = 50;
/** People who ask for these pages, or type names, at the same moment. */
const CLIENTS = 5;

/** Six weeks of the whole firm, and the matters with nothing ahead. */
export async function calendarScenarios(database: BareDatabase): Promise<Scenario[]> {
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const days = { from: day(-BACK), to: day(AHEAD) };
  const wanted: ItemQuery = {
    ...windowOf(days, 'UTC'),
    reader: SYSTEM,
    people: undefined,
    kinds: undefined,
    caseId: undefined,
    words: undefined,
    limit: ITEMS_MAX + 1,
  };
  const weeks = await database.capture(async (db) => {
    for (const list of [
      listTimed,
      listAllDay,
      listTaskMoments,
      listCaseDates,
      listCalendarDeadlines,
    ])
      await list(db, wanted);
  });
  const idle = await database.capture(async (db) => {
    await listIdleCases(db, { limit: EVENTS + 1, filter: { isLimited: true } });
    await countIdleCases(db, TOTAL_CAP + 1, { isLimited: true });
  });
  const scenario = (name: string, path: string, statements: typeof idle): Scenario => ({
    name,
    isWrite: false,
    request: () => ({ path: `/api/v1/${path}` }),
    bare: () => ({ statements, isWrite: false }),
  });
  const query = new URLSearchParams({ ...days, timeZone: 'UTC' });
  return [
    // Thousands of items, where all calendars of the firm are shown.
    {
      ...scenario('calendar of six weeks, 5 clients', `calendar/grid?${query.toString()}`, weeks),
      clients: 5,
    },
    scenario('no next date', `deadlines/noNextDate?limit=${EVENTS}`, idle),
  ];
}

/** Whole pages, by the same services: a section of deadlines, and searches of tasks and of the calendar. */
export async function pageScenarios(database: BareDatabase): Promise<Scenario[]> {
  const { actor, contextOf } = await findAdmin(database);
  const timeZone = 'UTC';
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const span = { from: day(-BACK), to: day(AHEAD), timeZone, search: 'v' };
  const scenario = async (name: string, path: string, read: (context: ActorContext) => unknown) => {
    const statements = await database.captureServices(async (db) => read(contextOf(db)));
    return {
      name,
      isWrite: false,
      clients: CLIENTS,
      request: () => ({ path: `/api/v1/${path}` }),
      bare: () => ({ statements, isWrite: false }),
    };
  };
  return [
    await scenario(
      'page: a section of deadlines',
      'deadlines?matters=active&status=open&kind=limitation&limit=50',
      (context) =>
        listDeadlines(context, {
          matters: 'active',
          status: 'open',
          kind: 'limitation',
          limit: EVENTS,
        }),
    ),
    await scenario(
      'page: a search of tasks',
      `tasks?search=records&limit=50&timeZone=${timeZone}`,
      (context) => listTasksOfAll(context, { search: 'records', limit: EVENTS, timeZone }),
    ),
    // A letter that is in the name of most matters.
    await scenario(
      'page: a search of the calendar',
      `calendar/grid?${new URLSearchParams(span).toString()}`,
      (context) => readCalendarGrid(context, actor, span),
    ),
  ];
}

const CHECKS = 100;
/** Hits of a look. */
const SHOWN = 20;

/** The look at one name while it is typed, misspelled, among all names of the firm. */
export async function conflictScenario(database: BareDatabase): Promise<Scenario> {
  const [found] = await database.read<{ total: string }>(
    'select count(*) as total from base.names',
  );
  const rows = await database.read<{ name: string }>(
    `select name from (select distinct name from base.names where source = 'parties') known
      order by md5(name) limit $1`,
    [CHECKS],
  );
  const asked = rows.map(({ name }) => named(name.replace(/(?<=\p{L})(\p{Ll})(\p{Ll})/u, '$2$1')));
  const statements: Statement[][] = [];
  for (const one of asked)
    statements.push(await database.capture((db) => findAgreements(db, [one], SHOWN)));
  const at = (n: number) => n % asked.length;
  return {
    name: `a name among ${Number(found?.total ?? 0).toLocaleString('en-US')}`,
    isWrite: false,
    clients: CLIENTS,
    request: (n) => ({
      method: conflictRoutes.lookForConflicts.method,
      path: conflictRoutes.lookForConflicts.path,
      json: { names: [asked[at(n)]] },
    }),
    bare: (n) => ({ statements: statements[at(n)] ?? [], isWrite: false }),
  };
}

function named(name: string): AskedName {
  return { name, role: null, emails: [], phoneNumbers: [], otherNames: [] };
}
