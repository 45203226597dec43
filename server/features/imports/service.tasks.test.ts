import { beforeAll, describe, expect, test } from 'vitest';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { type Task, taskRoutes } from '@matterdesk/contract/tasks.ts';
import { suite } from '../../testing/app.ts';
import { openCase, registerAdmin, registerUser } from '../../testing/factories.ts';
import {
  change,
  draftOf,
  remove,
  rowOf,
  runOf,
  importRows,
  valuesOf,
} from '../../testing/imports.ts';
import type { Run } from './service.kinds.ts';
import { taskKind } from './service.tasks.ts';

const { app, admin, jane, left } = suite({
  admin: registerAdmin,
  jane: registerUser,
  left: registerUser,
});
let caseId: string;
let run: Run;

beforeAll(async () => {
  caseId = (await openCase(app, admin.token)).id;
  await app.db.updateTable('users').set({ active: false }).where('id', '=', left.id).execute();
  run = await runOf(app, admin, {
    matters: { '12': caseId },
    people: { Jane: jane.id, Left: left.id },
    now: new Date('2026-03-04T15:00:00Z'),
  });
});

async function board(): Promise<Map<string, Task>> {
  const asked = { token: admin.token, params: { id: caseId } };
  const { tasks } = (await app.call(taskRoutes.readBoard, asked)).body;
  const all = Object.values(tasks.columns).flatMap(({ items }) => items);
  return new Map(all.map((task) => [task.id, task]));
}

async function take(cells: Record<string, string>, rest = {}) {
  const taken = await importRows(taskKind, run, [rowOf({ matter: '12', ...cells }, rest)]);
  const id = taken.ids[0] ?? '';
  return { ...taken, id, task: (await board()).get(id) };
}

describe('a task of an import', () => {
  test('is due at the end of its day in the firm’s zone, and begins with it', async () => {
    const { id, task, drafts } = await take({
      name: 'File the complaint',
      text: 'In <b>Queens</b>',
      due: '05/06/2026',
      assignedTo: 'Jane',
    });
    expect(task).toMatchObject({
      name: 'File the complaint',
      description: 'In Queens',
      type: 'intake',
      startTime: '2026-05-06T04:00:00.000Z',
      endTime: '2026-05-07T03:59:00.000Z',
      assignedTo: { id: jane.id },
      doneAt: null,
    });
    expect(await valuesOf(taskKind, run, [id])).toEqual([drafts[0]?.values]);
  });

  test('is in the stream of its matter', async () => {
    const { id } = await take({ name: 'Serve the answer', assignedTo: 'Jane' });
    const asked = { token: admin.token, params: { id: caseId }, query: { search: 'Serve' } };
    const { items } = (await app.call(streamRoutes.readStream, asked)).body;
    expect(items).toMatchObject([
      {
        source: 'task',
        kind: 'created',
        title: 'Serve the answer',
        link: expect.stringContaining(id),
      },
    ]);
  });

  test('without a due date ends today and says so, and keeps words that have no place', async () => {
    const { task } = await take(
      { name: 'Call back', assignedTo: 'Max Gone', done: 'In Review' },
      { Priority: 'High' },
    );
    expect([task?.endTime, task?.assignedTo.id, task?.description]).toEqual([
      '2026-03-05T04:59:00.000Z',
      admin.id,
      'Assigned to Max Gone in Clio\nStatus in Clio: In Review\nNo due date in Clio\n\nFrom Clio\nPriority: High',
    ]);
  });

  test('that was done stays with a person who has left, and an open one does not', async () => {
    const done = await take({
      name: 'Done',
      due: '01/05/2026',
      done: 'Complete',
      doneAt: '01/04/2026 10:00',
      assignedTo: 'Left',
    });
    expect([done.task?.doneAt, done.task?.assignedTo.id]).toEqual([
      '2026-01-04T15:00:00.000Z',
      left.id,
    ]);
    const open = await take({ name: 'Open', due: '01/05/2026', done: 'No', assignedTo: 'Left' });
    expect([open.task?.doneAt, open.task?.assignedTo.id, open.task?.description]).toEqual([
      null,
      admin.id,
      'Assigned to Left in Clio',
    ]);
  });

  test('that begins after it is due says when it began there', async () => {
    const { task } = await take({ name: 'Late', start: '05/09/2026', due: '05/06/2026' });
    expect([task?.startTime, task?.description]).toEqual([
      '2026-05-06T04:00:00.000Z',
      'Start in Clio: 05/09/2026',
    ]);
  });

  test('is refused for a wrong date, without a name, or with a description that is too long', async () => {
    const { refused, ids } = await importRows(taskKind, run, [
      rowOf({ matter: '12', name: 'x', due: 'someday' }),
      rowOf({ matter: '12', name: ' ' }),
      rowOf({ matter: '12', name: 'x', text: 'y'.repeat(4001) }),
      rowOf({ matter: '13', name: 'x' }),
    ]);
    expect(ids).toEqual([]);
    expect(refused.map(({ field, message }) => [field, message])).toEqual([
      ['due', '“someday” is not a date'],
      ['name', 'Name is required'],
      ['text', 'A task takes a description of 4000 characters'],
      ['matter', 'No such matter in the export'],
    ]);
  });

  test('changes in what its row says otherwise, and goes with its import', async () => {
    const cells = { name: 'Serve the answer', due: '06/01/2026', assignedTo: 'Jane' };
    const { id } = await take(cells);
    expect((await take(cells)).matched).toEqual(new Map([[0, id]]));
    const row = rowOf({ matter: '12', ...cells, name: 'Serve', done: 'yes' });
    const draft = await draftOf(taskKind, run, row);
    const { name = '', doneAt = null } = draft.values;
    await change(taskKind, run, [{ id, values: { name, doneAt }, draft }]);
    const after = (await board()).get(id);
    expect(after).toMatchObject({ name: 'Serve', assignedTo: { id: jane.id } });
    expect(await valuesOf(taskKind, run, [id])).toEqual([draft.values]);
    expect(await remove(taskKind, run, [id])).toEqual(new Map());
    expect((await board()).has(id)).toBe(false);
    const rows = await app.db.selectFrom('tasks').select('id').where('id', '=', id).execute();
    expect(rows).toEqual([]);
  });

  test('is not given to someone who is screened from its matter', async () => {
    const walled = await openCase(app, admin.token);
    await app.pool.query(
      `insert into base.case_access (case_id, user_id, kind, reason, by_id)
       values ('${walled.id}', '${jane.id}', 'screened', 'x', '${admin.id}')`,
    );
    await app.pool.query(`update base.cases set is_walled = true where id = '${walled.id}'`);
    await app.pool.query(`select base.work_out_sight(array['${walled.id}'::uuid])`);
    const own = await runOf(app, admin, { matters: { w: walled.id }, people: { Jane: jane.id } });
    const row = rowOf({ matter: 'w', name: 'Secret', due: '2026-05-01', assignedTo: 'Jane' });
    const { drafts, ids } = await importRows(taskKind, own, [row]);
    expect(ids.length).toBe(1);
    expect(drafts[0]?.values).toMatchObject({
      assignedTo: admin.id,
      text: 'Assigned to Jane in Clio',
    });
  });
});
