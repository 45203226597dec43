import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { openCase, registerAdmin, registerManager, registerUser } from '../testing/factories.ts';

let app: TestApp;
let mine: { admin: string; user: string; caseId: string; taken: string };

beforeAll(async () => {
  app = await startTestApp();
  const admin = await registerAdmin(app);
  const user = await registerUser(app);
  const { id } = await openCase(app, admin.token);
  const { caseNo } = await openCase(app, admin.token);
  mine = { admin: admin.token, user: user.token, caseId: id, taken: caseNo };
});
afterAll(() => app.close());

type Sent = { path: string; headers: Record<string, string>; members: Record<string, unknown> };

/** What can be wrong with a change of a case, in the order in which it must be told. */
const faults: { name: string; status: number; message: string; spoil: (sent: Sent) => void }[] = [
  {
    name: 'no such route',
    status: 404,
    message: 'Not found',
    spoil: (sent) => (sent.path += '/nowhere'),
  },
  {
    name: 'no token',
    status: 400,
    message: 'Unauthorized token provided',
    spoil: (sent) => delete sent.headers['x-auth-token'],
  },
  {
    name: 'another content type',
    status: 415,
    message: 'Unsupported content type',
    spoil: (sent) => (sent.headers['content-type'] = 'text/plain'),
  },
  {
    name: 'too many bytes',
    status: 413,
    message: 'The request is too large',
    spoil: (sent) => (sent.members['judge'] = 'j'.repeat(1_000_000)),
  },
  {
    name: 'no permission',
    status: 403,
    message: "You're not allowed to take this action",
    spoil: (sent) => {
      if ('x-auth-token' in sent.headers) sent.headers['x-auth-token'] = mine.user;
    },
  },
  {
    name: 'an unknown member',
    status: 400,
    message: 'Unknown field: color',
    spoil: (sent) => (sent.members['color'] = 'red'),
  },
  {
    name: 'an unknown id',
    status: 404,
    message: 'Case not found',
    spoil: (sent) => (sent.path = sent.path.replace(mine.caseId, randomUUID())),
  },
  {
    name: 'a conflict',
    status: 409,
    message: 'Case No already exists',
    spoil: (sent) => (sent.members['caseNo'] = mine.taken),
  },
];

async function sendWith(spoilers: typeof faults) {
  const sent: Sent = {
    path: `/api/v1/cases/${mine.caseId}`,
    headers: { 'x-auth-token': mine.admin, 'content-type': 'application/json' },
    members: { judge: 'Hon. Learned Hand' },
  };
  for (const { spoil } of spoilers) spoil(sent);
  const { path, headers, members } = sent;
  return app.request(path, { method: 'PATCH', headers, body: JSON.stringify(members) });
}

test('accepts what the faults below are made from', async () => {
  expect(await sendWith([])).toMatchObject({ status: 200, message: 'Case updated' });
});

describe('decides refusals in one order:', () => {
  const pairs = faults.flatMap((first, index) =>
    [undefined, ...faults.slice(index + 1)].map((second) => ({ first, second })),
  );
  test.each(pairs.map((pair) => ({ ...pair, title: title(pair) })))(
    '$title',
    async ({ first, second }) => {
      const reply = await sendWith(second ? [first, second] : [first]);
      const { status, message } = first;
      expect(reply).toMatchObject({ status, message, body: null });
      expect(JSON.parse(reply.text)).toMatchObject({ statusCode: status, message, body: null });
    },
  );

  test('every fault at once is told as the first', async () => {
    expect(await sendWith(faults)).toMatchObject({ status: 404, message: 'Not found' });
    expect(await sendWith(faults.slice(1))).toMatchObject({ status: 400 });
    expect(await sendWith(faults.slice(2))).toMatchObject({ status: 415 });
  });
});

function title({
  first,
  second,
}: {
  first: { name: string };
  second: { name: string } | undefined;
}) {
  return second ? `${first.name} before ${second.name}` : `${first.name} alone`;
}

test('another charset is another content type: before size, permission and faults of the body', async () => {
  const headers = {
    'x-auth-token': mine.user,
    'content-type': 'application/json; charset=iso-8859-1',
  };
  const path = `/api/v1/cases/${mine.caseId}`;
  for (const body of ['{', 'x'.repeat(1_000_001), '{}']) {
    const reply = await app.request(path, { method: 'PATCH', headers, body });
    expect(reply).toMatchObject({ status: 415, message: 'JSON is accepted in UTF-8 only' });
  }
});

test('a broken body is told only to those who may send one', async () => {
  const send = (token: string) =>
    app.request(`/api/v1/cases/${mine.caseId}`, {
      method: 'PATCH',
      headers: { 'x-auth-token': token, 'content-type': 'application/json' },
      body: '{"judge":',
    });
  expect(await send(mine.user)).toMatchObject({ status: 403 });
  expect(await send(mine.admin)).toMatchObject({
    status: 400,
    message: 'The body is not valid JSON',
  });
});

test('members that only an admin may set are refused before they are read', async () => {
  const manager = await registerManager(app);
  const send = (members: object) =>
    app.request(`/api/v1/users/${manager.id}`, {
      method: 'PATCH',
      headers: { 'x-auth-token': manager.token, 'content-type': 'application/json' },
      body: JSON.stringify(members),
    });
  expect(await send({ role: 'king', color: 'red' })).toMatchObject({ status: 403 });
  expect(await send({ permissions: 7 })).toMatchObject({ status: 403 });
  expect(await send({ color: 'red' })).toMatchObject({ status: 400 });
});

test('an unknown call is no route, whatever is sent with it', async () => {
  const bodies = [
    { headers: { 'content-type': 'text/xml' }, body: '<a/>' },
    { headers: { 'content-type': 'application/json' }, body: 'x'.repeat(2_000_000) },
    { headers: { 'content-type': 'application/json; charset=utf-16' }, body: '{' },
    { headers: { 'content-type': 'multipart/form-data' }, body: 'nothing' },
    {},
  ];
  for (const path of ['/api/v1/nowhere', '/api/v1', '/api/v1/users/register', '/ai/chat'])
    for (const init of bodies) {
      const reply = await app.request(path, { method: 'PUT', ...init });
      expect(reply).toMatchObject({ status: 404, message: 'Not found', body: null });
    }
});
