import type { NewCase } from '@matterdesk/contract/cases.ts';
import { columnIds, type Task } from '@matterdesk/contract/tasks.ts';
import type { Transaction } from '@matterdesk/server/db/schema.ts';
import { toRow } from '@matterdesk/server/features/cases/rules.ts';
import { insertCases, listCases } from '@matterdesk/server/features/cases/store.ts';
import { listTasks, updateTask } from '@matterdesk/server/features/tasks/store.ts';
import type { BareDatabase, Statement } from './bare-database.ts';
import type { Ask } from './http-client.ts';

/** A kind of request, and the equivalent work for the database alone. */
export type Scenario = {
  name: string;
  /** Receives a unique number. */
  request: (n: number) => Ask;
  bare: (n: number) => Statement[];
};

const PAGE = { limit: 51 };

type Search = { name: string; search: string | undefined };

/** Pages of 50, with and without a search. */
export async function listScenarios(database: BareDatabase): Promise<Scenario[]> {
  const [rare] = await database.read<{ case_no: string }>(
    'select case_no from cases order by serial desc offset 999 limit 1',
  );
  const searches: Search[] = [
    { name: 'list page of 50', search: undefined },
    { name: 'search, common term', search: 'litigation' },
    { name: 'search, a name', search: 'castellano' },
    { name: 'search, two letters', search: 'gw' },
    { name: 'search, rare term', search: rare?.case_no ?? '' },
  ];
  const scenarios: Scenario[] = [];
  for (const { name, search } of searches) {
    const filter = search === undefined ? { statusType: 'Active' as const } : { search };
    const statements = await database.capture((db) => listCases(db, filter, PAGE));
    const query = new URLSearchParams({ limit: '50', ...filter });
    const path = `/api/v1/cases?${query.toString()}`;
    scenarios.push({ name, request: () => ({ path }), bare: () => statements });
  }
  return scenarios;
}

/** Boards of many cases in turn. */
export async function boardScenario(database: BareDatabase): Promise<Scenario> {
  const ids = await activeCases(database);
  const statements = new Map<string, Statement[]>();
  for (const id of ids) statements.set(id, await database.capture((db) => listTasks(db, id, 5000)));
  const pick = (n: number) => ids[n % ids.length] ?? '';
  return {
    name: 'board of a case',
    request: (n) => ({ path: `/api/v1/tasks/${pick(n)}` }),
    bare: (n) => statements.get(pick(n)) ?? [],
  };
}

async function activeCases(database: BareDatabase): Promise<string[]> {
  const rows = await database.read<{ id: string }>(
    "select id from cases where status_type = 'Active' order by serial desc limit 200",
  );
  return rows.map((row) => row.id);
}

/** A new case per call; bare, one row without people, audit log and events. */
export async function createScenario(database: BareDatabase): Promise<Scenario> {
  const mark = Date.now().toString(36);
  const row = toRow(newCase('bare'), new Date());
  const insert = await captureWrite(database, (trx) => insertCases(trx, [row]));
  return {
    name: 'create a case',
    request: (n) => ({ method: 'POST', path: '/api/v1/cases', json: newCase(`${mark}-${n}`) }),
    bare: (n) => [withNumber(insert, `${mark}-bare-${n}`)],
  };
}

function withNumber({ sql, parameters }: Statement, number: string): Statement {
  const swap = (value: unknown) => (value === 'bare' ? number : value);
  return { sql, parameters: parameters.map(swap) };
}

export function newCase(caseNo: string): NewCase {
  return {
    caseName: 'Abara v. Northline Freight',
    caseNo,
    statusType: 'Active',
    status: 'Pre-List',
    judge: 'Hon. Miriam Osei',
    dateOfOpening: '2026-03-02',
    managingAttorney: 'Rune Lindqvist',
    DOI: '2025-02-12',
    SOL: '2028-02-11',
    daysOpen: 0,
    type: 'PI',
    assignedUsers: [],
    clientInfo: {
      name: 'Ngozi Abara',
      phoneNumber: '1 212 555 0111',
      email: 'ngozi@example.com',
      address: '12 Elm Street\nAlbany, NY 12207',
    },
    opposingCounselInfo: {
      organization: 'Hale & Voss LLP',
      name: 'Piet Voss',
      phoneNumber: '1 212 555 0122',
      email: 'voss@example.net',
      address: '1 Court Plaza\nAlbany, NY 12207',
    },
  };
}

/** Moves a card to the next column; bare, the changed row alone. */
export async function moveScenario(database: BareDatabase): Promise<Scenario> {
  const rows = await database.read<{ id: string; type: Task['type'] }>(
    'select id, type from tasks where deleted_at is null order by created_at desc limit 2000',
  );
  const pick = (n: number) => rows[n % rows.length];
  const next = (n: number) => {
    const start = columnIds.indexOf(pick(n)?.type ?? 'intake');
    return columnIds[(start + 1 + Math.floor(n / rows.length)) % columnIds.length] ?? 'intake';
  };
  const first = rows[0]?.id ?? '';
  const update = await captureWrite(database, (trx) =>
    updateTask(trx, first, { change: { type: 'adr' }, isMoved: true }),
  );
  const swap = (n: number) => (value: unknown) =>
    value === 'adr' ? next(n) : value === first ? pick(n)?.id : value;
  return {
    name: 'move a card',
    request: (n) => ({
      method: 'PATCH',
      path: `/api/v1/tasks/${pick(n)?.id}`,
      json: { type: next(n) },
    }),
    bare: (n) => [{ sql: update.sql, parameters: update.parameters.map(swap(n)) }],
  };
}

/** The writing statement without its transaction. */
async function captureWrite(
  database: BareDatabase,
  work: (trx: Transaction) => Promise<unknown>,
): Promise<Statement> {
  const seen = await database.capture((db) => db.transaction().execute(work));
  const write = seen.find(({ sql }) => /^(insert|update)/.test(sql));
  if (!write) throw new Error('The statement that writes was not seen');
  return write;
}
