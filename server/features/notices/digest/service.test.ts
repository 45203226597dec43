import { beforeAll, expect, test } from 'vitest';
import { dashboardRoutes } from '@matterdesk/contract/dashboard.ts';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { noticeRoutes } from '@matterdesk/contract/notices.ts';
import { isTimeZone } from '@matterdesk/contract/time.ts';
import { suite } from '../../../testing/app.ts';
import {
  addDeadline,
  addEvent,
  addTask,
  noticesOf,
  openCase,
  openUnfiledCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../../testing/factories.ts';

const { app } = suite({});
let people: Record<'admin' | 'ada' | 'ben' | 'idle', SignedInPerson>;

const hourIn = (zone: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format();
/** A place in which it is between noon and one o'clock, and its day. */
const timeZone =
  Intl.supportedValuesOf('timeZone').find((zone) => isTimeZone(zone) && hourIn(zone) === '12') ??
  'UTC';
// This locale writes days as the wire does.
const today = new Date().toLocaleDateString('sv-SE', { timeZone });
const isWorkday = new Date(today).getUTCDay() % 6 !== 0;

beforeAll(async () => {
  people = {
    admin: await registerAdmin(app),
    ada: await registerUser(app),
    ben: await registerUser(app),
    idle: await registerUser(app),
  };
  const { token } = people.admin;
  const changed = await app.call(firmRoutes.changeFirm, {
    token,
    body: { timeZone, morning: '00:00' },
  });
  if (changed.status !== 200) throw new Error(`The firm refused ${timeZone}`);
  await app.call(noticeRoutes.changeSettings, {
    token: people.ben.token,
    body: { digest: false },
  });
  const { id: ada } = people.ada;
  const matter = await openCase(app, token);
  await addEvent(app, token, { start: today, end: today, people: [ada, people.ben.id] });
  await addTask(app, token, {
    case: matter.id,
    assignedTo: ada,
    startTime: new Date(Date.now() - 3600_000).toISOString(),
    endTime: new Date().toISOString(),
  });
  const unfiled = await openUnfiledCase(app, token);
  const soft = { hard: false, second: null, date: today, owner: ada, case: unfiled.id };
  await addDeadline(app, token, soft);
  await addDeadline(app, token, {
    hard: true,
    date: '2039-03-01',
    owner: ada,
    second: people.ben.id,
  });
});

const digestsOf = async (who: keyof typeof people) =>
  (await noticesOf(app, people[who])).filter(({ type }) => type === 'digest');

test('the overview says what the day brings, and what waits', async () => {
  const { token } = people.ada;
  const { body } = await app.call(dashboardRoutes.readOverview, { token, query: { today } });
  // The hard one waits to be acknowledged, and the matter's only task is over.
  expect(body.digest).toEqual({ items: 1, deadlines: 1, tasks: 1, waiting: 1, noNextDate: 1 });
  expect(body.counts.deadlines).toBe(1);
});

test('each person who wishes it receives one digest a day, whatever is repeated', async () => {
  await Promise.all([app.raiseDigests(), app.raiseDigests()]);
  await app.raiseDigests();
  // As if the process had ended before the day was finished.
  await app.pool.query('delete from digest_days');
  await app.raiseDigests();
  const title = 'Today: 1 event, 1 deadline, 1 task, 1 waiting for you';
  expect(await digestsOf('ada')).toMatchObject([{ title, missed: false, item: null }]);
  expect(await digestsOf('ben')).toEqual([]);
  expect((await digestsOf('idle')).map((notice) => notice.title)).toEqual(
    isWorkday ? ['Nothing is due today'] : [],
  );
});

test('one that was due while the server was off says so, and none comes in the evening', async () => {
  const again = async (morning: string) => {
    await app.pool.query('delete from notices; delete from digest_days');
    const { token } = people.admin;
    await app.call(firmRoutes.changeFirm, { token, body: { morning } });
    await app.raiseDigests();
    return digestsOf('ada');
  };
  await app.pool.query(`insert into absences (from_at, to_at)
    values (clock_timestamp() - interval '1 day', clock_timestamp())`);
  expect(await again('00:30')).toMatchObject([{ missed: true }]);
  expect(await again('17:59')).toEqual([]);
});
