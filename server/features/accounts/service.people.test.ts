import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountRoutes, type User } from '@matterdesk/contract/accounts.ts';
import { permissionsBy } from '@matterdesk/contract/permissions.ts';
import { startTestApp, type TestApp, suite } from '../../testing/app.ts';
import { disconnected, nextEvent, NOT_PERMITTED } from '../../testing/client.ts';
import {
  newPerson,
  PASSWORD,
  register,
  registerAdmin,
  registerManager,
  registerUser,
  registerWith,
  type SignedInPerson,
  signIn,
} from '../../testing/factories.ts';

const LAST_ADMIN = 'The last active admin cannot be demoted or deactivated';

const { app, admin, manager } = suite({ admin: registerAdmin, manager: registerManager });

function change({ token }: { token: string }, id: string, patch: object) {
  return app.call(accountRoutes.changeUser, { token, params: { id }, body: patch });
}

function deactivate({ token }: { token: string }, id: string) {
  return app.call(accountRoutes.deactivateUser, { token, params: { id } });
}

async function read(id: string): Promise<Record<string, unknown> | undefined> {
  const { rows } = await app.pool.query<Record<string, unknown>>(
    'select * from users where id = $1',
    [id],
  );
  return rows[0];
}

describe('user management refuses', () => {
  test('changes and deactivation by a plain user, but for their own names and number', async () => {
    const user = await registerWith(app, { createCases: true, editTasks: true });
    const other = await registerUser(app);
    const own = { firstName: 'Grace', lastName: 'Hopper', phoneNumber: '1 999 999 9998' };
    expect(await change(user, user.id, own)).toMatchObject({ status: 200, body: own });
    for (const { id } of [other, admin])
      expect(await change(user, id, own)).toMatchObject(NOT_PERMITTED);
    for (const { id } of [user, other, admin]) {
      const before = await read(id);
      const patches = [{ active: false }, { firstName: 'Ada', active: true }, { role: 'admin' }];
      for (const patch of patches)
        expect(await change(user, id, patch)).toMatchObject(NOT_PERMITTED);
      expect(await deactivate(user, id)).toMatchObject(NOT_PERMITTED);
      expect(await read(id)).toEqual(before);
    }
  });

  test('roles and permissions set by a manager who is no admin', async () => {
    const other = await registerUser(app);
    for (const id of [other.id, manager.id]) {
      const before = await read(id);
      for (const patch of [
        { role: 'admin' },
        { role: 'user' },
        { permissions: { editTasks: true } },
        { firstName: 'Grace', permissions: {} },
      ])
        expect(await change(manager, id, patch)).toMatchObject(NOT_PERMITTED);
      expect(await read(id)).toEqual(before);
    }
  });
});

describe('user management', () => {
  test('lets a manager change names, phone number and activity', async () => {
    const { id } = await registerUser(app);
    const patch = { firstName: ' Grace ', lastName: 'Hopper', phoneNumber: '1 999 999 9999' };
    const reply = await change(manager, id, patch);
    expect(reply).toMatchObject({
      status: 200,
      message: 'User updated',
      body: { id, firstName: 'Grace', lastName: 'Hopper', phoneNumber: '1 999 999 9999' },
    });
    expect(await change(manager, id, { active: false })).toMatchObject({ body: { active: false } });
    expect(await change(manager, id, { active: true })).toMatchObject({ body: { active: true } });
  });

  test('lets an admin change the role and merges granted permissions', async () => {
    const { id } = await registerUser(app);
    const permissionsAfter = async (patch: object) =>
      (await change(admin, id, patch)).body.permissions;
    const none = permissionsBy(() => false);
    expect(await permissionsAfter({ permissions: { editTasks: true } })).toEqual({
      ...none,
      editTasks: true,
    });
    expect(await permissionsAfter({ permissions: { createCases: true } })).toEqual({
      ...none,
      createCases: true,
      editTasks: true,
    });
    expect(await permissionsAfter({ permissions: { editTasks: false } })).toEqual({
      ...none,
      createCases: true,
    });
    expect(await permissionsAfter({ role: 'admin' })).toEqual(permissionsBy(() => true));
    expect(await permissionsAfter({ role: 'user' })).toEqual({ ...none, createCases: true });
  });

  test('applies a new permission to open sessions right away', async () => {
    const [user, other] = [await registerUser(app), await registerUser(app)];
    expect(await change(user, other.id, { firstName: 'Grace' })).toMatchObject(NOT_PERMITTED);
    await change(admin, user.id, { permissions: { manageUsers: true } });
    expect(await change(user, other.id, { firstName: 'Grace' })).toMatchObject({ status: 200 });
    await change(admin, user.id, { permissions: { manageUsers: false } });
    expect(await change(user, other.id, { firstName: 'Ada' })).toMatchObject(NOT_PERMITTED);
  });

  test('refuses unknown users', async () => {
    for (const id of ['x', '00000000-0000-0000-0000-000000000000']) {
      const found = { status: 404, message: 'User not found', body: null };
      expect(await change(admin, id, { firstName: 'Grace' })).toMatchObject(found);
      expect(await deactivate(admin, id)).toMatchObject(found);
    }
  });

  test('records each change with before and after, and no refused one', async () => {
    const { id } = await registerUser(app);
    await change(admin, id, { firstName: 'Grace' });
    await change(manager, id, { role: 'admin' });
    const { rows } = await app.pool.query(
      `select action, actor_id, before ->> 'firstName' as before, after ->> 'firstName' as after
       from audit_log where entity_id = $1 and action = 'updated'`,
      [id],
    );
    expect(rows).toEqual([
      { action: 'updated', actor_id: admin.id, before: 'Ada', after: 'Grace' },
    ]);
  });

  test('broadcasts a change to everyone else in the form of a reply', async () => {
    const { id } = await registerUser(app);
    const socket = await app.socket((await registerUser(app)).token);
    const event = nextEvent(socket, 'user.updated');
    const { body } = await change(admin, id, { lastName: 'Hopper' });
    expect(await event).toEqual(body);
  });
});

describe('deactivating a user', () => {
  test('ends every session and socket right away and keeps the name', async () => {
    const person = await registerUser(app);
    const second = await signIn(app, person.email);
    const sockets = [await app.socket(person.token), await app.socket(second.token)];
    const event = sockets.map((socket) => nextEvent(socket, 'session.ended'));
    const ends = sockets.map(disconnected);
    const reply = await deactivate(manager, person.id);
    expect(JSON.parse(reply.text)).toEqual({
      statusCode: 200,
      message: 'User deactivated',
      body: null,
    });
    expect(await Promise.all(event)).toEqual([
      { reason: 'deactivated' },
      { reason: 'deactivated' },
    ]);
    expect(await Promise.all(ends)).toEqual(['io server disconnect', 'io server disconnect']);
    for (const { token } of [person, second])
      expect(await app.call(accountRoutes.me, { token })).toMatchObject({ status: 400 });
    const { rows } = await app.pool.query('select from sessions where user_id = $1', [person.id]);
    expect(rows).toEqual([]);
    const list = await app.call(accountRoutes.listUsers, { token: manager.token });
    expect(list.body.find(({ id }) => id === person.id)).toMatchObject({ active: false });
  });

  test('works by PATCH too, in every process of the firm', async () => {
    const person = await registerUser(app);
    const other = await startTestApp({ database: app.database });
    const socket = await other.socket(person.token);
    const end = disconnected(socket);
    await change(admin, person.id, { active: false });
    expect(await end).toBe('io server disconnect');
    expect(await other.call(accountRoutes.me, { token: person.token })).toMatchObject({
      status: 400,
    });
    await other.close();
  });

  test('can be undone, but old tokens stay invalid', async () => {
    const person = await registerUser(app);
    await deactivate(admin, person.id);
    const login = { email: person.email, password: PASSWORD };
    expect(await app.call(accountRoutes.login, { body: login })).toMatchObject({
      status: 403,
      code: 'accountDeactivated',
      message: 'Your account is deactivated',
    });
    await change(admin, person.id, { active: true });
    expect(await app.call(accountRoutes.login, { body: login })).toMatchObject({ status: 200 });
    expect(await app.call(accountRoutes.me, { token: person.token })).toMatchObject({
      status: 400,
    });
  });

  test('leaves other users alone', async () => {
    const [person, neighbour] = [await registerUser(app), await registerUser(app)];
    const socket = await app.socket(neighbour.token);
    const event = nextEvent(socket, 'user.updated');
    await deactivate(admin, person.id);
    expect(await event).toMatchObject({ id: person.id, active: false });
    expect(socket.connected).toBe(true);
    expect(await app.call(accountRoutes.me, { token: neighbour.token })).toMatchObject({
      status: 200,
    });
  });
});

describe('the last active admin', () => {
  let firm: TestApp;
  let first: SignedInPerson;
  let second: SignedInPerson;
  let helper: SignedInPerson;

  beforeEach(async () => {
    firm = await startTestApp();
    first = await registerAdmin(firm);
    second = await registerAdmin(firm);
    helper = await registerManager(firm);
    return () => firm.close();
  });

  const send = (by: SignedInPerson, id: string, patch: object) =>
    firm.call(accountRoutes.changeUser, { token: by.token, params: { id }, body: patch });

  async function countAdmins() {
    const { rows } = await firm.pool.query(`select from users where role = 'admin' and active`);
    return rows.length;
  }

  test('cannot be removed, by anyone in any way', async () => {
    expect(await send(first, second.id, { active: false })).toMatchObject({ status: 200 });
    const refusal = { status: 409, code: 'lastAdmin', message: LAST_ADMIN, body: null };
    expect(await send(first, first.id, { role: 'user' })).toMatchObject(refusal);
    expect(await send(first, first.id, { active: false })).toMatchObject(refusal);
    expect(await send(helper, first.id, { active: false })).toMatchObject(NOT_PERMITTED);
    const request = { token: first.token, params: { id: first.id } };
    expect(await firm.call(accountRoutes.deactivateUser, request)).toMatchObject(refusal);
    expect(await send(first, first.id, { firstName: 'Grace', role: 'admin' })).toMatchObject({
      status: 200,
    });
    expect(await countAdmins()).toBe(1);
    expect(await firm.call(accountRoutes.me, { token: first.token })).toMatchObject({
      status: 200,
    });
  });

  test.each([{ role: 'user' }, { active: false }])(
    'stays when two requests send %j at once',
    async (patch) => {
      for (let round = 0; round < 5; round += 1) {
        const replies = await Promise.all([
          send(first, second.id, patch),
          send(second, first.id, patch),
        ]);
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(await countAdmins()).toBe(1);
        await firm.pool.query(`update users set role = 'admin', active = true where id = any($1)`, [
          [first.id, second.id],
        ]);
        first = await signIn(firm, first.email);
        second = await signIn(firm, second.email);
      }
    },
  );

  test('stays when both admins resign at once', async () => {
    const replies = await Promise.all([
      send(first, first.id, { role: 'user' }),
      send(second, second.id, { active: false }),
    ]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await countAdmins()).toBe(1);
  });
});

describe('users pending approval', () => {
  let firm: TestApp;
  let boss: SignedInPerson;
  let colleague: SignedInPerson;
  let waiting: { id: string; email: string };

  beforeAll(async () => {
    firm = await startTestApp({ env: { REGISTRATION: 'approval' } });
    boss = await registerAdmin(firm);
    const person = newPerson();
    await firm.call(accountRoutes.register, { body: person });
    await firm.pool.query('update users set active = true, approved = true');
    colleague = await signIn(firm, person.email);
  });
  beforeEach(async () => {
    const person = newPerson({ lastName: 'Newcomer' });
    const { body } = await firm.call(accountRoutes.register, { body: person });
    waiting = { id: body.id, email: person.email };
  });
  afterAll(() => firm.close());

  const list = async ({ token }: { token: string }, query = {}) => {
    const reply = await firm.call(accountRoutes.listUsers, { token, query });
    return { ids: reply.body.map(({ id }) => id), total: Number(reply.headers.get('x-total')) };
  };
  const approve = (patch: object) =>
    firm.call(accountRoutes.changeUser, {
      token: boss.token,
      params: { id: waiting.id },
      body: patch,
    });

  test('are listed for managers of users only', async () => {
    expect((await list(boss)).ids).toContain(waiting.id);
    for (const query of [{}, { search: 'newcomer' }, { limit: 200 }]) {
      const found = await list(colleague, query);
      expect(found.ids).not.toContain(waiting.id);
      expect(found.total).toBe(found.ids.length);
    }
    expect((await list(boss, { search: 'newcomer' })).ids).toContain(waiting.id);
  });

  test('are announced to managers of users, and to everyone after approval', async () => {
    const [atBoss, atColleague] = [
      await firm.socket(boss.token),
      await firm.socket(colleague.token),
    ];
    const overheard: User[] = [];
    atColleague.on('user.created', (user) => overheard.push(user));
    atColleague.on('user.updated', (user) => overheard.push(user));
    const created: User[] = [];
    atBoss.on('user.created', (user) => created.push(user));
    const person = newPerson();
    await firm.call(accountRoutes.register, { body: person });
    // The event of the earlier registration may come as late as this.
    const announced = () => created.filter(({ email }) => email === person.email);
    await expect.poll(announced).toMatchObject([{ active: false, waiting: true }]);
    const renamed = nextEvent(atBoss, 'user.updated');
    await approve({ firstName: 'Grace' });
    expect(await renamed).toMatchObject({ id: waiting.id, active: false });
    await approve({ active: true });
    const admitted = { id: waiting.id, active: true, waiting: false };
    await expect.poll(() => overheard).toMatchObject([admitted]);
  });

  test('are admitted by activation and by no other change', async () => {
    const login = { email: waiting.email, password: PASSWORD };
    await approve({ role: 'admin', permissions: { editTasks: true } });
    expect(await firm.call(accountRoutes.login, { body: login })).toMatchObject({
      status: 403,
      code: 'accountWaiting',
      message: 'Your account is waiting for approval',
    });
    await approve({ active: true });
    expect(await firm.call(accountRoutes.login, { body: login })).toMatchObject({ status: 200 });
  });

  test('are deactivated when rejected', async () => {
    await approve({ active: false });
    const login = { email: waiting.email, password: PASSWORD };
    expect(await firm.call(accountRoutes.login, { body: login })).toMatchObject({
      status: 403,
      code: 'accountDeactivated',
      message: 'Your account is deactivated',
    });
  });

  test('are announced to managers of users only while they have the permission', async () => {
    const grant = (manageUsers: boolean) =>
      firm.call(accountRoutes.changeUser, {
        token: boss.token,
        params: { id: colleague.id },
        body: { permissions: { manageUsers } },
      });
    const socket = await firm.socket(colleague.token);
    const notifiedOf: string[] = [];
    socket.on('user.created', ({ email }) => notifiedOf.push(email));
    const [before, meanwhile, after] = [newPerson(), newPerson(), newPerson()];
    await firm.call(accountRoutes.register, { body: before });
    await grant(true);
    await firm.call(accountRoutes.register, { body: meanwhile });
    await expect.poll(() => notifiedOf).toEqual([meanwhile.email]);
    const event = nextEvent(socket, 'user.updated');
    await grant(false);
    await event;
    await firm.call(accountRoutes.register, { body: after });
    const last = nextEvent(socket, 'user.updated');
    await firm.call(accountRoutes.changeUser, {
      token: boss.token,
      params: { id: boss.id },
      body: { firstName: 'Grace' },
    });
    await last;
    expect(notifiedOf).toEqual([meanwhile.email]);
  });
});

describe('the list of users', () => {
  let firm: TestApp;
  let token: string;
  const names = ['Ångström', 'Zuse', 'adams', 'Öztürk', 'Adams', 'Berners-Lee', '100%_\\'];

  beforeAll(async () => {
    firm = await startTestApp();
    ({ token } = await register(firm, { lastName: 'Middle', firstName: 'Mid' }));
    for (const lastName of names)
      await firm.call(accountRoutes.register, { body: newPerson({ lastName, firstName: 'Ada' }) });
  });
  afterAll(() => firm.close());

  const list = (query: Record<string, string | number> = {}) =>
    firm.call(accountRoutes.listUsers, { token, query });
  const lastNames = async (query: Record<string, string | number>) =>
    (await list(query)).body.map(({ lastName }) => lastName);

  test('is the body itself, by last name, without secrets', async () => {
    const reply = await list();
    expect(reply.body.map(({ lastName }) => lastName)).toEqual([
      '100%_\\',
      'adams',
      'Adams',
      'Ångström',
      'Berners-Lee',
      'Middle',
      'Öztürk',
      'Zuse',
    ]);
    expect(Object.keys(reply.body[0] ?? {}).toSorted()).toEqual([
      'active',
      'email',
      'firstName',
      'id',
      'lastName',
      'permissions',
      'phoneNumber',
      'role',
      'waiting',
    ]);
    expect(reply.headers.get('x-total')).toBe('8');
    expect(reply.headers.get('x-next-cursor')).toBeNull();
  });

  test('comes in pages that add up to the whole list', async () => {
    const whole = (await list()).body.map(({ id }) => id);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const reply: Awaited<ReturnType<typeof list>> = await list({
        limit: 3,
        ...(cursor && { cursor }),
      });
      expect(reply.headers.get('x-total')).toBe('8');
      found.push(...reply.body.map(({ id }) => id));
      cursor = reply.headers.get('x-next-cursor');
    } while (cursor);
    expect(found).toEqual(whole);
  });

  test.each([
    ['ZUSE', ['Zuse']],
    ['öZTÜRK', ['Öztürk']],
    ['A\u030Angstr', ['Ångström']],
    ['mid', ['Middle']],
    ['%_\\', ['100%_\\']],
    ['%', ['100%_\\']],
    ['_', ['100%_\\']],
    ['-lee', ['Berners-Lee']],
    ['no one at all', []],
    ['ada  ADAMS', ['adams', 'Adams']],
    ['"ada adams"', []],
  ])('finds by any field, literally and whatever the case: %s', async (search, found) => {
    expect(await lastNames({ search })).toEqual(found);
  });

  test.each([
    ['firm.example', 8],
    ['234 567', 8],
    ['user', 7],
    // The first account.
    ['admin', 1],
  ])('searches every field: %s', async (search, found) => {
    const reply = await list({ search });
    expect(reply.body).toHaveLength(found);
    expect(reply.headers.get('x-total')).toBe(`${found}`);
  });

  test('ignores a blank search', async () => {
    expect(await lastNames({ search: '   ' })).toHaveLength(8);
  });
});
