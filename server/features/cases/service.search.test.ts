import { beforeAll, expect, test } from 'vitest';
import { type AccessChange, accessRoutes } from '@matterdesk/contract/access.ts';
import { caseRoutes, type NewCase } from '@matterdesk/contract/cases.ts';
import { suite } from '../../testing/app.ts';
import {
  openCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../testing/factories.ts';

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

test('the search keeps the totals of a user apart from the first search after a wall admits them alone', async () => {
  const [added, other] = [await registerUser(app), await registerUser(app)];
  const { id } = await openCase(app, lead.token, {
    caseName: 'Unterwald 1',
    assignedUsers: [lead.id],
  });
  // More than a page in any case, so that the total is never its length.
  for (const n of [2, 3]) await openCase(app, lead.token, { caseName: `Unterwald ${n}` });
  // Both see what most users see, which their searches remember.
  for (const who of [added, other])
    expect(await find(who, { search: 'unterwald', limit: 1 })).toMatchObject({ total: 3 });
  await change(id, { mode: 'restricted', people: [added.id] });
  expect(await find(added, { search: 'unterwald', limit: 1 })).toMatchObject({ total: 3 });
  expect(await find(other, { search: 'unterwald', limit: 1 })).toMatchObject({ total: 2 });
  expect(await find(added, { search: 'unterwald', limit: 1 })).toMatchObject({ total: 3 });
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

test('a ranked search lists names that begin with the text before a newer matter whose counsel has it', async () => {
  const { token } = lead;
  const counsel = (organization: string) => ({
    opposingCounselInfo: {
      organization,
      name: 'Dana Cole',
      phoneNumber: '212 555 0144',
      email: 'cole@counsel.example',
      address: '1 Main Street',
    },
  });
  const open = (caseName: string, own: Partial<NewCase> = {}) =>
    openCase(app, token, { caseName, ...counsel('Boyd LLP'), ...own });
  await open('Reyes v. Jansen');
  await open('Reyes v. Old', { statusType: 'Archive' });
  await open('Estate of Reyes');
  await open('In re Areyes');
  await open('Numbered', { caseNo: 'REYES-17' });
  await open('Adams v. City', counsel('Reyes & Partners LLP'));
  const ranked = (own: Record<string, string | number>) => find(lead, { ranked: 1, ...own });
  expect(await ranked({ search: 'reyes' })).toEqual({
    names: [
      'Numbered',
      'Reyes v. Jansen',
      'Reyes v. Old',
      'Estate of Reyes',
      'In re Areyes',
      'Adams v. City',
    ],
    total: 6,
    nextCursor: null,
  });
  const named = async (search: string) => (await ranked({ search, limit: 1 })).names;
  expect(await named('jansen rey')).toEqual(['Reyes v. Jansen']);
  expect(await named('reyes v. old')).toEqual(['Reyes v. Old']);
  expect(await named('reyes & partners')).toEqual(['Adams v. City']);
  expect(await named('r')).toEqual(['Numbered']);
  expect((await ranked({ search: 'reyes', statusType: 'Archive' })).names).toEqual([
    'Reyes v. Old',
  ]);
  // Without the wish, and with an order, lists stay as they are.
  expect((await find(lead, { search: 'reyes', limit: 1 })).names).toEqual(['Adams v. City']);
  const refused = await app.call(caseRoutes.listCases, { token, query: { ranked: 'yes' } });
  expect(refused).toMatchObject({ status: 400, errors: [{ path: 'ranked' }] });
});

test('a ranked search keeps restricted matters from those who do not see them', async () => {
  const ranked = (who: SignedInPerson) => find(who, { search: 'xylander', ranked: 1 });
  expect(await ranked(reader)).toMatchObject({
    names: ['Xylander 16', 'Xylander 15', 'Xylander 7', 'Xylander 17'],
    total: 4,
  });
  expect((await ranked(screened)).names).toEqual(['Xylander 16', 'Xylander 17']);
});
