import { beforeAll, describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { type NewView, VIEWS_MAX, viewRoutes } from '@matterdesk/contract/views.ts';
import { suite } from '../../testing/app.ts';
import { registerAdmin, registerUser, type SignedInPerson } from '../../testing/factories.ts';

const { app } = suite({});
let admin: SignedInPerson;
let ada: SignedInPerson;
let ben: SignedInPerson;

beforeAll(async () => {
  admin = await registerAdmin(app);
  [ada, ben] = [await registerUser(app), await registerUser(app)];
});

const list = async ({ token }: SignedInPerson) =>
  (await app.call(viewRoutes.listViews, { token })).body.views;
const save = ({ token }: SignedInPerson, own: Partial<NewView> = {}) =>
  app.call(viewRoutes.saveView, {
    token,
    body: { page: 'matters', name: 'Discovery', query: 'status=Discovery', ...own },
  });

describe('a saved view', () => {
  test('is listed by name for its owner alone, until it is removed', async () => {
    const { status, body } = await save(ada);
    expect(status).toBe(201);
    await save(ada, { page: 'deadlines', name: 'answers', query: 'kind=response' });
    expect((await list(ada)).map(({ name }) => name)).toEqual(['answers', 'Discovery']);
    expect(await list(ben)).toEqual([]);
    const params = { id: body.view.id };
    expect(await app.call(viewRoutes.deleteView, { token: ben.token, params })).toMatchObject({
      status: 404,
      message: 'View not found',
    });
    expect((await app.call(viewRoutes.deleteView, { token: ada.token, params })).status).toBe(200);
    expect((await list(ada)).map(({ name }) => name)).toEqual(['answers']);
  });

  test('replaces one of the same page and name', async () => {
    const first = await save(ben, { name: 'Mine' });
    const second = await save(ben, { name: 'MINE', query: 'assigned=me' });
    expect(second.body.view).toEqual({ ...first.body.view, name: 'MINE', query: 'assigned=me' });
    await save(ben, { name: 'Mine', page: 'tasks' });
    expect(await list(ben)).toHaveLength(2);
  });

  test('needs a page, a name, and a user who is signed in and active', async () => {
    expect(await save(ada, { name: ' ' })).toMatchObject({
      status: 400,
      errors: [{ path: 'name', message: 'Name is required' }],
    });
    expect((await save(ada, { page: 'mails' as never })).status).toBe(400);
    expect((await save(ada, { query: 'a'.repeat(2001) })).status).toBe(400);
    expect(await app.call(viewRoutes.listViews, {})).toMatchObject({ code: 'invalidToken' });
    const leaver = await registerUser(app);
    await app.call(accountRoutes.changeUser, {
      token: admin.token,
      params: { id: leaver.id },
      body: { active: false },
    });
    expect(await save(leaver)).toMatchObject({ code: 'invalidToken' });
  });

  test('is one of a bounded number', async () => {
    const many = await registerUser(app);
    const names = Array.from({ length: VIEWS_MAX }, (_, at) => `View ${at}`);
    await Promise.all(names.map((name) => save(many, { name })));
    expect(await save(many, { name: 'Another' })).toMatchObject({
      status: 409,
      message: 'You have 100 saved views already. Remove one first.',
    });
    expect((await save(many, { name: 'View 1', query: 'sort=sol' })).status).toBe(201);
    expect(await list(many)).toHaveLength(VIEWS_MAX);
  });
});
