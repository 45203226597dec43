import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { type CasePatch, caseRoutes } from '@matterdesk/contract/cases.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { suite } from '../testing/app.ts';
import {
  addDeadline,
  addEvent,
  addTask,
  openCase,
  registerAdmin,
  registerManager,
  type SignedInPerson,
} from '../testing/factories.ts';

const { app, admin, outsider } = suite(
  { admin: registerAdmin, outsider: registerManager },
  { jobs: false },
);

/** Rows whose copies are not as their case. */
async function differing() {
  const { rows } = await app.pool.query<{ what: string }>(`
    select t.name as what from base.tasks t join base.cases c on c.id = t.case_id
      where (t.is_walled, t.access, t.is_active, t.case_name, coalesce(t.case_no, ''))
        <> (c.is_walled, c.access, c.status_type = 'Active', c.case_name, coalesce(c.case_no, ''))
    union all select d.title from base.deadlines d left join base.cases c on c.id = d.case_id
      where (d.is_walled, d.access, d.is_active) <> (coalesce(c.is_walled, false),
        coalesce(c.access, 'open'), coalesce(c.status_type, 'Active') = 'Active')
    union all select e.title from base.events e left join base.cases c on c.id = e.case_id
      where (e.is_walled, e.access) <> (coalesce(c.is_walled, false), coalesce(c.access, 'open'))
    union all select s.id::text from base.contact_sources s join base.cases c on c.id = s.case_id
      where s.is_walled <> c.is_walled
    union all select c.case_name from base.cases c where c.people <> array(
      select a.user_id from base.case_assignments a where a.case_id = c.id order by a.position)`);
  return rows.map(({ what }) => what);
}

async function restrict(id: string, mode: 'open' | 'restricted') {
  const params = { kind: 'cases', id };
  const { body } = await app.call(accessRoutes.readAccess, { token: admin.token, params });
  const { updatedAt } = body.access;
  await app.call(accessRoutes.changeAccess, {
    token: admin.token,
    params,
    body: { mode, people: [], screened: [], reason: 'Ordered', updatedAt },
  });
}

test('what belongs to a matter follows its name, its walls and its state, and moves between matters', async () => {
  const own = { assignedUsers: [admin.id] };
  const [one, other] = [
    await openCase(app, admin.token, own),
    await openCase(app, admin.token, own),
  ];
  const task = await addTask(app, admin.token, { case: one.id, assignedTo: admin.id });
  const deleted = await addTask(app, admin.token, { case: one.id, assignedTo: admin.id });
  await app.call(taskRoutes.deleteTask, { token: admin.token, params: { id: deleted.id } });
  const event = await addEvent(app, admin.token, { case: one.id });
  await addDeadline(app, admin.token, { case: one.id, owner: admin.id });
  await addDeadline(app, admin.token, { owner: admin.id });
  const day = event.start.slice(0, 10);
  const shown = async (person: SignedInPerson) => {
    const query = { from: day, to: day, timeZone: 'UTC', case: one.id, kinds: 'meeting,hearing' };
    const { body } = await app.call(calendarRoutes.readCalendar, { token: person.token, query });
    return body.items.length;
  };
  expect(await shown(outsider)).toBe(1);

  await restrict(one.id, 'restricted');
  expect(await differing()).toEqual([]);
  expect([await shown(outsider), await shown(admin)]).toEqual([0, 1]);
  const moved = { token: admin.token, params: { id: task.id }, body: { case: other.id } };
  await app.call(taskRoutes.changeTask, moved);
  expect(await differing()).toEqual([]);
  await app.call(taskRoutes.changeTask, { ...moved, body: { case: one.id } });
  const added = await addTask(app, admin.token, { case: one.id, assignedTo: admin.id });
  expect(await differing()).toEqual([]);
  const { rows } = await app.pool.query('select is_walled from base.tasks where id = $1', [
    added.id,
  ]);
  expect(rows).toEqual([{ is_walled: true }]);

  const change = (body: CasePatch) =>
    app.call(caseRoutes.changeCase, { token: admin.token, params: { id: one.id }, body });
  await change({ caseName: 'Renamed v. Whom', caseNo: '2031-CV-4711' });
  expect(await differing()).toEqual([]);
  await change({ statusType: 'Archive' });
  expect(await differing()).toEqual([]);
  await restrict(one.id, 'open');
  expect(await differing()).toEqual([]);
  expect(await shown(outsider)).toBe(1);
});

test('a task of a matter that was removed meanwhile is refused for its matter', async () => {
  const added = app.pool.query(
    `insert into base.tasks (case_id, name, description, start_time, end_time, type, assigned_to, created_by)
      values ($1, 'Too late', '', now(), now(), 'intake', $2, $2)`,
    [randomUUID(), admin.id],
  );
  await expect(added).rejects.toMatchObject({ constraint: 'tasks_case_id_fkey' });
});

test('the row of a matter lists its people in order', async () => {
  const { id } = await openCase(app, admin.token, { assignedUsers: [outsider.id, admin.id] });
  const change = (assignedUsers: string[]) =>
    app.call(caseRoutes.changeCase, {
      token: admin.token,
      params: { id },
      body: { assignedUsers },
    });
  const people = async () => {
    const { rows } = await app.pool.query<{ people: string[] }>(
      'select people from base.cases where id = $1',
      [id],
    );
    return rows[0]?.people;
  };
  expect(await people()).toEqual([outsider.id, admin.id]);
  await change([admin.id, outsider.id]);
  expect(await people()).toEqual([admin.id, outsider.id]);
  await change([]);
  expect(await people()).toEqual([]);
  expect(await differing()).toEqual([]);
});

test('a task that is added while its matter becomes restricted is behind the wall, whichever comes first', async () => {
  for (const isTaskFirst of [true, false]) {
    const matter = await openCase(app, admin.token, { assignedUsers: [admin.id] });
    const [adding, walling] = [
      new pg.Client(app.database.connection),
      new pg.Client(app.database.connection),
    ];
    await Promise.all([adding.connect(), walling.connect()]);
    await Promise.all([adding.query('begin'), walling.query('begin')]);
    const add = () =>
      adding.query(
        `insert into base.tasks (case_id, name, description, start_time, end_time, type, assigned_to, created_by)
          values ($1, 'At once', '', now(), now(), 'intake', $2, $2)`,
        [matter.id, admin.id],
      );
    const wall = () =>
      walling.query(
        "update base.cases set is_walled = true, access = 'restricted', case_name = 'Walled' where id = $1",
        [matter.id],
      );
    const [first, second] = isTaskFirst ? [add, wall] : [wall, add];
    const [ends, waits] = isTaskFirst ? [adding, walling] : [walling, adding];
    await first();
    const waiting = second();
    await ends.query('commit');
    await waiting;
    await waits.query('commit');
    await Promise.all([adding.end(), walling.end()]);
    expect(await differing()).toEqual([]);
  }
});
