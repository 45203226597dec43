import { describe, expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { type Case, caseRoutes, activityRoutes } from '@matterdesk/contract/cases.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { suite } from '../../testing/app.ts';
import {
  addTask,
  newCase,
  openCase,
  PASSWORD,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../testing/factories.ts';

const { app, admin, user } = suite({ admin: registerAdmin, user: registerUser });
const change = async (id: string, body: object): Promise<Case> =>
  (await app.call(caseRoutes.changeCase, { token: admin.token, params: { id }, body })).body.case;
const changeTask = async (id: string, body: object, token = admin.token) =>
  (await app.call(taskRoutes.changeTask, { token, params: { id }, body })).body;
const activity = (id: string, query: Record<string, string | number> = {}) =>
  app.call(activityRoutes.readActivity, { token: user.token, params: { id }, query });
const nameOf = ({ id, firstName, lastName }: SignedInPerson) => ({ id, firstName, lastName });

/** Audit entries of an entity, oldest first. */
const entriesOf = (entityId: string) =>
  app.db
    .selectFrom('audit_log')
    .select(['action', 'entity', 'actor_id', 'case_id', 'request_id', 'before', 'after'])
    .where('entity_id', '=', entityId)
    .orderBy('id')
    .execute();

describe('the activity of a case', () => {
  test('lists events of the case and its tasks, newest first', async () => {
    const opened = await openCase(app, admin.token, { caseName: 'Doe v. Roe' });
    await change(opened.id, { caseName: 'Doe v. Coe', clientInfo: { name: 'John Doe' } });
    await change(opened.id, { statusType: 'Archive' });
    await change(opened.id, { statusType: 'Active', judge: 'Another' });
    const task = await addTask(app, admin.token, {
      case: opened.id,
      assignedTo: user.id,
      name: 'Call',
    });
    await changeTask(task.id, { type: 'discovery' }, user.token);
    await changeTask(task.id, { name: 'Call back', assignedTo: admin.id });
    await app.call(taskRoutes.deleteTask, { token: admin.token, params: { id: task.id } });
    const { body } = await activity(opened.id);
    const entries = body.activity.map(({ action, entity, name, detail, actor }) => ({
      what: `${action} ${entity}`,
      name,
      detail,
      by: actor?.id,
    }));
    const by = admin.id;
    expect(entries).toEqual([
      { what: 'deleted task', name: 'Call back', detail: [], by },
      { what: 'updated task', name: 'Call back', detail: ['name', 'assignedTo'], by },
      { what: 'moved task', name: 'Call', detail: ['discovery'], by: user.id },
      { what: 'created task', name: 'Call', detail: [], by },
      { what: 'reopened case', name: 'Doe v. Coe', detail: ['judge', 'statusType'], by },
      { what: 'archived case', name: 'Doe v. Coe', detail: ['statusType'], by },
      { what: 'updated case', name: 'Doe v. Coe', detail: ['caseName', 'clientInfo'], by },
      { what: 'created case', name: 'Doe v. Roe', detail: [], by },
    ]);
    expect(body.activity[0]).toMatchObject({ entityId: task.id, actor: nameOf(admin) });
    expect(body.activity.at(-1)).toMatchObject({ entityId: opened.id });
    const changes = body.activity.map((entry) =>
      entry.changes.map(({ label, from, to }) => `${label}: ${from} → ${to}`),
    );
    expect(changes.slice(0, 3)).toEqual([
      [],
      [
        'Name: Call → Call back',
        `Assigned To: ${user.firstName} ${user.lastName} → ${admin.firstName} ${admin.lastName}`,
      ],
      ['Column: Intake → Discovery'],
    ]);
    expect(changes.slice(-2)).toEqual([
      ['Case Name: Doe v. Roe → Doe v. Coe', 'Client name: Jane Doe → John Doe'],
      [],
    ]);
    const times = body.activity.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(body.nextCursor).toBeNull();
  });

  test('comes in finite pages', async () => {
    const { id } = await openCase(app, admin.token);
    for (let n = 0; n < 24; n += 1) await change(id, { judge: `Judge ${n}` });
    const first = (await activity(id)).body;
    expect(first.activity).toHaveLength(20);
    const rest = (await activity(id, { cursor: first.nextCursor ?? '' })).body;
    expect(rest.activity).toHaveLength(5);
    expect(rest.nextCursor).toBeNull();
    const all = (await activity(id, { limit: 25 })).body;
    expect(all).toEqual({ activity: [...first.activity, ...rest.activity], nextCursor: null });
    for (const query of [
      { limit: 0 },
      { cursor: 'x' },
      { cursor: 'WyI5OTk5OTk5OTk5OTk5OTk5OTk5Il0' },
    ])
      expect(await activity(id, query)).toMatchObject({ status: 400, body: null });
  });

  test('lists a task that moved to another case in both cases', async () => {
    const [from, to] = [await openCase(app, admin.token), await openCase(app, admin.token)];
    const task = await addTask(app, admin.token, { case: from.id, assignedTo: user.id });
    await changeTask(task.id, { case: to.id });
    const entries = async (id: string) =>
      (await activity(id)).body.activity.map(({ action, detail }) => [action, ...detail]);
    expect(await entries(from.id)).toEqual([['updated', 'case'], ['created'], ['created']]);
    expect(await entries(to.id)).toEqual([['updated', 'case'], ['created']]);
    const [moved] = (await activity(to.id)).body.activity;
    expect(moved?.changes).toMatchObject([
      { label: 'Matter', from: from.caseName, to: to.caseName },
    ]);
    const call = { token: admin.token, params: { kind: 'cases', id: from.id } };
    const { updatedAt } = (await app.call(accessRoutes.readAccess, call)).body.access;
    const wall = { mode: 'restricted', people: [], screened: [], reason: 'Celebrity' } as const;
    const walled = { ...call, body: { ...wall, people: [admin.id], updatedAt } };
    expect(await app.call(accessRoutes.changeAccess, walled)).toMatchObject({ status: 200 });
    const [hidden] = (await activity(to.id)).body.activity;
    expect(hidden?.changes).toMatchObject([{ from: 'Another matter', to: to.caseName }]);
  });

  test('never lists events of another case', async () => {
    const { id } = await openCase(app, admin.token);
    const { body } = await activity(id);
    expect(body.activity.map((entry) => entry.entityId)).toEqual([id]);
  });
});

describe('every write adds an audit entry', () => {
  test('for a case, with actor, action, before and after', async () => {
    const reply = await app.call(caseRoutes.openCase, { token: admin.token, body: newCase() });
    const opened = reply.body.case;
    const changed = await change(opened.id, { judge: 'Another', assignedUsers: [user.id] });
    const about = { entity: 'case', actor_id: admin.id, case_id: opened.id };
    const entries = await entriesOf(opened.id);
    expect(entries).toMatchObject([
      { ...about, action: 'created', before: null, after: opened },
      { ...about, action: 'updated', before: opened, after: changed },
    ]);
    expect(entries[0]?.request_id).toBe(reply.headers.get('x-request-id'));
  });

  test('for a task', async () => {
    const { id } = await openCase(app, admin.token);
    const added = await addTask(app, admin.token, { case: id, assignedTo: user.id });
    const moved = await changeTask(added.id, { type: 'adr' }, user.token);
    await app.call(taskRoutes.deleteTask, { token: admin.token, params: { id: added.id } });
    const about = { entity: 'task', case_id: id };
    expect(await entriesOf(added.id)).toMatchObject([
      { ...about, action: 'created', actor_id: admin.id, before: null, after: added },
      { ...about, action: 'moved', actor_id: user.id, before: added, after: moved },
      { ...about, action: 'deleted', actor_id: admin.id, before: moved, after: null },
    ]);
  });

  test('for an import, one per case', async () => {
    const exported = await app.call(caseRoutes.exportCases, { token: admin.token });
    const file = exported.text.replaceAll(/CV-2025-/g, 'CV-2026-');
    const form = new FormData();
    form.append('file', new Blob([file]), 'cases.csv');
    const headers = { 'x-auth-token': admin.token };
    const init = { method: 'POST', headers, body: form };
    const { body } = (await app.request('/api/v1/cases/import', init)) as {
      body: { created: number };
    };
    const entries = await app.db
      .selectFrom('audit_log')
      .select(['actor_id', 'entity', 'case_id', 'entity_id', 'after'])
      .where('action', '=', 'imported')
      .execute();
    expect(entries).toHaveLength(body.created);
    for (const { after, ...entry } of entries) {
      const { id } = after as Case;
      expect(entry).toEqual({ actor_id: admin.id, entity: 'case', case_id: id, entity_id: id });
    }
  });

  test('for users and sessions, without secrets', async () => {
    const person = await registerUser(app);
    const params = { id: person.id };
    const body = { phoneNumber: '1 999 999 9999' };
    await app.call(accountRoutes.changeUser, { token: admin.token, params, body });
    const about = { entity: 'user', case_id: null };
    const entries = await entriesOf(person.id);
    expect(entries).toMatchObject([
      { ...about, action: 'created', actor_id: person.id, before: null },
      { ...about, action: 'updated', actor_id: admin.id, after: body },
    ]);
    const { rows } = await app.pool.query<{ line: string }>(
      `select audit_log::text as line from audit_log`,
    );
    const log = rows.map(({ line }) => line).join('\n');
    expect(log).toContain(person.email);
    for (const secret of [PASSWORD, person.token, 'argon2', 'password'])
      expect(log).not.toContain(secret);
  });

  test('and so does a refused permission, but no invalid request', async () => {
    const count = async () =>
      (await app.pool.query<{ n: number }>('select count(*)::int as n from audit_log')).rows[0]?.n;
    const { id } = await openCase(app, admin.token);
    const before = await count();
    await app.call(caseRoutes.openCase, { token: admin.token, body: newCase({ judge: ' ' }) });
    await app.call(caseRoutes.openCase, { token: user.token, body: newCase() });
    for (const body of [{}, { assignedUsers: ['x'] }])
      await app.call(caseRoutes.changeCase, { token: admin.token, params: { id }, body });
    expect(await count()).toBe((before ?? 0) + 1);
  });
});

test.each(['update audit_log set action = action', 'delete from audit_log', 'truncate audit_log'])(
  'the database refuses to %s',
  async (statement) => {
    await expect(app.pool.query(statement)).rejects.toThrow('audit_log is append-only');
  },
);
