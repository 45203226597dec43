import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Case, caseRoutes, activityRoutes } from '@matterdesk/contract/cases.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { suite } from '../../testing/app.ts';
import { NOT_PERMITTED } from '../../testing/client.ts';
import {
  newCase,
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  unique,
} from '../../testing/factories.ts';

const { app, admin, clerk, user } = suite({
  admin: registerAdmin,
  clerk: (to) => registerWith(to, { createCases: true }),
  user: registerUser,
});

const open = (body: unknown, token = clerk.token) => app.call(caseRoutes.openCase, { token, body });
const change = (id: string, body: unknown, token = clerk.token) =>
  app.call(caseRoutes.changeCase, { token, params: { id }, body });
const read = (id: string, token = user.token) =>
  app.call(caseRoutes.readCase, { token, params: { id } });

/** Moves a case's clock back by that many hours. */
async function age(id: string, hours: number) {
  const { days_open_since: since, archived_at: archived } = await app.db
    .selectFrom('cases')
    .select(['days_open_since', 'archived_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const back = (date: Date) => new Date(date.getTime() - hours * 3600_000);
  await app.db
    .updateTable('cases')
    .set({ days_open_since: back(since), archived_at: archived && back(archived) })
    .where('id', '=', id)
    .execute();
}

const bodyFor = (route: Route) =>
  route.path.endsWith('/noStatute') ? { reason: 'None applies' } : { judge: 'Hon. Learned Hand' };

describe('access to cases', () => {
  const routes: [string, Route][] = Object.entries({ ...caseRoutes, ...activityRoutes });
  const send = (route: Route, id: string, token?: string) =>
    app.request(route.path.replace('{id}', id), {
      method: route.method,
      headers: {
        ...(token !== undefined && { 'x-auth-token': token }),
        ...(route.body && { 'content-type': 'application/json' }),
        ...(route.file && { 'content-type': 'multipart/form-data; boundary=x' }),
      },
      ...(route.body && { body: JSON.stringify(bodyFor(route)) }),
      ...(route.file && { body: '--x--\r\n' }),
    });

  test.each(routes)('refuses %s without a session', async (_name, route) => {
    const { id } = await openCase(app, clerk.token);
    for (const token of [undefined, '', 'nonsense', `${user.token}x`])
      expect(await send(route, id, token)).toMatchObject({
        status: 400,
        code: 'invalidToken',
        message: 'Unauthorized token provided',
        body: null,
      });
  });

  test.each(routes.filter(([, { access }]) => typeof access === 'object'))(
    'requires createCases for %s',
    async (_name, route) => {
      const { id } = await openCase(app, clerk.token);
      expect(await send(route, id, user.token)).toMatchObject(NOT_PERMITTED);
    },
  );

  test.each(routes.filter(([, { path }]) => path.includes('{id}')))(
    'refuses %s for an unknown case',
    async (_name, route) => {
      for (const id of [randomUUID(), 'x', '%00', "'", `${randomUUID()}0`])
        expect(await send(route, id, clerk.token)).toMatchObject({
          status: 404,
          message: 'Case not found',
          body: null,
        });
    },
  );

  test('lets every signed-in user read cases', async () => {
    const opened = await openCase(app, clerk.token);
    expect((await read(opened.id)).body.case).toEqual(opened);
    expect(await app.call(caseRoutes.listCases, { token: user.token })).toMatchObject({
      status: 200,
    });
  });
});

describe('opening a case', () => {
  test('returns the whole case, the same as every user reads', async () => {
    const input = newCase({ assignedUsers: [admin.id, user.id] });
    const reply = await open(input);
    expect(reply).toMatchObject({ status: 201, message: 'Case created' });
    const { id, createdAt, updatedAt, ...opened } = reply.body.case;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(opened).toEqual({
      ...input,
      incomplete: [],
      download: [],
      fileCount: 0,
      assignedUsers: [admin, user].map((person) => ({
        id: person.id,
        firstName: person.firstName,
        lastName: person.lastName,
      })),
    });
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(new Date(updatedAt).toISOString()).toBe(updatedAt);
    expect((await read(id)).body.case).toEqual(reply.body.case);
  });

  const required: [string, string][] = [
    ['caseName', 'Case Name is required'],
    ['caseNo', 'Case No is required'],
    ['statusType', 'Status Type is required'],
    ['status', 'Status is required'],
    ['type', 'Type is required'],
    ['judge', 'Judge is required'],
    ['dateOfOpening', 'Date of Opening is required'],
    ['managingAttorney', 'Managing Attorney is required'],
    ['DOI', 'Date of Opening is required'],
    ['SOL', 'SOL is required'],
    ['daysOpen', 'Days Open is required'],
    ['clientInfo.name', 'Client Name is required'],
    ['clientInfo.phoneNumber', 'Client Phone Number is required'],
    ['clientInfo.email', 'Client Email is required'],
    ['clientInfo.address', 'Client Address is required'],
    ['opposingCounselInfo.organization', 'Opposing Counsel Organization Name is required'],
    ['opposingCounselInfo.name', 'Opposing Counsel Name is required'],
    ['opposingCounselInfo.phoneNumber', 'Opposing Counsel Phone Number is required'],
    ['opposingCounselInfo.email', 'Opposing Counsel Email is required'],
    ['opposingCounselInfo.address', 'Opposing Counsel Address is required'],
  ];
  const allRequired = required.map(([path, message]) => ({ path, message }));

  test.each([
    ['no body', undefined],
    ['an empty one', {}],
    ['null parties', { clientInfo: null, opposingCounselInfo: null }],
    ['empty parties', { clientInfo: {}, opposingCounselInfo: {} }],
  ])('reports every missing field in the form’s order: %s', async (_name, body) => {
    const reply = await open(body);
    expect(reply).toMatchObject({ status: 400, message: 'Case Name is required', body: null });
    expect(reply.errors).toEqual(allRequired);
  });

  test.each(required)('refuses a missing, null, empty or blank %s: %s', async (path, message) => {
    for (const value of [undefined, null, '', ' \t ']) {
      const reply = await open(withMember(newCase(), path, value));
      expect(reply).toMatchObject({ status: 400, message });
      expect(reply.errors).toEqual([{ path, message }]);
    }
  });

  test.each([
    ['caseName', 7, 'Case Name must be text'],
    ['caseName', 'x'.repeat(201), 'Case Name must have at most 200 characters'],
    ['caseName', 'a\u202Eb', 'Case Name must not hold control characters'],
    ['caseName', 'a\nb', 'Case Name must not hold control characters'],
    ['judge', '\uD800', 'Judge must not hold control characters'],
    ['statusType', 'Open', 'Status Type must be one of Active, Archive'],
    ['statusType', 'active', 'Status Type must be one of Active, Archive'],
    ['status', 'Trial', 'Status must be one of Pre-List, Litigation, ADR'],
    ['type', 1, 'Type must be one of Civil, PI, Med-Mal'],
    ['dateOfOpening', '2025-02-30', 'Date Of Opening must be a date'],
    ['DOI', '01/02/2025', 'DOI must be a date'],
    ['SOL', '2025-1-2', 'SOL must be a date'],
    ['daysOpen', '12', 'Days Open must be a whole number from 0 to 100000'],
    ['daysOpen', -1, 'Days Open must be a whole number from 0 to 100000'],
    ['daysOpen', 100_001, 'Days Open must be a whole number from 0 to 100000'],
    ['daysOpen', 1.5, 'Days Open must be a whole number from 0 to 100000'],
    ['clientInfo.email', 'jane', 'Invalid email format'],
    ['opposingCounselInfo.email', 'a@b', 'Invalid email format'],
    ['clientInfo.address', 'a\u0000b', 'Client Address must not hold control characters'],
    ['assignedUsers', 'me', 'Assigned Users must be a list of user ids'],
    ['assignedUsers', null, 'Assigned Users must be a list of user ids'],
    ['color', 'red', 'Unknown field: color'],
    ['id', randomUUID(), 'Unknown field: id'],
    ['clientInfo.fax', '1', 'Unknown field: fax'],
  ])('refuses %s of %j', async (path, value, message) => {
    const reply = await open(withMember(newCase(), path, value));
    expect(reply).toMatchObject({ status: 400, message, errors: [{ path, message }] });
  });

  test('keeps text as typed, trimmed and normalized', async () => {
    const reply = await open(
      newCase({
        caseName: '  Zoe\u0308 v. Ødegård 👩🏽‍⚖️ ',
        clientInfo: { ...newCase().clientInfo, address: '1 Main St\r\n\tRear\rDoor\n' },
      }),
    );
    expect(reply.body.case.caseName).toBe('Zoë v. Ødegård 👩🏽‍⚖️');
    expect(reply.body.case.clientInfo.address).toBe('1 Main St\n\tRear\nDoor');
  });

  test('keeps no part of a refused case', async () => {
    const caseName = `Refused ${unique()}`;
    await open(newCase({ caseName, assignedUsers: [randomUUID()] }));
    await open(newCase({ caseName, judge: '' }));
    await open(newCase({ caseName }), user.token);
    const list = await app.call(caseRoutes.listCases, {
      token: user.token,
      query: { search: caseName },
    });
    expect(list.body).toMatchObject({ cases: [], total: 0 });
  });
});

describe('a case number', () => {
  const taken = {
    status: 409,
    code: 'alreadyExists',
    message: 'Case No already exists',
    body: null,
    errors: [{ path: 'caseNo', message: 'Case No already exists' }],
  };

  test('is unique regardless of case', async () => {
    const n = unique();
    await openCase(app, clerk.token, { caseNo: `Straße-${n}` });
    for (const caseNo of [`Straße-${n}`, `STRASSE-${n}`, ` strasse-${n} `, `STRAẞE-${n}`])
      expect(await open(newCase({ caseNo }))).toMatchObject(taken);
    expect(await open(newCase({ caseNo: `Strase-${n}` }))).toMatchObject({ status: 201 });
  });

  test('goes to one of many parallel requests', async () => {
    const n = unique();
    const wishes = Array.from({ length: 20 }, (_, i) =>
      newCase({ caseNo: i % 2 ? `race-${n}` : `RACE-${n}`, assignedUsers: [user.id] }),
    );
    const replies = await Promise.all(wishes.map((wish) => open(wish)));
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 19 }, () => 409),
    ]);
  });

  test('cannot be changed to a taken one, not even in parallel', async () => {
    const n = unique();
    const [first, ...others] = await Promise.all(
      Array.from({ length: 5 }, () => openCase(app, clerk.token)),
    );
    if (!first) throw new Error('no case');
    expect(await change(first.id, { caseNo: ` ${first.caseNo.toLowerCase()} ` })).toMatchObject({
      status: 200,
    });
    for (const one of others)
      expect(await change(one.id, { caseNo: first.caseNo.toUpperCase() })).toMatchObject(taken);
    const wishes = others.map((one) => change(one.id, { caseNo: `wanted-${n}` }));
    const replies = await Promise.all(wishes);
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409,
    ]);
  });
});

describe('changing a case', () => {
  test('updates the given fields and keeps the rest', async () => {
    const before = await openCase(app, clerk.token, { assignedUsers: [user.id] });
    const reply = await change(before.id, {
      caseName: 'Renamed',
      SOL: '2027-01-01',
      clientInfo: { email: 'new@client.example' },
      opposingCounselInfo: { name: 'Someone', address: 'Elsewhere' },
    });
    expect(reply).toMatchObject({ status: 200, message: 'Case updated' });
    const after: Case = {
      ...before,
      caseName: 'Renamed',
      SOL: '2027-01-01',
      clientInfo: { ...before.clientInfo, email: 'new@client.example' },
      opposingCounselInfo: {
        ...before.opposingCounselInfo,
        name: 'Someone',
        address: 'Elsewhere',
      },
      updatedAt: reply.body.case.updatedAt,
      waiting: {
        date: before.SOL,
        proposed: '2027-01-01',
        by: { id: clerk.id, firstName: clerk.firstName, lastName: clerk.lastName },
        decides: before.assignedUsers[0] ?? null,
      },
    };
    expect(reply.body.case).toEqual(after);
    expect((await read(before.id)).body.case).toEqual(after);
    expect(after.updatedAt > before.updatedAt).toBe(true);
  });

  test('requires a change', async () => {
    const { id } = await openCase(app, clerk.token);
    for (const body of [
      undefined,
      {},
      { clientInfo: {} },
      { clientInfo: {}, opposingCounselInfo: {} },
    ])
      expect(await change(id, body)).toMatchObject({ status: 400, message: 'Nothing to change' });
    expect(await change(id, [])).toMatchObject({ status: 400 });
  });

  test.each([
    [{ caseName: null }, 'caseName', 'Case Name is required'],
    [{ caseName: ' ' }, 'caseName', 'Case Name is required'],
    [{ DOI: '' }, 'DOI', 'Date of Opening is required'],
    [{ daysOpen: null }, 'daysOpen', 'Days Open is required'],
    [{ clientInfo: { email: 'x' } }, 'clientInfo.email', 'Invalid email format'],
    [{ clientInfo: { name: '' } }, 'clientInfo.name', 'Client Name is required'],
    [{ clientInfo: { fax: '1' } }, 'clientInfo.fax', 'Unknown field: fax'],
    [{ updatedAt: 'now' }, 'updatedAt', 'Unknown field: updatedAt'],
  ])('refuses %j', async (body, path, message) => {
    const { id, updatedAt } = await openCase(app, clerk.token);
    expect(await change(id, body)).toMatchObject({
      status: 400,
      message,
      errors: [{ path, message }],
    });
    expect((await read(id)).body.case.updatedAt).toBe(updatedAt);
  });

  test('increases updatedAt strictly, even for twenty parallel changes', async () => {
    const { id, updatedAt } = await openCase(app, clerk.token);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => change(id, { judge: `Judge ${n}` })),
    );
    expect(replies.map((reply) => reply.status)).toEqual(Array.from({ length: 20 }, () => 200));
    const times = replies.map((reply) => reply.body.case.updatedAt);
    expect(new Set([updatedAt, ...times]).size).toBe(21);
    const last = replies.reduce((a, b) => (a.body.case.updatedAt > b.body.case.updatedAt ? a : b));
    expect((await read(id)).body.case).toEqual(last.body.case);
  });
});

describe('Days Open', () => {
  const daysOf = async (id: string) => (await read(id)).body.case.daysOpen;

  test('grow by whole days from the entered number', async () => {
    const { id } = await openCase(app, clerk.token, { daysOpen: 12 });
    expect(await daysOf(id)).toBe(12);
    await age(id, 23.9);
    expect(await daysOf(id)).toBe(12);
    await age(id, 0.2);
    expect(await daysOf(id)).toBe(13);
    await age(id, 24 * 9);
    expect(await daysOf(id)).toBe(22);
  });

  test('are unaffected by other changes', async () => {
    const { id } = await openCase(app, clerk.token, { daysOpen: 5 });
    await age(id, 36);
    expect((await change(id, { judge: 'Another' })).body.case.daysOpen).toBe(6);
    await age(id, 13);
    expect(await daysOf(id)).toBe(7);
  });

  test('stop in the archive and resume after it', async () => {
    const { id } = await openCase(app, clerk.token, { daysOpen: 5 });
    await age(id, 30);
    expect((await change(id, { statusType: 'Archive' })).body.case.daysOpen).toBe(6);
    await age(id, 24 * 100);
    expect(await daysOf(id)).toBe(6);
    expect((await change(id, { judge: 'Another' })).body.case.daysOpen).toBe(6);
    expect((await change(id, { statusType: 'Archive' })).body.case.daysOpen).toBe(6);
    expect((await change(id, { statusType: 'Active' })).body.case.daysOpen).toBe(6);
  });

  test('can be reset, in the archive too', async () => {
    const { id } = await openCase(app, clerk.token, { daysOpen: 5 });
    await age(id, 24 * 10);
    expect((await change(id, { daysOpen: 3 })).body.case.daysOpen).toBe(3);
    await age(id, 25);
    expect(await daysOf(id)).toBe(4);
    expect((await change(id, { statusType: 'Archive', daysOpen: 40 })).body.case.daysOpen).toBe(40);
    await age(id, 25);
    expect((await change(id, { daysOpen: 0 })).body.case.daysOpen).toBe(0);
    await age(id, 25);
    expect(await daysOf(id)).toBe(0);
    expect((await change(id, { statusType: 'Active', daysOpen: 9 })).body.case.daysOpen).toBe(9);
    await age(id, 25);
    expect(await daysOf(id)).toBe(10);
  });

  test('never count for a case that is opened in the archive', async () => {
    const { id } = await openCase(app, clerk.token, { daysOpen: 70, statusType: 'Archive' });
    await age(id, 24 * 7);
    expect(await daysOf(id)).toBe(70);
    expect((await change(id, { statusType: 'Active' })).body.case.daysOpen).toBe(70);
  });
});

/** The same with one member set, or omitted when undefined; dots lead into parties. */
function withMember(body: object, path: string, value: unknown): object {
  const [first = '', second] = path.split('.');
  const members: Record<string, unknown> = { ...body };
  members[first] = second ? withMember(members[first] as object, second, value) : value;
  return members;
}
