import { beforeAll, expect, test } from 'vitest';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { deadlineRoutes as routes } from '@matterdesk/contract/deadlines.ts';
import { noticeRoutes } from '@matterdesk/contract/notices.ts';
import { nextEvent } from '../../testing/client.ts';
import {
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
} from '../../testing/factories.ts';
import { suite } from '../../testing/suite.ts';

const { app } = suite({});
let people: Record<'admin' | 'owner' | 'second' | 'mover', SignedInPerson>;

beforeAll(async () => {
  people = {
    admin: await registerAdmin(app),
    owner: await registerWith(app, { createCases: true }),
    second: await registerWith(app, { editCalendar: true }),
    mover: await registerWith(app, { createCases: true, editCalendar: true }),
  };
});

type Who = keyof typeof people;
const as = (who: Who, id: string) => ({ token: people[who].token, params: { id } });

async function openOwned() {
  const { admin, owner, second } = people;
  const own = { SOL: '2031-03-03', assignedUsers: [owner.id] };
  const matter = await openCase(app, admin.token, own);
  const query = { case: matter.id, kind: 'limitation' } as const;
  const listed = await app.call(routes.listDeadlines, { token: admin.token, query });
  const id = listed.body.deadlines[0]?.id ?? '';
  await app.call(routes.changeDeadline, {
    ...as('admin', id),
    body: { second: second.id },
  });
  return { matter, id };
}

async function noticesOf(who: Who, id: string) {
  const { body } = await app.call(noticeRoutes.listNotices, { token: people[who].token });
  return body.notices.filter(({ item }) => item?.id === id).map(({ type, title }) => [type, title]);
}
const moveSol = (who: Who, id: string, SOL: string) =>
  app.call(caseRoutes.changeCase, { ...as(who, id), body: { SOL } });

const moved = ['change', 'Moved: Statute of limitations'];
const proposed = ['proposal', 'Change proposed: Statute of limitations'];

test('a moved SOL is a stored notice to owner and second, but not to its mover', async () => {
  const { matter, id } = await openOwned();
  const socket = await app.socket(people.owner.token);
  const raised = nextEvent(socket, 'notice.raised');
  expect((await moveSol('mover', matter.id, '2031-04-04')).status).toBe(200);
  expect(await raised).toMatchObject({ type: 'change', item: { type: 'deadline', id } });
  expect(await noticesOf('owner', id)).toEqual([moved]);
  expect(await noticesOf('second', id)).toEqual([moved]);
  for (const who of ['mover', 'admin'] as const) expect(await noticesOf(who, id)).toEqual([]);
  await moveSol('owner', matter.id, '2031-05-05');
  expect(await noticesOf('owner', id)).toEqual([moved]);
  expect(await noticesOf('second', id)).toEqual([moved, moved]);
  await app.call(caseRoutes.changeCase, { ...as('mover', matter.id), body: { judge: 'Hu' } });
  expect(await noticesOf('owner', id)).toEqual([moved]);
});

test('a proposed change is a notice, and so is what is decided about it, once each', async () => {
  const { id } = await openOwned();
  const verification = { date: '2031-03-03', time: null };
  expect(
    (await app.call(routes.verifyDeadline, { ...as('second', id), body: verification })).status,
  ).toBe(200);
  const body = {
    action: 'move' as const,
    date: '2031-06-06',
    time: null,
    reason: 'Tolled',
    proof: '',
  };
  expect((await app.call(routes.proposeChange, { ...as('mover', id), body })).status).toBe(200);
  expect(await noticesOf('owner', id)).toEqual([proposed]);
  const decision = { accept: true, reason: '' };
  await app.call(routes.decideChange, { ...as('second', id), body: decision });
  expect(await noticesOf('owner', id)).toEqual([moved, proposed]);
  expect(await noticesOf('second', id)).toEqual([proposed]);
});

test('a correction by another person is a notice, and no one else’s business', async () => {
  const { id } = await openOwned();
  const stranger = await registerUser(app);
  const body = { date: '2031-03-05', reason: 'Misread' };
  await app.call(routes.changeDeadline, { ...as('mover', id), body });
  expect(await noticesOf('owner', id)).toEqual([moved]);
  const { body: others } = await app.call(noticeRoutes.listNotices, { token: stranger.token });
  expect(others.notices).toEqual([]);
});
