import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { NewCase } from '@matterdesk/contract/cases.ts';
import type { NewTask } from '@matterdesk/contract/tasks.ts';
import { findRunningPostgres } from '@matterdesk/server/db/embedded/connections.ts';
import { fold, searchText } from '@matterdesk/server/db/search.ts';
import { toRow } from '@matterdesk/server/features/cases/rules.ts';
import { searched } from '@matterdesk/server/features/cases/store.ts';
import { freePort } from '@matterdesk/server/testing/process.ts';
import { CONNECTIONS, type BareDatabase } from './bare-database.ts';
import { CHECKOUT } from './firm.ts';
import { HttpClient, type HttpRequest } from './http-client.ts';

export const DIRECTUS = '12.4.0';
/** Kept between runs. Its license is not ours, so it is no dependency: only this command installs it. */
const HOME = path.join(CHECKOUT, '.cache/beside/directus');
const CLI = path.join(HOME, 'node_modules/directus/cli.js');
/**
 * No script of a package runs while it is installed. The engine for scripts of its flows, which are not measured, has to
 * be of a version that comes compiled for this Node.
 */
const MANIFEST = {
  private: true,
  dependencies: { directus: DIRECTUS },
  overrides: { 'isolated-vm': '6.1.2' },
};
const INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
const START_TIMEOUT_MS = 120_000;
/** Its tables have a schema of their own; ours follow, and last what their triggers look up. */
const SEARCH_PATH = ['directus', 'base', 'public'];
const ADMIN = { email: 'admin@example.com', password: randomBytes(12).toString('hex') };

const run = promisify(execFile);

/** Directus over the database of a running firm. */
export type Directus = {
  port: number;
  /** A session of its own for each client. */
  tokens: string[];
  stop: () => Promise<void>;
};

/** Installs it where it is missing. @returns whether it was */
export async function installDirectus(): Promise<boolean> {
  const manifest = JSON.stringify(MANIFEST);
  const file = path.join(HOME, 'package.json');
  // npm writes this list when all else is there.
  const list = path.join(HOME, 'node_modules/.package-lock.json');
  const isSame = fs.existsSync(file) && fs.readFileSync(file, 'utf8') === manifest;
  if (isSame && fs.existsSync(list)) return false;
  fs.rmSync(HOME, { recursive: true, force: true });
  fs.mkdirSync(HOME, { recursive: true });
  fs.writeFileSync(file, manifest);
  await run('npm', INSTALL, { cwd: HOME, maxBuffer: 1e7 });
  return true;
}

/** Adds its tables to the database, registers ours with it and signs its admin in at so many clients. */
export async function startDirectus(
  dataDir: string,
  database: BareDatabase,
  clients: number,
): Promise<Directus> {
  await addTables(database);
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-directus-'));
  const port = await freePort();
  const env = environment(dataDir, home, port);
  await run(process.execPath, [CLI, 'bootstrap'], { cwd: home, env, maxBuffer: 1e7 });
  const child = spawn(process.execPath, [CLI, 'start'], {
    cwd: home,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    fs.rmSync(home, { recursive: true, force: true });
  };
  try {
    await becomesReady(child, port);
    const tokens = await signIn(port, clients);
    await register(port, tokens[0]);
    return { port, tokens, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** It reads only tables with a key of one column, unlike that of the assignments, so they are copied. */
async function addTables(database: BareDatabase): Promise<void> {
  await database.read('create schema directus');
  await database.read(`create table directus.assignments (
    id bigint generated always as identity primary key,
    case_id uuid not null references base.cases (id),
    user_id uuid not null references public.users (id),
    position int not null)`);
  await database.read(`insert into directus.assignments (case_id, user_id, position)
    select case_id, user_id, position from base.case_assignments`);
  await database.read('create index on directus.assignments (case_id)');
  // Else the server vacuums the copy while the first row is measured.
  await database.read('vacuum (analyze) directus.assignments');
}

/** Without its cache of replies, its limits on clients and what it sends to its makers. */
function environment(dataDir: string, home: string, port: number): NodeJS.ProcessEnv {
  const found = findRunningPostgres(path.join(dataDir, 'postgres'));
  if (!found) throw new Error('The database of the server is not to be found');
  const { host, user, password, database } = found.connection;
  return {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SECRET: randomBytes(32).toString('hex'),
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    DB_CLIENT: 'pg',
    DB_HOST: host,
    DB_PORT: String(found.connection.port),
    DB_DATABASE: database,
    DB_USER: user,
    DB_PASSWORD: password,
    DB_SEARCH_PATH: `array:${SEARCH_PATH.join(',')}`,
    DB_POOL__MIN: '0',
    DB_POOL__MAX: String(CONNECTIONS),
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    PRESSURE_LIMITER_ENABLED: 'false',
    // Its clients' connections outlast the turns of ours.
    SERVER_KEEP_ALIVE_TIMEOUT: '600000',
    LOGIN_STALL_TIME: '0',
    ACCESS_TOKEN_TTL: '1d',
    SERVE_APP: 'false',
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
    STORAGE_LOCAL_ROOT: path.join(home, 'uploads'),
    EXTENSIONS_PATH: path.join(home, 'extensions'),
  };
}

async function becomesReady(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  const ping = () => fetch(`http://127.0.0.1:${port}/server/ping`).catch(() => undefined);
  while (!(await ping())?.ok) {
    if (child.exitCode !== null) throw new Error('Directus ended instead of starting');
    if (performance.now() > deadline) throw new Error('Directus did not become ready');
    await delay(100);
  }
}

async function signIn(port: number, clients: number): Promise<string[]> {
  const client = new HttpClient(port, 1);
  const tokens: string[] = [];
  try {
    while (tokens.length < clients) {
      const asked = { method: 'POST', path: '/auth/login', json: ADMIN };
      const { body } = await client.ask(asked);
      const { data } = JSON.parse(body.toString('utf8')) as { data: { access_token: string } };
      tokens.push(data.access_token);
    }
  } finally {
    client.close();
  }
  return tokens;
}

/** Makes collections of our tables, whose writes it records, and tells it which fields a search reads. */
async function register(port: number, bearer: string | undefined): Promise<void> {
  const client = new HttpClient(port, 1);
  const send = (method: string, at: string, json: object) =>
    client.ask({ method, path: at, json, bearer });
  try {
    for (const collection of ['cases', 'tasks', 'users', 'assignments'])
      await send('PATCH', `/collections/${collection}`, { meta: { accountability: 'all' } });
    const assigned = { field: 'assigned', type: 'alias', meta: { special: ['o2m'] } };
    await send('POST', '/fields/cases', assigned);
    const meta = { one_field: 'assigned', sort_field: 'position' };
    await send('PATCH', '/relations/assignments/case_id', { meta });
    for (const [names, searchable] of [
      [searched, true],
      [UNSEARCHED, false],
    ] as const)
      for (const name of names)
        await send('PATCH', `/fields/cases/${name}`, { meta: { searchable } });
  } finally {
    client.close();
  }
}

/** Texts and numbers that Directus would search, too. */
const UNSEARCHED = [
  'serial',
  'case_no_key',
  'status_type',
  'days_open',
  'search_text',
  'access',
  'no_statute',
] as const;

const OF_CASE = [
  'id',
  'status_type',
  ...searched,
  'date_of_opening',
  'doi',
  'sol',
  'days_open',
  'created_at',
  'updated_at',
];
const ASSIGNED = ['id', 'first_name', 'last_name'].map((name) => `assigned.user_id.${name}`);
const OF_TASK = [
  'id',
  'case_id',
  'name',
  'description',
  'start_time',
  'end_time',
  'type',
  'in_column_since',
  'done_at',
  'created_by',
  'created_at',
  'updated_at',
  ...['id', 'first_name', 'last_name'].map((name) => `assigned_to.${name}`),
];

const ROUTE = /^\/api\/v1\/(?<collection>cases|tasks)(?:\/(?<id>[^/?]+))?(?:\?(?<query>.*))?$/;

/** Directus' own search of the searched columns, or a filter on the text that ours has indexed. */
export type Search = 'own' | 'indexed';

/** The request to Directus that reads or writes the same rows. @throws Error for other requests of ours */
export function toDirectus(
  { method = 'GET', path, json }: HttpRequest,
  search: Search = 'own',
): HttpRequest {
  const { collection, id, query } = ROUTE.exec(path)?.groups ?? {};
  if (collection === 'cases' && method === 'POST') return newCase(json as NewCase);
  if (collection === 'cases' && id !== undefined) return oneCase(id);
  if (collection === 'cases') return page(new URLSearchParams(query), search);
  if (collection === 'tasks' && method === 'POST') return newTask(json as NewTask);
  if (collection === 'tasks' && id !== undefined)
    return method === 'PATCH' ? movedTask(id, json as { type: string }) : board(id);
  throw new Error(`Directus has no request like ${method} ${path}`);
}

function page(ours: URLSearchParams, search: Search): HttpRequest {
  const words = ours.get('search');
  const statusType = ours.get('statusType');
  const filters = {
    ...(words !== null && search === 'own' && { search: words }),
    ...(words !== null &&
      search === 'indexed' && { 'filter[search_text][_contains]': fold(words) }),
    ...(statusType !== null && { 'filter[status_type][_eq]': statusType }),
  };
  const limit = ours.get('limit') ?? '';
  return { path: items('cases', { fields: list(), sort: '-serial', limit, ...filters }) };
}

function oneCase(id: string): HttpRequest {
  return { path: items(`cases/${id}`, { fields: list() }) };
}

const list = () => [...OF_CASE, ...ASSIGNED].join(',');

function board(caseId: string): HttpRequest {
  const filters = { 'filter[case_id][_eq]': caseId, 'filter[deleted_at][_null]': 'true' };
  const sort = 'in_column_since,id';
  return { path: items('tasks', { fields: OF_TASK.join(','), sort, limit: '-1', ...filters }) };
}

/** The row alone. What the server works out for a case of ours, the caller sends. */
function newCase(input: NewCase): HttpRequest {
  const row = toRow(input, new Date());
  const derived = {
    case_no_key: fold(row.case_no ?? ''),
    search_text: searchText(searched.map((column) => row[column] ?? '')),
  };
  const path = items('cases', { fields: list() });
  return { method: 'POST', path, json: { ...row, ...derived } };
}

function newTask(task: NewTask): HttpRequest {
  const json = {
    case_id: task.case,
    name: task.name,
    description: task.description,
    start_time: task.startTime,
    end_time: task.endTime,
    type: task.type,
    assigned_to: task.assignedTo,
    created_by: task.assignedTo,
  };
  return { method: 'POST', path: items('tasks', { fields: OF_TASK.join(',') }), json };
}

function movedTask(id: string, { type }: { type: string }): HttpRequest {
  const now = new Date().toISOString();
  const json = { type, in_column_since: now, updated_at: now };
  return { method: 'PATCH', path: items(`tasks/${id}`, { fields: OF_TASK.join(',') }), json };
}

function items(place: string, query: Record<string, string>): string {
  return `/items/${place}?${new URLSearchParams(query).toString()}`;
}
