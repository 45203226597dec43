import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '@matterdesk/contract/routes.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { newPerson, openCase, registerAdmin } from '../testing/factories.ts';
import { spentDuring } from '../testing/processor.ts';

let app: TestApp;
let token: string;
let caseId: string;

beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await registerAdmin(app));
  ({ id: caseId } = await openCase(app, token));
});
afterAll(() => app.close());

const json = { 'content-type': 'application/json' };

function send(path: string, body: RequestInit['body'], headers: Record<string, string> = json) {
  return app.request(path, {
    method: 'POST',
    headers: { 'x-auth-token': token, ...headers },
    body: body ?? null,
  });
}

describe('every known path', () => {
  const paths = [...new Set(routes.map((route) => route.path))];
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

  const strange = paths.flatMap((path) =>
    [...methods, 'OPTIONS']
      // A longer path of the same method may stand in the place of a parameter.
      .filter((method) => !routes.some((one) => one.method === method && fits(one.path, path)))
      .map((method) => ({ method, path })),
  );
  test.each(strange)('$method $path is 404, signed in or out', async ({ method, path }) => {
    const address = path.replaceAll(/\{\w+\}/g, caseId);
    for (const headers of [{}, { 'x-auth-token': token }])
      expect(await app.request(address, { method, headers })).toMatchObject({ status: 404 });
  });

  test.each(routes.filter((route) => route.access !== 'anyone'))(
    '$method $path takes a living token only',
    async ({ method, path, bare }) => {
      const address = path.replaceAll(/\{\w+\}/g, caseId);
      const half = token.slice(0, 20);
      for (const wrong of [undefined, '', 'null', 'undefined', half, `${token}x`, `${token}, x`]) {
        const headers: Record<string, string> =
          wrong === undefined ? {} : { 'x-auth-token': wrong };
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
    '$method $path answers HEAD without a body',
    async ({ path }) => {
      const address = path.replaceAll(/\{\w+\}/g, caseId);
      const headers = { 'x-auth-token': token };
      const { status, text } = await app.request(address, { method: 'HEAD', headers });
      const got = await app.request(address, { headers });
      expect({ status, text }).toEqual({ status: got.status, text: '' });
      expect(await app.request(address, { method: 'HEAD' })).toMatchObject({ status: 400 });
    },
  );
});

function fits(pattern: string, address: string) {
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address);
}

describe('a body of JSON', () => {
  const register = '/api/v1/users/register';

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

  test('may be missing together with its content type', async () => {
    const reply = await app.request(register, { method: 'POST' });
    expect(reply).toMatchObject({ status: 400, message: 'First Name is required' });
  });

  test.each([
    ['a list', '[]'],
    ['a text', '"x"'],
    ['a number', '1'],
  ])('that is %s is no object', async (_, body) => {
    expect(await send(register, body)).toMatchObject({
      status: 400,
      message: 'The body must be an object',
    });
  });

  test.each([
    ['cut off', '{"firstName":'],
    ['followed by more', '{} {}'],
    ['with single quotes', "{'a':1}"],
    ['with a comma too many', '{"a":1,}'],
    ['not a number', '{"a":NaN}'],
  ])('that is %s is not valid', async (_, body) => {
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
    ['lists never closed', '['.repeat(900_000)],
  ])('may not nest 10,000 deep in %s', async (_, body) => {
    expect(await send(register, body)).toMatchObject({
      status: 400,
      message: 'The JSON is nested too deeply',
    });
  });

  test('counts no brackets inside its texts', async () => {
    const body = JSON.stringify(newPerson({ lastName: '[{"'.repeat(30) }));
    expect(await send(register, body)).toMatchObject({ status: 201 });
  });

  test.each([
    ['quotes', '"\\"'.repeat(330_000)],
    ['escaped quotes', `"${'\\"'.repeat(490_000)}`],
    ['backslashes', `"${'\\'.repeat(990_000)}`],
    ['one long text', `{"a":"${'x'.repeat(990_000)}"}`],
  ])('of a megabyte of %s is refused at once', async (_, body) => {
    const spent = await spentDuring(async () => {
      expect(await send(register, body)).toMatchObject({ status: 400 });
    });
    expect(spent).toBeLessThan(250);
  });

  test('holds a million bytes and not one more', async () => {
    const frame = '{"color":""}';
    const body = frame.replace('""', `"${'é'.repeat((1_000_000 - frame.length) / 2)}"`);
    expect(Buffer.byteLength(body)).toBe(1_000_000);
    expect(await send(register, body)).toMatchObject({ status: 400 });
    expect(await send(register, `${body} `)).toMatchObject({
      status: 413,
      message: 'The request is too large',
      body: null,
    });
  });

  test('of unknown length is stopped at the limit', async () => {
    const chunks = Array.from({ length: 11 }, () => Buffer.alloc(100_000, ' '));
    const init = { method: 'POST', headers: json, body: ReadableStream.from(chunks) };
    expect(await app.request(register, { ...init, duplex: 'half' })).toMatchObject({ status: 413 });
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
  ])('named %s is %i', async (type, status) => {
    expect(await send(register, '{}', { 'content-type': type })).toMatchObject({ status });
  });

  test('without a content type is refused', async () => {
    const reply = await send(register, Buffer.from('{}'), {});
    expect(reply).toMatchObject({ status: 415 });
  });
});

describe('unknown members are refused:', () => {
  test.each([
    ['beside the known', '{"judge":"J","color":"red"}', 'color'],
    ['__proto__', '{"judge":"J","__proto__":{"admin":true}}', '__proto__'],
    ['constructor', '{"judge":"J","constructor":{"prototype":1}}', 'constructor'],
    ['toString', '{"judge":"J","toString":1}', 'toString'],
    ['nested', '{"clientInfo":{"name":"N","color":1}}', 'clientInfo.color'],
    ['nested __proto__', '{"clientInfo":{"name":"N","__proto__":{}}}', 'clientInfo.__proto__'],
    ['what replies carry', '{"judge":"J","id":"x"}', 'id'],
    ['another case', '{"Judge":"J"}', 'Judge'],
  ])('%s', async (_, body, path) => {
    const reply = await app.request(`/api/v1/cases/${caseId}`, {
      method: 'PATCH',
      headers: { ...json, 'x-auth-token': token },
      body,
    });
    expect(reply.status).toBe(400);
    expect(reply.errors?.map((error) => error.path)).toContain(path);
  });

  test('in a call that takes no body', async () => {
    expect(await send('/api/v1/users/logout', '{"everywhere":true}')).toMatchObject({
      status: 400,
    });
    expect(await send('/api/v1/users/logout', '[]')).toMatchObject({ status: 400 });
  });

  test('a stranger’s names come back harmless and in bounds', async () => {
    const members = Array.from({ length: 20_000 }, (_, n) => [`\u202e<b>\n${n}`, n]);
    const reply = await send('/api/v1/users/register', JSON.stringify(Object.fromEntries(members)));
    expect(reply.status).toBe(400);
    expect(reply.text).not.toMatch(/[<\u202e]|\\n/);
    expect(reply.text.length).toBeLessThan(50_000);
  });
});

describe('a member that is wrong', () => {
  const change = (body: object) =>
    app.request(`/api/v1/cases/${caseId}`, {
      method: 'PATCH',
      headers: { ...json, 'x-auth-token': token },
      body: JSON.stringify(body),
    });

  test('inside another is named with its way', async () => {
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

describe('a change of nothing', () => {
  test.each(['', '{}', '{"clientInfo":{}}', '{"clientInfo":{},"opposingCounselInfo":{}}'])(
    'such as %s is told so',
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
  ])('ignores what it does not know: %s', async (query) => {
    expect(await get(query)).toMatchObject({ status: 200 });
  });

  test.each(['0', '201', '-1', '1.5', '1e2', '0x10', '+5', '', '%20', 'ten', '99999999999', '%00'])(
    'takes no limit such as "%s"',
    async (limit) => {
      for (const path of ['/api/v1/cases', '/api/v1/users', `/api/v1/cases/${caseId}/activity`])
        expect(await get(`limit=${limit}`, path)).toMatchObject({
          status: 400,
          message: 'Limit must be a whole number from 1 to 200',
        });
    },
  );

  test.each(['1', '200', '007'])('takes the limit %s', async (limit) => {
    expect(await get(`limit=${limit}`)).toMatchObject({ status: 200 });
  });

  test('of many kilobytes is served or refused, never a fault', async () => {
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
  ])('searches for nothing hostile or endless: %s', async (_, search) => {
    for (const path of ['/api/v1/cases', '/api/v1/users'])
      expect(await get(`search=${search}`, path)).toMatchObject({ status: 400 });
  });
});

test.each([
  ['a letter', 'x'],
  ['NUL', '%00'],
  ['no encoding', '%zz'],
  ['dots and slashes', '..%2f..'],
  ['SQL', "'; drop table cases;--"],
  ['a pattern', '{id}'],
  ['null', 'null'],
  ['a UUID of nothing', '00000000-0000-0000-0000-000000000000'],
  ['nine thousand letters', 'x'.repeat(9000)],
])('an id that is %s is as unknown as any other', async (_, id) => {
  const headers = { 'x-auth-token': token };
  const reply = await app.request(`/api/v1/cases/${id}`, { headers });
  expect(reply).toMatchObject({ status: 404, message: 'Case not found', body: null });
  expect(await app.request(`/api/v1/cases/${id}`)).toMatchObject({ status: 400 });
});
