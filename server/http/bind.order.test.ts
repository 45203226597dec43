import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { suite } from '../testing/app.ts';
import { openCase, registerAdmin, registerManager, registerUser } from '../testing/factories.ts';

const { app } = suite({});
let fixture: { admin: string; user: string; caseId: string; takenCaseNo: string };

beforeAll(async () => {
  const admin = await registerAdmin(app);
  const user = await registerUser(app);
  const { id } = await openCase(app, admin.token);
  const { caseNo } = await openCase(app, admin.token);
  fixture = { admin: admin.token, user: user.token, caseId: id, takenCaseNo: caseNo };
});

type ChangeRequest = {
  path: string;
  headers: Record<string, string>;
  members: Record<string, unknown>;
};

/** Errors of a request to change a case, in the order in which they are reported. */
const faults: {
  name: string;
  status: number;
  message: string;
  applyTo: (request: ChangeRequest) => void;
}[] = [
  {
    name: 'an unknown route',
    status: 404,
    message: 'Not found',
    applyTo: (request) => (request.path += '/nowhere'),
  },
  {
    name: 'a missing token',
    status: 400,
    message: 'Unauthorized token provided',
    applyTo: (request) => delete request.headers['x-auth-token'],
  },
  {
    name: 'a wrong content type',
    status: 415,
    message: 'Unsupported content type',
    applyTo: (request) => (request.headers['content-type'] = 'text/plain'),
  },
  {
    name: 'too many bytes',
    status: 413,
    message: 'The request is too large',
    applyTo: (request) => (request.members['judge'] = 'j'.repeat(1_000_000)),
  },
  {
    name: 'a missing permission',
    status: 403,
    message: "You're not allowed to take this action",
    applyTo: (request) => {
      if ('x-auth-token' in request.headers) request.headers['x-auth-token'] = fixture.user;
    },
  },
  {
    name: 'an unknown member',
    status: 400,
    message: 'Unknown field: color',
    applyTo: (request) => (request.members['color'] = 'red'),
  },
  {
    name: 'an unknown id',
    status: 404,
    message: 'Case not found',
    applyTo: (request) => (request.path = request.path.replace(fixture.caseId, randomUUID())),
  },
  {
    name: 'a conflict',
    status: 409,
    message: 'Case No already exists',
    applyTo: (request) => (request.members['caseNo'] = fixture.takenCaseNo),
  },
];

async function sendWith(spoilers: typeof faults) {
  const request: ChangeRequest = {
    path: `/api/v1/cases/${fixture.caseId}`,
    headers: { 'x-auth-token': fixture.admin, 'content-type': 'application/json' },
    members: { judge: 'Hon. Learned Hand' },
  };
  for (const { applyTo } of spoilers) applyTo(request);
  const { path, headers, members } = request;
  return app.request(path, { method: 'PATCH', headers, body: JSON.stringify(members) });
}

test('the server accepts the request without faults', async () => {
  expect(await sendWith([])).toMatchObject({ status: 200, message: 'Case updated' });
});

describe('a refused request reports', () => {
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

  test('the first of all faults', async () => {
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

test('the server refuses another charset before size, permission and errors of the body', async () => {
  const headers = {
    'x-auth-token': fixture.user,
    'content-type': 'application/json; charset=iso-8859-1',
  };
  const path = `/api/v1/cases/${fixture.caseId}`;
  for (const body of ['{', 'x'.repeat(1_000_001), '{}']) {
    const reply = await app.request(path, { method: 'PATCH', headers, body });
    expect(reply).toMatchObject({ status: 415, message: 'JSON is accepted in UTF-8 only' });
  }
});

test('the server reports invalid JSON only to users with the permission', async () => {
  const send = (token: string) =>
    app.request(`/api/v1/cases/${fixture.caseId}`, {
      method: 'PATCH',
      headers: { 'x-auth-token': token, 'content-type': 'application/json' },
      body: '{"judge":',
    });
  expect(await send(fixture.user)).toMatchObject({ status: 403 });
  expect(await send(fixture.admin)).toMatchObject({
    status: 400,
    message: 'The body is not valid JSON',
  });
});

test('the server refuses members that only an admin may set before validating them', async () => {
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

test('the server refuses an unknown route whatever its body', async () => {
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
