import { describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { createLog } from './log.ts';
import { suite } from './testing/app.ts';
import { newCase, newPerson, register } from './testing/factories.ts';

const SECRET = 'Zyzzyva';

const { app } = suite({});

function lineOf(requestId: string | null) {
  return app.logLines().filter((line) => line['requestId'] === requestId);
}

test('the server logs one line for each request, with the id from the reply', async () => {
  const { headers } = await app.request('/api/v1/users/me?search=x', { method: 'GET' });
  expect(lineOf(headers.get('x-request-id'))).toEqual([
    {
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      requestId: expect.any(String),
      method: 'GET',
      route: '/api/v1/users/me',
      status: 400,
      milliseconds: expect.any(Number),
      msg: 'request',
    },
  ]);
});

test.each(['/', '/api/v1/nowhere', '/api/v1/%zz', '/static/missing', '/healthz', '/metrics'])(
  'the server logs a line for %s too',
  async (path) => {
    const { status, headers } = await app.request(path);
    expect(lineOf(headers.get('x-request-id'))).toMatchObject([{ status, msg: 'request' }]);
  },
);

describe('the log contains no token and no user input', () => {
  test('for calls that succeed or fail', async () => {
    const own = { firstName: SECRET, lastName: SECRET, email: `${SECRET}@firm.example` };
    const password = `${SECRET} and ${SECRET}`;
    const admin = await register(app, { ...own, password, role: 'admin' });
    const call = { token: admin.token };
    await app.call(caseRoutes.openCase, {
      ...call,
      body: newCase({ caseName: SECRET, caseNo: SECRET }),
    });
    await app.call(caseRoutes.openCase, { ...call, body: newCase({ caseNo: SECRET }) });
    await app.call(caseRoutes.listCases, { ...call, query: { search: SECRET } });
    await app.call(caseRoutes.readCase, { ...call, params: { id: SECRET } });
    await app.call(accountRoutes.register, { body: newPerson(own) });
    await app.call(accountRoutes.login, { body: { email: own.email, password: SECRET } });
    await app.request(`/api/v1/${SECRET}?${SECRET}=${SECRET}`, { headers: { cookie: SECRET } });
    await app.request(`/api/v1/%zz${SECRET}`, { headers: { 'x-auth-token': SECRET } });
    await app.request('/api/v1/users/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"${SECRET}`,
    });
    await app.socket(admin.token);
    await app.socket(SECRET).catch(() => undefined);
    expectNothingOf([SECRET, admin.token, password, admin.id]);
  });

  test('when the database refuses a row and quotes it', async () => {
    const { token } = await register(app, { role: 'admin' });
    const rule = 'add constraint odd_judge check (judge <> $$Judge Zyzzyva$$)';
    await app.pool.query(`alter table base.cases ${rule}`);
    const body = newCase({ judge: 'Judge Zyzzyva', caseName: SECRET });
    const reply = await app.call(caseRoutes.openCase, { token, body });
    await app.pool.query('alter table base.cases drop constraint odd_judge');
    expect(JSON.parse(reply.text)).toEqual({
      statusCode: 500,
      code: 'unexpected',
      message: 'Something went wrong',
      body: null,
    });
    const lines = lineOf(reply.headers.get('x-request-id'));
    expect(lines).toMatchObject([
      { msg: 'unexpected', err: { type: 'DatabaseError', code: '23514', table: 'cases' } },
      { msg: 'request', status: 500 },
    ]);
    expect(JSON.stringify(lines)).toContain('features/cases/store.ts');
    expectNothingOf([SECRET, token]);
  });
});

function expectNothingOf(secrets: string[]) {
  const text = JSON.stringify(app.logLines()).toLowerCase();
  expect(secrets.filter((secret) => text.includes(secret.toLowerCase()))).toEqual([]);
}

test('the server describes any error without the data that the database quotes', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const quoting = Object.assign(new Error('invalid input syntax for type uuid: "Zyzzyva"'), {
    code: '22P02',
    detail: SECRET,
  });
  log.warn({ err: new TypeError('x is not a function', { cause: quoting }) }, 'one');
  log.warn({ err: quoting }, 'two');
  log.warn({ err: SECRET }, 'three');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { err: { type: 'TypeError', message: 'x is not a function' } },
    { err: { type: 'Error', code: '22P02' } },
    { err: { type: 'string' } },
  ]);
  expect(lines.join('')).not.toContain(SECRET);
});
