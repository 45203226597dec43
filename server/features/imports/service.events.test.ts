import { beforeAll, describe, expect, test } from 'vitest';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { suite } from '../../testing/app.ts';
import { openCase, registerAdmin, registerUser, unique } from '../../testing/factories.ts';
import {
  change,
  draftOf,
  remove,
  rowOf,
  runOf,
  importRows,
  valuesOf,
} from '../../testing/imports.ts';
import { eventKind } from './service.events.ts';
import type { Run } from './service.kinds.ts';

const { app, admin, jane } = suite({ admin: registerAdmin, jane: registerUser });
let caseId: string;
let run: Run;

beforeAll(async () => {
  caseId = (await openCase(app, admin.token)).id;
  run = await runOf(app, admin, { matters: { '12': caseId }, people: { Jane: jane.id } });
});

const one = async (id: string) =>
  (await app.call(calendarRoutes.readEvent, { token: admin.token, params: { id } })).body;
async function take(cells: Record<string, string>) {
  const taken = await importRows(eventKind, run, [rowOf(cells)]);
  return { ...taken, id: taken.ids[0] ?? '' };
}

describe('an event of an import', () => {
  test('has its times, kind and people; those without an account are in its notes', async () => {
    const { id, drafts } = await take({
      matter: '12',
      title: 'Deposition of Dr. Ng',
      kind: 'Depo',
      start: '03/15/2038 2:00 PM',
      end: '03/15/2038 4:00 PM',
      location: 'Room 9',
      people: 'Jane; Max Gone',
      text: '<p>Bring the chart</p>',
    });
    expect(await one(id)).toMatchObject({
      title: 'Deposition of Dr. Ng',
      kind: 'deposition',
      case: { id: caseId },
      allDay: false,
      start: '2038-03-15T18:00:00.000Z',
      end: '2038-03-15T20:00:00.000Z',
      location: 'Room 9',
      notes: 'Bring the chart\n\nPeople in Clio: Max Gone',
      people: [{ id: jane.id }],
      organizer: { id: admin.id },
      reminders: [1440, 60],
    });
    expect(await valuesOf(eventKind, run, [id])).toEqual([drafts[0]?.values]);
  });

  test('by a day alone is all day, and of the firm where it names no matter', async () => {
    const { id } = await take({ title: 'Closed', start: '2027-07-04', end: '2027-07-05' });
    expect(await one(id)).toMatchObject({
      case: null,
      kind: 'other',
      allDay: true,
      start: '2027-07-04',
      end: '2027-07-05',
      people: [],
    });
  });

  test('of the past reminds no one', async () => {
    const { id } = await take({ title: 'Past', kind: 'Hearing', start: '2020-01-02 09:00' });
    expect((await one(id)).reminders).toEqual([]);
    const { rows } = await app.pool.query('select from base.reminders where event_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  test('takes a time of day from a column of its own, and is refused for what is no time', async () => {
    const { id } = await take({
      title: 'Split',
      start: '01/02/2027',
      startTime: '9:30 AM',
      endTime: '10:15 AM',
    });
    expect(await one(id)).toMatchObject({
      start: '2027-01-02T14:30:00.000Z',
      end: '2027-01-02T15:15:00.000Z',
    });
    const { refused } = await importRows(eventKind, run, [
      rowOf({ title: 'x', start: '13/31/2024' }),
      rowOf({ title: 'x', start: '01/02/2027', end: '01/01/2027' }),
      rowOf({ start: '01/02/2027' }),
      rowOf({ title: 'x', matter: '99', start: '01/02/2027' }),
    ]);
    expect(refused.map(({ field, message }) => [field, message])).toEqual([
      ['start', '“13/31/2024” is not a date'],
      ['end', 'End must not be before start'],
      ['title', 'Title is required'],
      ['matter', 'No such matter in the export'],
    ]);
  });

  test('is found again, changes in what its row says otherwise, and goes with its import', async () => {
    const cells = { matter: '12', title: `Hearing ${unique()}`, start: '2027-02-03 10:00' };
    const { id } = await take(cells);
    expect((await take(cells)).matched).toEqual(new Map([[0, id]]));
    const row = rowOf({ ...cells, start: '2027-02-04', location: 'Part 12' });
    const draft = await draftOf(eventKind, run, row);
    const { start = '', end = '', location = '' } = draft.values;
    await change(eventKind, run, [{ id, values: { start, end, location }, draft }]);
    expect(await one(id)).toMatchObject({ allDay: true, start: '2027-02-04', location: 'Part 12' });
    expect(await remove(eventKind, run, [id])).toEqual(new Map());
    expect(await valuesOf(eventKind, run, [id])).toEqual([]);
  });
});
