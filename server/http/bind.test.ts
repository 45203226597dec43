import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { defineRoute } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { readConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { createLog } from '../log.ts';
import { suite } from '../testing/app.ts';
import { newPerson, openCase, registerAdmin } from '../testing/factories.ts';
import { processorTimeDuring } from '../testing/usage.ts';
import { Binder } from './bind.ts';
import { createHttp } from './create.ts';

const { app } = suite({});
let token: string;
let caseId: string;

beforeAll(async () => {
  ({ token } = await registerAdmin(app));
  ({ id: caseId } = await openCase(app, token));
});

const json = { 'content-type': 'application/json' };

function send(path: string, body: RequestInit['body'], headers: Record<string, string> = json) {
  return app.request(path, {
    method: 'POST',
    headers: { 'x-auth-token': token, ...headers },
    body: body ?? null,
  });
}

describe('every path of the contract', () => {
  const paths = [...new Set(routes.map((route) => route.path))];
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

  const unknownCalls = paths.flatMap((path) =>
    [...methods, 'OPTIONS']
      // A literal path of the same method may match a path with parameters.
      .filter(
        (method) => !routes.some((route) => route.method === method && fits(route.path, path)),
      )
      .map((method) => ({ method, path })),
  );
  test.each(unknownCalls)(
    'refuses $method $path as 404, signed in or out',
    async ({ method, path }) => {
      const address = path.replaceAll(/\{\w+\}/g, caseId);
      for (const headers of [{}, { 'x-auth-token': token }])
        expect(await app.request(address, { method, headers })).toMatchObject({ status: 404 });
    },
  );

  test.each(routes.filter((route) => route.access !== 'anyone'))(
    'accepts only a valid token for $method $path',
    async ({ method, path, bare }) => {
      const address = path.replaceAll(/\{\w+\}/g, caseId);
      const half = token.slice(0, 20);
      for (const invalid of [
        undefined,
        '',
        'null',
        'undefined',
        half,
        `${token}x`,
        `${token}, x`,
      ]) {
        const headers: Record<string, string> =
          invalid === undefined ? {} : { 'x-auth-token': invalid };
        const reply = await app.request(address, { method, headers });
        const code = 'invalidToken';
        const message = 'Unauthorized token provided';
        expect(JSON.parse(reply.text)).toEqual(
          bare ? { status: 400, code, message } : { statusCode: 400, code, message, body: null },
        );
        expect(reply.status).toBe(400);
      }
    },
  );

  test.each(routes.filter((route) => route.method === 'GET' && route.reply))(
    'replies to HEAD without a body for $method $path',
    async ({ path, access }) => {
      const address = path.replaceAll(/\{\w+\}/g, caseId);
      const headers = { 'x-auth-token': token };
      const { status, text } = await app.request(address, { method: 'HEAD', headers });
      const got = await app.request(address, { headers });
      expect({ status, text }).toEqual({ status: got.status, text: '' });
      const isPublic = access === 'anyone';
      const signedOut = await app.request(address, { method: 'HEAD' });
      expect(signedOut.status).toBe(isPublic ? got.status : 400);
    },
  );
});

function fits(pattern: string, address: string) {
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address);
}

/** Processor milliseconds of some work; of three times the least, since others compile and collect garbage meanwhile. */
async function leastSpent(work: () => Promise<void>): Promise<number> {
  const spent: number[] = [];
  for (let time = 0; time < 3; time += 1) spent.push(await processorTimeDuring(work));
  return Math.min(...spent);
}

describe('a JSON body', () => {
  const register = '/api/v1/users/register';
  const addTask = '/api/v1/tasks';

  test.each([
    ['nothing at all', ''],
    ['an empty object', '{}'],
    ['null', 'null'],
  ])('that is %s reports every required field', async (_, body) => {
    const reply = await send(register, body);
    expect(reply.status).toBe(400);
    expect(reply.message).toBe('First Name is required');
    expect(reply.errors?.map((error) => error.path)).toEqual([
      'firstName',
      'lastName',
      'email',
      'password',
      'phoneNumber',
    ]);
  });

  test('may be missing, together with its content type', async () => {
    const reply = await app.request(register, { method: 'POST' });
    expect(reply).toMatchObject({ status: 400, message: 'First Name is required' });
  });

  test.each([
    ['a list', '[]'],
    ['a text', '"x"'],
    ['a number', '1'],
  ])('that is %s is refused', async (_, body) => {
    expect(await send(register, body)).toMatchObject({
      status: 400,
      message: 'The body must be an object',
    });
  });

  test.each([
    ['is truncated', '{"firstName":'],
    ['is followed by more', '{} {}'],
    ['has single quotes', "{'a':1}"],
    ['has a trailing comma', '{"a":1,}'],
    ['contains NaN', '{"a":NaN}'],
  ])('that %s is not valid JSON', async (_, body) => {
    expect(await send(register, body)).toMatchObject({
      status: 400,
      message: 'The body is not valid JSON',
      errors: undefined,
    });
  });

  test('must be valid UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from([0xff, 0xc0]),
      Buffer.from('"}'),
    ]);
    expect(await send(register, bytes)).toMatchObject({
      status: 400,
      message: 'The body is not valid UTF-8',
    });
  });

  test.each([
    ['lists', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
    ['unclosed lists', '['.repeat(900_000)],
  ])('cannot contain 10,000 nested %s', async (_, body) => {
    expect(await send(addTask, body)).toMatchObject({
      status: 400,
      message: 'The JSON is nested too deeply',
    });
  });

  test('may contain any number of brackets in its texts', async () => {
    const body = JSON.stringify(newPerson({ lastName: '[{"'.repeat(30) }));
    expect(await send(register, body)).toMatchObject({ status: 201 });
  });

  test.each([
    ['quotes', '"\\"'.repeat(330_000)],
    ['escaped quotes', `"${'\\"'.repeat(490_000)}`],
    ['backslashes', `"${'\\'.repeat(990_000)}`],
    ['one long text', `{"a":"${'x'.repeat(990_000)}"}`],
  ])('that is a megabyte of %s is refused quickly', async (_, body) => {
    const spent = await leastSpent(async () => {
      expect(await send(addTask, body)).toMatchObject({ status: 400 });
    });
    expect(spent).toBeLessThan(250);
  });

  test('can have a million bytes, but not one more', async () => {
    const frame = '{"color":""}';
    const body = frame.replace('""', `"${'é'.repeat((1_000_000 - frame.length) / 2)}"`);
    expect(Buffer.byteLength(body)).toBe(1_000_000);
    expect(await send(addTask, body)).toMatchObject({ status: 400 });
    expect(await send(addTask, `${body} `)).toMatchObject({
      status: 413,
      message: 'The request is too large',
      body: null,
    });
  });

  test('of unknown length is refused at the limit', async () => {
    const chunks = Array.from({ length: 11 }, () => Buffer.alloc(100_000, ' '));
    const init = {
      method: 'POST',
      headers: { ...json, 'x-auth-token': token },
      body: ReadableStream.from(chunks),
    };
    expect(await app.request(addTask, { ...init, duplex: 'half' })).toMatchObject({ status: 413 });
  });

  test.each([
    [
      'members',
      JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`m${n}`, 1]))),
    ],
    ['items', `{"name":[${'1,'.repeat(400_000)}1]}`],
    ['empty objects', `[${'{},'.repeat(300_000)}{}]`],
  ])('cannot have very many %s', async (_, body) => {
    const spent = await leastSpent(async () => {
      expect(await send(addTask, body)).toMatchObject({
        status: 400,
        message: 'The JSON has too many values',
      });
    });
    expect(spent).toBeLessThan(250);
  });

  test('of a call without a session can have sixteen thousand bytes, but not one more', async () => {
    const frame = '{"color":""}';
    const body = frame.replace('""', `"${'x'.repeat(16_000 - frame.length)}"`);
    const routesOfAnyone = routes.filter(
      ({ access, method, form }) => access === 'anyone' && method === 'POST' && !form,
    );
    expect(routesOfAnyone.length).toBeGreaterThan(5);
    for (const { path } of routesOfAnyone) {
      expect((await send(path, body)).status).not.toBe(413);
      expect(await send(path, `${body} `)).toMatchObject({
        status: 413,
        message: 'The request is too large',
      });
    }
  });

  test.each([
    ['application/json; charset=utf-8', 400],
    ['application/json;charset="UTF-8"', 400],
    ['APPLICATION/JSON ; charset=UTF8', 400],
    ['application/json; charset=latin1', 415],
    ['application/json; charset=utf-16le', 415],
    ['application/problem+json', 415],
    ['text/json', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['json', 415],
    ['application/json, application/json', 415],
  ])('with content type %s gets status %i', async (type, status) => {
    expect(await send(register, '{}', { 'content-type': type })).toMatchObject({ status });
  });

  test('without a content type is refused', async () => {
    const reply = await send(register, Buffer.from('{}'), {});
    expect(reply).toMatchObject({ status: 415 });
  });
});

describe('a call with an unknown member', () => {
  test.each([
    ['next to known members', '{"judge":"J","color":"red"}', 'color'],
    ['__proto__', '{"judge":"J","__proto__":{"admin":true}}', '__proto__'],
    ['constructor', '{"judge":"J","constructor":{"prototype":1}}', 'constructor'],
    ['toString', '{"judge":"J","toString":1}', 'toString'],
    ['in a nested object', '{"clientInfo":{"name":"N","color":1}}', 'clientInfo.color'],
    ['nested __proto__', '{"clientInfo":{"name":"N","__proto__":{}}}', 'clientInfo.__proto__'],
    ['from a reply', '{"judge":"J","id":"x"}', 'id'],
    ['in another letter case', '{"Judge":"J"}', 'Judge'],
  ])('is refused: %s', async (_, body, path) => {
    const reply = await app.request(`/api/v1/cases/${caseId}`, {
      method: 'PATCH',
      headers: { ...json, 'x-auth-token': token },
      body,
    });
    expect(reply.status).toBe(400);
    expect(reply.errors?.map((error) => error.path)).toContain(path);
  });

  test('is refused even if it takes no body', async () => {
    expect(await send('/api/v1/users/logout', '{"everywhere":true}')).toMatchObject({
      status: 400,
    });
    expect(await send('/api/v1/users/logout', '[]')).toMatchObject({ status: 400 });
  });

  test('gets cleaned names back, and a limited number of them', async () => {
    const members = Array.from({ length: 20_000 }, (_, n) => [`\u202e<b>\n${n}`, n]);
    const reply = await send('/api/v1/tasks', JSON.stringify(Object.fromEntries(members)));
    expect(reply.status).toBe(400);
    expect(reply.text).not.toMatch(/[<\u202e]|\\n/);
    expect(reply.text.length).toBeLessThan(50_000);
  });
});

describe('an invalid member', () => {
  const change = (body: object) =>
    app.request(`/api/v1/cases/${caseId}`, {
      method: 'PATCH',
      headers: { ...json, 'x-auth-token': token },
      body: JSON.stringify(body),
    });

  test('of a nested object is reported with its path', async () => {
    expect(await change({ clientInfo: { email: 'x' } })).toMatchObject({
      status: 400,
      message: 'Invalid email format',
      errors: [{ path: 'clientInfo.email', message: 'Invalid email format' }],
    });
    expect(await change({ clientInfo: 'x' })).toMatchObject({
      status: 400,
      errors: [{ path: 'clientInfo', message: 'clientInfo must be an object' }],
    });
  });
});

describe('an empty change', () => {
  test.each(['', '{}', '{"clientInfo":{}}', '{"clientInfo":{},"opposingCounselInfo":{}}'])(
    'such as %s is refused',
    async (body) => {
      const reply = await app.request(`/api/v1/cases/${caseId}`, {
        method: 'PATCH',
        headers: { ...json, 'x-auth-token': token },
        body,
      });
      expect(reply).toMatchObject({ status: 400, message: 'Nothing to change', errors: undefined });
    },
  );
});

describe('a query', () => {
  const get = (query: string, path = '/api/v1/cases') =>
    app.request(`${path}?${query}`, { headers: { 'x-auth-token': token } });

  test.each([
    'limit=1&limit=1',
    'search=a&search=b',
    'cursor=a&cursor=a',
    'statusType=Active&statusType=Active',
  ])('that repeats a member is refused: %s', async (query) => {
    const reply = await get(query);
    expect(reply.status).toBe(400);
    expect(reply.errors).toHaveLength(1);
    expect(reply.errors?.[0]?.path).toBe(query.split('=')[0]);
  });

  test.each([
    'color=red',
    'color=red&color=blue',
    '__proto__=1',
    'constructor=1',
    '&&=&',
    '%zz=%zz',
    'limit[]=3',
  ])('may contain unknown members: %s', async (query) => {
    expect(await get(query)).toMatchObject({ status: 200 });
  });

  test.each(['0', '201', '-1', '1.5', '1e2', '0x10', '+5', '', '%20', 'ten', '99999999999', '%00'])(
    'is refused with the limit "%s"',
    async (limit) => {
      for (const path of ['/api/v1/cases', '/api/v1/users', `/api/v1/cases/${caseId}/activity`])
        expect(await get(`limit=${limit}`, path)).toMatchObject({
          status: 400,
          message: 'Limit must be a whole number from 1 to 200',
        });
    },
  );

  test.each(['1', '200', '007'])('is accepted with the limit %s', async (limit) => {
    expect(await get(`limit=${limit}`)).toMatchObject({ status: 200 });
  });

  test('of many kilobytes is served or refused, but never fails', async () => {
    expect(await get(`search=${'x'.repeat(10_000)}`)).toMatchObject({ status: 400 });
    expect(await get(`color=${'x'.repeat(10_000)}`)).toMatchObject({ status: 200 });
    expect(await get(`color=${'x'.repeat(100_000)}`)).toMatchObject({ status: 431 });
  });

  test.each([
    ['NUL', '%00'],
    ['a bidi override', '%E2%80%AE'],
    ['a line break', 'a%0Ab'],
    ['a control character', '%C2%85x'],
    ['201 characters', 'a'.repeat(201)],
  ])('is refused when it searches for %s', async (_, search) => {
    for (const path of ['/api/v1/cases', '/api/v1/users'])
      expect(await get(`search=${search}`, path)).toMatchObject({ status: 400 });
  });
});

test.each([
  ['a letter', 'x'],
  ['NUL', '%00'],
  ['an invalid encoding', '%zz'],
  ['dots and slashes', '..%2f..'],
  ['SQL', "'; drop table cases;--"],
  ['a pattern', '{id}'],
  ['null', 'null'],
  ['an unused UUID', '00000000-0000-0000-0000-000000000000'],
  ['nine thousand letters', 'x'.repeat(9000)],
])('the server treats an id that is %s as any unknown id', async (_, id) => {
  const headers = { 'x-auth-token': token };
  const reply = await app.request(`/api/v1/cases/${id}`, { headers });
  expect(reply).toMatchObject({ status: 404, message: 'Case not found', body: null });
  expect(await app.request(`/api/v1/cases/${id}`)).toMatchObject({ status: 400 });
});

const route = defineRoute({
  method: 'GET',
  path: '/api/v1/person',
  summary: 'A person',
  access: 'anyone',
  reply: z.object({ name: z.string(), cases: z.array(z.object({ id: z.string() })) }),
  message: 'OK',
});

async function replyWith(found: unknown) {
  const http = createHttp(readConfig({}), createLog('silent'));
  const gate = () => Promise.reject(new Error('no one signs in here'));
  const missingSetup = { google: null, twilio: null };
  const binder = new Binder(http, gate, { context: {} as Context, missingSetup });
  binder.serve({ route }, { route: async () => found as never });
  const reply = await http.inject(route.path);
  await http.close();
  return reply;
}

test('a reply has what its schema names, and nothing else that a store returned', async () => {
  const secret = { passwordHash: '$argon2id$' };
  const reply = await replyWith({ name: 'Ada', cases: [{ id: '7', ...secret }], ...secret });
  expect(reply.json()).toMatchObject({ body: { name: 'Ada', cases: [{ id: '7' }] } });
  expect(reply.body).not.toContain('passwordHash');
});

test('a reply that does not fit its schema is not sent', async () => {
  const reply = await replyWith({ name: 5, cases: [] });
  expect(reply.statusCode).toBe(500);
  expect(reply.json()).toMatchObject({ code: 'unexpected', body: null });
});
