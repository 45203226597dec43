import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { caseRoutes, type Case } from '@matterdesk/contract/cases.ts';
import { taskRoutes, type Task } from '@matterdesk/contract/tasks.ts';
import { findRunningPostgres } from './db/embedded/connections.ts';
import { eventually } from './testing/eventually.ts';
import {
  newCase,
  newPerson,
  newTask,
  openCase,
  registerAdmin,
  unique,
  type SignedInPerson,
} from './testing/factories.ts';
import { newPlace, startProcess, type ServerProcess } from './testing/process.ts';

const ROUNDS = 20;

/** Something that was asked for, with its key, and what came back for it, if anything did. */
type Wish<T> = { body: object; key: string; got?: T };
type Person = { email: string; id?: string };
type Ledger = { cases: Wish<Case>[]; tasks: Wish<Task>[]; people: Person[] };

type Firm = { admin: SignedInPerson; home: Case };

const acknowledgedIn = ({ cases, tasks, people }: Ledger) =>
  [...cases, ...tasks].filter(({ got }) => got).length + people.filter(({ id }) => id).length;

/** Five clients write in sequence until the server dies, and record what is acknowledged. */
async function writeUntilGone(server: ServerProcess, { admin, home }: Firm, ledger: Ledger) {
  const { token, id } = admin;
  const writeCase = async () => {
    const body = newCase({ assignedUsers: [id] });
    const wish: Wish<Case> = { body, key: body.caseNo };
    ledger.cases.push(wish);
    wish.got = (await sendCase(server, token, wish)).body.case;
  };
  const writeTask = async () => {
    const wish: Wish<Task> = {
      body: newTask({ case: home.id, assignedTo: id }),
      key: `task-${unique()}`,
    };
    ledger.tasks.push(wish);
    wish.got = (await sendTask(server, token, wish)).body.tasks;
  };
  const writePerson = async () => {
    const body = newPerson();
    const person: Person = { email: body.email };
    ledger.people.push(person);
    person.id = (await server.call(accountRoutes.register, { body })).body.id;
  };
  const untilGone = async (write: () => Promise<void>): Promise<void> => {
    await write();
    await untilGone(write);
  };
  const clients = [writeCase, writeCase, writeTask, writeTask, writePerson].map(untilGone);
  // What was not answered fails in the network; anything else is a fault.
  for (const { reason } of (await Promise.allSettled(clients)) as { reason?: unknown }[])
    expect(reason).toMatchObject({ message: expect.stringMatching(/fetch failed|terminated/) });
}

const sendCase = (server: ServerProcess, token: string, { body, key }: Wish<Case>) =>
  server.call(caseRoutes.openCase, { token, body, headers: { 'idempotency-key': key } });
const sendTask = (server: ServerProcess, token: string, { body, key }: Wish<Task>) =>
  server.call(taskRoutes.addTask, { token, body, headers: { 'idempotency-key': key } });

/** Every acknowledged row is there as it was acknowledged. */
async function expectNothingLost(server: ServerProcess, { admin, home }: Firm, ledger: Ledger) {
  const { token } = admin;
  const [cases, board, people] = await Promise.all([
    server.call(caseRoutes.listCases, { token }),
    server.call(taskRoutes.readBoard, { token, params: { id: home.id } }),
    server.call(accountRoutes.listUsers, { token }),
  ]);
  const there = new Map<string, unknown>(cases.body.cases.map((one) => [one.id, one]));
  for (const task of board.body.tasks.columns.intake.items) there.set(task.id, task);
  for (const { id, email } of people.body) there.set(id, { id, email });
  const acknowledged = [...ledger.cases, ...ledger.tasks].flatMap(({ got }) => got ?? []);
  for (const row of acknowledged) expect(there.get(row.id)).toEqual(row);
  const registered = ledger.people.filter(({ id }) => id);
  expect(registered.map(({ id = '' }) => there.get(id))).toEqual(registered);
}

/** A key answers what it answered, or does now what was cut off: each wish ends as one row. */
async function expectKeysHold(server: ServerProcess, { admin }: Firm, ledger: Ledger) {
  for (const wish of ledger.cases) {
    const { status, body } = await sendCase(server, admin.token, wish);
    expect(status).toBe(201);
    wish.got ??= body.case;
    expect(body.case).toEqual(wish.got);
  }
  for (const wish of ledger.tasks) {
    const { status, body } = await sendTask(server, admin.token, wish);
    expect(status).toBe(201);
    wish.got ??= body.tasks;
    expect(body.tasks).toEqual(wish.got);
  }
}

/** No write is there in part: each row has its one entry in the log, its assignments, and each key its answer. */
async function expectNoHalves(dataDir: string) {
  const connections = findRunningPostgres(path.join(dataDir, 'postgres'));
  const client = new pg.Client(connections?.connection);
  await client.connect();
  const { rows } = await client.query(`
    with logged as (select entity, entity_id from audit_log where action = 'created'),
      there as (select 'case' as entity, id as entity_id from cases
        union all select 'task', id from tasks union all select 'user', id from users)
    select (select count(*)::int from (table logged except all table there) x) as without_row,
      (select count(*)::int from (table there except all table logged) x) as without_entry,
      (select count(*)::int from idempotency_keys where outcome is null) as keys_without_answer,
      (select count(*)::int from cases c where case_name <> 'Home' and not exists
        (select from case_assignments a where a.case_id = c.id)) as cases_without_people`);
  await client.end();
  expect(rows).toEqual([
    { without_row: 0, without_entry: 0, keys_without_answer: 0, cases_without_people: 0 },
  ]);
}

test(`nothing acknowledged is lost when everything is killed, ${ROUNDS} times`, async () => {
  const place = await newPlace();
  let server = startProcess(place);
  await server.ready;
  const admin = await registerAdmin(server);
  const firm = { admin, home: await openCase(server, admin.token, { caseName: 'Home' }) };
  const all: Ledger = { cases: [], tasks: [], people: [] };
  let acknowledged = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const ledger: Ledger = { cases: [], tasks: [], people: [] };
    const writing = writeUntilGone(server, firm, ledger);
    // Each time somewhere else in the stream.
    const enough = 5 + ((round * 7) % 20);
    await eventually(() => expect(acknowledgedIn(ledger)).toBeGreaterThan(enough));
    await server.kill();
    await writing;
    acknowledged += acknowledgedIn(ledger);
    server = startProcess(place);
    await server.ready;
    await expectNothingLost(server, firm, ledger);
    await expectKeysHold(server, firm, ledger);
    all.cases.push(...ledger.cases);
    all.tasks.push(...ledger.tasks);
    all.people.push(...ledger.people);
  }
  await expectNothingLost(server, firm, all);
  await expectNoHalves(place.dataDir);
  console.info(`killed ${ROUNDS} times, ${acknowledged} acknowledged, none lost`);
  await server.kill();
  place.remove();
}, 900_000);
