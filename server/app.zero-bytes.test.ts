import { beforeAll, expect, test } from 'vitest';
import type { Route } from '@matterdesk/contract/route.ts';
import { openSession } from './db/sessions.ts';
import { suite } from './testing/app.ts';
import { openCase, register } from './testing/factories.ts';
import { integrations, OWN_EMAIL, subjects } from './testing/valid-input.ts';

const { app } = suite({}, { env: integrations });
let adminId: string;
let caseId: string;

beforeAll(async () => {
  const admin = await register(app, { role: 'admin', email: OWN_EMAIL });
  adminId = admin.id;
  ({ id: caseId } = await openCase(app, admin.token));
});

/** Text that PostgreSQL rejects, URL-encoded: zero bytes, and halves of a surrogate pair. */
const untakable = ['%00', 'a%00b', `${'0'.repeat(8)}%00`, '%ED%A0%80', 'a%C0%80'];

async function send({ method, file }: Pick<Route, 'method' | 'file'>, path: string) {
  const { token } = await openSession(app.db, adminId);
  const isJson = method !== 'GET' && file === undefined;
  const headers = {
    'x-auth-token': token,
    cookie: `matterdesk_session=${token}%00`,
    ...(isJson && { 'content-type': 'application/json' }),
  };
  const body = isJson ? '{}' : new FormData();
  return app.request(path, { method, headers, ...(method !== 'GET' && { body }) });
}

const withParams = subjects.filter(({ route }) => route.path.includes('{'));
test.each(withParams)('in no parameter of $name is there a thing', async ({ route, query }) => {
  const search = new URLSearchParams((query ?? {}) as Record<string, string>).toString();
  const names = [...route.path.matchAll(/\{\w+\}/g)].map(([name]) => name);
  for (const name of names)
    for (const text of untakable) {
      const path = route.path
        .replace(name, text)
        .replaceAll(/\{\w+\}/g, (other) => (other === '{userEmail}' ? OWN_EMAIL : caseId));
      const { status } = await send(route, `${path}?${search}`);
      // A mailbox that is someone else's, or not connected, comes first.
      const ofMailbox = [403, 409].filter(() => route.needs !== undefined);
      expect({ path, status: [400, 404, ...ofMailbox].find((one) => one === status) }).toEqual({
        path,
        status,
      });
    }
});

test.each(subjects.filter(({ query }) => query !== undefined))(
  'no member of the query of $name holds a zero byte',
  async ({ route, query }) => {
    const path = route.path.replace('{userEmail}', OWN_EMAIL).replaceAll(/\{\w+\}/g, caseId);
    const replies: { text: string; status: number }[] = [];
    for (const name of Object.keys(query as object))
      for (const text of untakable)
        replies.push({ text, status: (await send(route, `${path}?${name}=${text}`)).status });
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
    const taken = replies.filter(({ text, status }) => text.includes('%00') && status < 400);
    expect(taken).toEqual([]);
  },
);

test.each(['/intake/{}', '/intake/{}/thanks', '/static/{}', '/api/v1/{}', '/ai/{}'])(
  'nothing is at %s either',
  async (address) => {
    for (const text of untakable)
      expect(await app.request(address.replace('{}', text))).toMatchObject({ status: 404 });
  },
);

test('a form of strangers is sent to no such address, and ignores such a source', async () => {
  for (const text of untakable) {
    const body = new URLSearchParams({ source: 'a\0b' });
    const sent = await app.request(`/intake/${text}`, { method: 'POST', body });
    expect(sent.status).toBe(404);
    const shown = await app.request(`/intake/nowhere?source=${text}`);
    expect(shown.status).toBe(404);
  }
});
