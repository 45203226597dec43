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
import { newPlace, startAgain, startProcess, type ServerProcess } from './testing/process.ts';

const ROUNDS = 20;

/** A write with its key, and the reply if there was one. */
type Attempt<T> = { body: object; key: string; reply?: T };
type Person = { email: string; id?: string };
type Ledger = { cases: Attempt<Case>[]; tasks: Attempt<Task>[]; people: Person[] };

type Firm = { admin: SignedInPerson; home: Case };

const acknowledgedIn = ({ cases, tasks, people }: Ledger) =>
  [...cases, ...tasks].filter(({ reply }) => reply).length + people.filter(({ id }) => id).length;

/** Five clients write continuously until the server is killed, and record what it acknowledges. */
async function writeUntilKilled(server: ServerProcess, { admin, home }: Firm, ledger: Ledger) {
  const { token, id } = admin;
  const writeCase = async () => {
    const body = newCase({ assignedUsers: [id] });
    const attempt: Attempt<Case> = { body, key: body.caseNo };
    ledger.cases.push(attempt);
    attempt.reply = (await sendCase(server, token, attempt)).body.case;
  };
  const writeTask = async () => {
    const attempt: Attempt<Task> = {
      body: newTask({ case: home.id, assignedTo: id }),
      key: `task-${unique()}`,
    };
    ledger.tasks.push(attempt);
    attempt.reply = (await sendTask(server, token, attempt)).body.tasks;
  };
  const writePerson = async () => {
    const body = newPerson();
    const person: Person = { email: body.email };
    ledger.people.push(person);
    person.id = (await server.call(accountRoutes.register, { body })).body.id;
  };
  const untilKilled = async (write: () => Promise<void>): Promise<void> => {
    await write();
    await untilKilled(write);
  };
  const clients = [writeCase, writeCase, writeTask, writeTask, writePerson].map(untilKilled);
  // Writes without a reply fail in the network; any other error is a defect.
  for (const { reason } of (await Promise.allSettled(clients)) as { reason?: unknown }[])
    expect(reason).toMatchObject({ message: expect.stringMatching(/fetch failed|terminated/) });
}

const sendCase = (server: ServerProcess, token: string, { body, key }: Attempt<Case>) =>
  server.call(caseRoutes.openCase, { token, body, headers: { 'idempotency-key': key } });
const sendTask = (server: ServerProcess, token: string, { body, key }: Attempt<Task>) =>
  server.call(taskRoutes.addTask, { token, body, headers: { 'idempotency-key': key } });

/** Every acknowledged row is stored as it was acknowledged. */
async function expectNothingLost(server: ServerProcess, { admin, home }: Firm, ledger: Ledger) {
  const { token } = admin;
  const [cases, board, people] = await Promise.all([
    server.call(caseRoutes.listCases, { token }),
    server.call(taskRoutes.readBoard, { token, params: { id: home.id } }),
    server.call(accountRoutes.listUsers, { token }),
  ]);
  const stored = new Map<string, unknown>(cases.body.cases.map((row) => [row.id, row]));
  for (const task of board.body.tasks.columns.intake.items) stored.set(task.id, task);
  for (const { id, email } of people.body) stored.set(id, { id, email });
  const acknowledged = [...ledger.cases, ...ledger.tasks].flatMap(({ reply }) => reply ?? []);
  for (const row of acknowledged) expect(stored.get(row.id)).toEqual(row);
  const registered = ledger.people.filter(({ id }) => id);
  expect(registered.map(({ id = '' }) => stored.get(id))).toEqual(registered);
}

/** A repeat returns the first reply, or completes an interrupted write: each attempt ends as one row. */
async function expectKeysHold(server: ServerProcess, { admin }: Firm, ledger: Ledger) {
  for (const attempt of ledger.cases) {
    const { status, body } = await sendCase(server, admin.token, attempt);
    expect(status).toBe(201);
    attempt.reply ??= body.case;
    expect(body.case).toEqual(attempt.reply);
  }
  for (const attempt of ledger.tasks) {
    const { status, body } = await sendTask(server, admin.token, attempt);
    expect(status).toBe(201);
    attempt.reply ??= body.tasks;
    expect(body.tasks).toEqual(attempt.reply);
  }
}

/** No write is stored partially: each row has one audit entry and its assignments, and each key has its outcome. */
async function expectNoPartialWrites(dataDir: string) {
  const connections = findRunningPostgres(path.join(dataDir, 'postgres'));
  const client = new pg.Client(connections?.connection);
  await client.connect();
  const { rows } = await client.query(`
    with logged as (select entity, entity_id from audit_log where action = 'created'),
      present as (select 'case' as entity, id::text as entity_id from base.cases
        union all select 'task', id::text from base.tasks union all select 'user', id::text from users
        union all select 'contact', id::text from base.contacts
        union all select 'conflict', id::text from base.conflict_checks)
    select (select count(*)::int from (table logged except all table present) x) as without_row,
      (select count(*)::int from (table present except all table logged) x) as without_entry,
      (select count(*)::int from idempotency_keys where outcome is null) as keys_without_answer,
      (select count(*)::int from base.cases c where case_name <> 'Home' and not exists
        (select from base.case_assignments a where a.case_id = c.id)) as cases_without_people`);
  await client.end();
  expect(rows).toEqual([
    { without_row: 0, without_entry: 0, keys_without_answer: 0, cases_without_people: 0 },
  ]);
}

test(`the server does not lose acknowledged writes when all processes are killed ${ROUNDS} times`, async () => {
  const place = await newPlace();
  let server = startProcess(place);
  await server.ready;
  const admin = await registerAdmin(server);
  const firm = { admin, home: await openCase(server, admin.token, { caseName: 'Home' }) };
  const all: Ledger = { cases: [], tasks: [], people: [] };
  let acknowledged = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const ledger: Ledger = { cases: [], tasks: [], people: [] };
    const writing = writeUntilKilled(server, firm, ledger);
    // At another point of the stream in each round.
    const enough = 5 + ((round * 7) % 20);
    await eventually(() => expect(acknowledgedIn(ledger)).toBeGreaterThan(enough));
    await server.kill();
    await writing;
    acknowledged += acknowledgedIn(ledger);
    server = await startAgain(place);
    await server.ready;
    await expectNothingLost(server, firm, ledger);
    await expectKeysHold(server, firm, ledger);
    all.cases.push(...ledger.cases);
    all.tasks.push(...ledger.tasks);
    all.people.push(...ledger.people);
  }
  await expectNothingLost(server, firm, all);
  await expectNoPartialWrites(place.dataDir);
  console.info(`killed ${ROUNDS} times, ${acknowledged} acknowledged, none lost`);
  await server.kill();
  place.remove();
}, 900_000);
