import { beforeAll, expect, test } from 'vitest';
import { openSession } from './db/sessions.ts';
import { suite } from './testing/app.ts';
import { openCase, register } from './testing/factories.ts';
import { integrations, OWN_EMAIL, subjects, changed, placesOf } from './testing/valid-input.ts';

const { app } = suite({}, { env: integrations });
let adminId: string;
let caseId: string;

beforeAll(async () => {
  const admin = await register(app, { role: 'admin', email: OWN_EMAIL });
  adminId = admin.id;
  ({ id: caseId } = await openCase(app, admin.token));
});

const isZone = (path: readonly (string | number)[]) => /^time_?zone$/i.test(String(path.at(-1)));
const zonesIn = (input: unknown) => placesOf(input).filter(({ path }) => isZone(path));
const takers = subjects.filter(({ body, query }) => zonesIn([body, query]).length > 0);
const none = [
  'EST',
  'EST5EDT',
  'US/Eastern',
  'Etc/GMT+5',
  '+05:00',
  'Eastern Standard Time',
  'Local',
];

test('this test finds the routes that take a zone', () => {
  expect(takers.length).toBeGreaterThanOrEqual(8);
});

test.each(takers)('$name takes zones of places alone', async ({ route, body, query }) => {
  const { token } = await openSession(app.db, adminId);
  const headers = { 'x-auth-token': token, 'content-type': 'application/json' };
  const path = route.path.replaceAll(/\{\w+\}/g, caseId);
  for (const zone of none) {
    for (const place of zonesIn(body)) {
      const sent = JSON.stringify(changed(body, place.path, zone));
      const reply = await app.request(path, { method: route.method, headers, body: sent });
      expect(reply).toMatchObject({ status: 400, code: 'invalidInput' });
      expect(reply.errors?.map((error) => error.path)).toEqual([place.path.join('.')]);
    }
    for (const place of zonesIn(query)) {
      const members = changed(query, place.path, zone) as Record<string, string>;
      const search = new URLSearchParams(members).toString();
      const reply = await app.request(`${path}?${search}`, { method: route.method, headers });
      expect(reply).toMatchObject({ status: 400, code: 'invalidInput' });
    }
  }
});
