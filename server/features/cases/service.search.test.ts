import { beforeAll, expect, test } from 'vitest';
import { type AccessChange, accessRoutes } from '@matterdesk/contract/access.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import {
  openCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../testing/factories.ts';
import { suite } from '../../testing/suite.ts';

const { app } = suite({});
let lead: SignedInPerson;
let reader: SignedInPerson;
let screened: SignedInPerson;

/** Seventeen matters, fourteen of them restricted; the reader was added to one, and another person is screened from one that is open. */
beforeAll(async () => {
  [lead, reader, screened] = [
    await registerAdmin(app),
    await registerUser(app),
    await registerUser(app),
  ];
  for (let n = 1; n <= 17; n += 1) {
    const statusType = n === 17 ? ('Archive' as const) : ('Active' as const);
    const caseName = `Xylander ${n}`;
    const { id } = await openCase(app, lead.token, {
      caseName,
      statusType,
      assignedUsers: [lead.id],
    });
    if (n <= 14) await change(id, { mode: 'restricted', people: n === 7 ? [reader.id] : [] });
    if (n === 15)
      await change(id, { screened: [{ person: screened.id, reason: 'Former client' }] });
  }
});

async function change(id: string, own: Partial<AccessChange>): Promise<void> {
  const params = { kind: 'cases', id };
  const { token } = lead;
  const { updatedAt } = (await app.call(accessRoutes.readAccess, { token, params })).body.access;
  const body = { mode: 'open', people: [], screened: [], reason: 'test', updatedAt, ...own };
  expect((await app.call(accessRoutes.changeAccess, { token, params, body })).status).toBe(200);
}

async function find({ token }: SignedInPerson, own: Record<string, string | number>) {
  const query = { limit: 200, ...own };
  const { body } = await app.call(caseRoutes.listCases, { token, query });
  const { total, nextCursor } = body;
  return { names: body.cases.map(({ caseName }) => caseName), total, nextCursor };
}

test('the search finds what a user sees among many restricted cases, page by page', async () => {
  const whole = { names: ['Xylander 17', 'Xylander 16', 'Xylander 15', 'Xylander 7'], total: 4 };
  expect(await find(reader, { search: 'xylander' })).toMatchObject(whole);
  const first = await find(reader, { search: 'xylander', limit: 3 });
  expect(first).toMatchObject({ names: whole.names.slice(0, 3), total: 4 });
  const cursor = first.nextCursor ?? '';
  expect(await find(reader, { search: 'xylander', limit: 3, cursor })).toEqual({
    names: ['Xylander 7'],
    total: 4,
    nextCursor: null,
  });
  expect(await find(reader, { search: '"xylander 7"' })).toMatchObject({ total: 1 });
  expect(await find(reader, { search: 'xylander', statusType: 'Archive' })).toMatchObject({
    names: ['Xylander 17'],
    total: 1,
  });
  expect(await find(reader, { search: '"xylander 8"' })).toMatchObject({ names: [], total: 0 });
});

test('the search finds nothing from which a user is screened, and everything for its people', async () => {
  expect((await find(screened, { search: 'xylander' })).names).toEqual([
    'Xylander 17',
    'Xylander 16',
  ]);
  expect((await find(lead, { search: 'xylander' })).total).toBe(17);
});

test('the search counts what it lists, also while cases are opened', async () => {
  const add = (n: number) => openCase(app, lead.token, { caseName: `Quorvane ${n}` });
  for (let n = 0; n < 20; n += 1) {
    const opened = Promise.all([add(2 * n), add(2 * n + 1)]);
    const replies = await Promise.all(
      ['', '-caseName', ''].flatMap((sort) => [
        find(lead, { search: 'quorvane', ...(sort && { sort }) }),
        find(lead, { search: 'quorvane n', ...(sort && { sort }) }),
      ]),
    );
    await opened;
    for (const { names, total, nextCursor } of replies) {
      expect(nextCursor).toBeNull();
      expect(total).toBe(names.length);
    }
  }
});
