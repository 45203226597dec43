import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { BareRefusalSchema, errorCodes, RefusalSchema } from '@matterdesk/contract/errors.ts';
import { mailAccountRoutes } from '@matterdesk/contract/mails.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { openSession } from './db/sessions.ts';
import { suite } from './testing/app.ts';
import type { Reply } from './testing/client.ts';
import { addTask, openCase, register, registerUser } from './testing/factories.ts';
import {
  attacksOn,
  brokenBodies,
  hostileNames,
  hostileTexts,
  troublesomeTexts,
  type Attack,
} from './testing/hostile.ts';
import {
  watchContents,
  integrations,
  OWN_EMAIL,
  ownMembers,
  PHONE,
  subjects,
  changed,
  placesOf,
  type Path,
} from './testing/valid-input.ts';

/** In milliseconds; the total stays the same for more routes, and is longer in long runs. */
const TIME_PER_ROUTE = (process.env['MATTERDESK_LONG_TESTS'] ? 30_000 : 4000) / routes.length;

// A round, or a training, between two reads of the tables would be taken for a write of the refused request.
const { app } = suite({}, { env: integrations, jobs: false });
let people: { admin: { id: string; token: string }; user: { id: string; token: string } };
/** Ids for path parameters; none belongs to an attacker. */
let ids: string[];
let readContents: () => Promise<Record<string, string>>;

beforeAll(async () => {
  const [admin, user, victim] = [
    await register(app, { role: 'admin', email: OWN_EMAIL }),
    await registerUser(app),
    await registerUser(app),
  ];
  const { id } = await openCase(app, admin.token);
  const task = await addTask(app, admin.token, { case: id, assignedTo: victim.id });
  people = { admin, user };
  // The registration is fresh, and the first sync of texts and the case's conflict check are done, so that only calls
  // change rows from here on.
  const registration_asked_at = new Date();
  await app.db
    .insertInto('phone_numbers')
    .values({ user_id: admin.id, phone_number: PHONE, state: 'owned', registration_asked_at })
    .execute();
  await app.runMessageJobs();
  await app.raiseAlerts();
  ids = [id, task.id, victim.id];
  readContents = await watchContents(app.db);
});

/** Sends a request, and checks the form of its reply. */
async function expectValid(route: Route, path: string, init: RequestInit) {
  const reply = await app.request(path, { method: route.method, ...init });
  expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  const expectForm = reply.status < 400 ? expectSuccess : expectRefusal;
  expectForm(reply, route);
  return reply;
}

/** Whether a call with this status may write. */
function mayWrite(route: Route, status: number) {
  // It stores the state of the sign-in.
  const isStored = route === mailAccountRoutes.startConnecting;
  return status < 400 && (route.method !== 'GET' || isStored);
}

function expectSuccess({ status }: Reply<unknown>, route: Route) {
  expect([route.status ?? 200, route.otherStatus]).toContain(status);
}

function readRefusal(body: unknown, { bare }: Route) {
  if (bare) return BareRefusalSchema.parse(body);
  const { statusCode, code, message } = RefusalSchema.parse(body);
  return { status: statusCode, code, message };
}

function expectRefusal(reply: Reply<unknown>, route: Route) {
  const isUpstreamDown = route.needs !== undefined && reply.status === 502;
  expect(reply).toSatisfy(({ status }) => status < 500 || isUpstreamDown);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const refusal = readRefusal(JSON.parse(reply.text), route);
  // For an untrained file the body has a status of its own.
  expect(refusal.status).toBe(refusal.code === 'notReady' ? 404 : reply.status);
  expect(reply.status).toBe(errorCodes[refusal.code].status);
  expect(refusal.message).not.toBe('');
  expect(reply.text).not.toMatch(
    /\b(select|insert|update|delete)\b[^"]*\b(from|into|set)\b|node_modules|\.ts:\d/i,
  );
}

describe('hostile input', () => {
  test.each(subjects)('gets a valid reply from $name', async ({ route, query, body }) => {
    const end = performance.now() + TIME_PER_ROUTE;
    let before: Record<string, string> | undefined;
    await fc.assert(
      fc.asyncProperty(attacksOn({ route, query, body }), async (attack) => {
        if (performance.now() > end) return;
        before ??= await readContents();
        const { status } = await expectValid(route, ...describeAttack(route, attack));
        expect(mayWrite(route, status) ? before : await readContents()).toEqual(before);
        if (mayWrite(route, status)) before = undefined;
        if (status < 400) await signInAgain();
      }),
      { numRuns: 200, includeErrorInReport: true },
    );
  });
});

test.each(subjects.filter(({ route }) => route.file !== undefined))(
  'an upload whose end is missing is refused by $name',
  async ({ route }) => {
    await signInAgain();
    const before = await readContents();
    for (const content of ['', 'a,b\r\n1,2'])
      for (const end of ['', '\r\n', '\r\n--b\r\n', '\r\n--b-']) {
        const head = `content-disposition: form-data; name="${route.file}"; filename="a.csv"`;
        const body = Buffer.from(`--b\r\n${head}\r\n\r\n${content}${end}`);
        const headers = { 'content-type': 'multipart/form-data; boundary=b' };
        const [path, init] = describeAttack(route, { ...plain, headers, body });
        const { status } = await expectValid(route, path, init);
        expect({ content, end, isRefused: status >= 400 }).toEqual({
          content,
          end,
          isRefused: true,
        });
      }
    expect(await readContents()).toEqual(before);
  },
);

test('a parameter with a line break reaches its route, also before an ending', async () => {
  const feed = routes.find(({ path }) => path.endsWith('{token}.ics'));
  if (!feed) throw new Error('no route of feeds');
  await expectValid(feed, feed.path.replace('{token}', '%0Atext%0A'), {});
});

function describeAttack(route: Route, attack: Attack): [string, RequestInit] {
  const params = attack.params.map((param) =>
    typeof param === 'string' ? param : ids[param % ids.length],
  );
  const path = addressOf(route, params);
  const query = new URLSearchParams(attack.query).toString();
  const token = { ...tokens(), none: undefined, wrong: 'wrong' }[attack.token];
  const headers = { ...attack.headers, ...(token !== undefined && { 'x-auth-token': token }) };
  const body = route.method === 'GET' ? null : (attack.body ?? null);
  return [query ? `${path}?${query}` : path, { headers, body }];
}

/** An attack without anything invalid. */
const plain: Omit<Attack, 'body'> = {
  token: 'admin',
  params: [0],
  query: [],
  headers: { 'content-type': 'application/json' },
};

function addressOf(route: Route, params: (string | undefined)[]) {
  let index = -1;
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    index += 1;
    const given = params[index] ?? ids[0] ?? '';
    // Anyone else's mailbox gets 403 before the body is validated.
    return encodeURIComponent(name === 'userEmail' && ids.includes(given) ? OWN_EMAIL : given);
  });
}

function tokens() {
  return { admin: people.admin.token, user: people.user.token };
}

/** A successful call may have ended a session or deactivated a user. */
async function signInAgain() {
  await app.db.updateTable('users').set({ active: true, approved: true }).execute();
  for (const person of Object.values(people))
    person.token = (await openSession(app.db, person.id)).token;
}

test.each(subjects.filter(({ query }) => query !== undefined))(
  'a caller gets a valid reply for every query of $name',
  async ({ route, query }) => {
    const [path, init] = describeAttack(route, { ...plain, body: undefined });
    const before = await readContents();
    for (const name of Object.keys(query as object))
      for (const text of [...troublesomeTexts, ...hostileTexts]) {
        const search = new URLSearchParams([[name, text.toWellFormed()]]).toString();
        await expectValid(route, `${path}?${search}`, init);
      }
    expect(await readContents()).toEqual(before);
  },
);

describe('an invalid body', () => {
  const withBody = subjects.filter(({ body }) => body !== undefined);

  test.each(withBody)('is refused by $name', async ({ route, body }) => {
    await signInAgain();
    const before = await readContents();
    for (const { what, bytes } of [...brokenBodies, ...invalidBodies(route, body)]) {
      const [path, init] = describeAttack(route, { ...plain, body: bytes });
      const { status } = await expectValid(route, path, init);
      const own = ownMembers.get(route);
      const isOthers = status === 403 && own !== undefined && what.startsWith(`${own.name} in `);
      expect({ what, status: isOthers ? 400 : status }).toEqual({ what, status: 400 });
    }
    expect(await readContents()).toEqual(before);
  });
});

type InvalidBody = { what: string; bytes: Buffer };

/** A valid body with one invalid member at a time. */
function invalidBodies({ body: schema }: Route, body: unknown): InvalidBody[] {
  const isAccepted = (path: Path) => schema?.safeParse(changed(body, path, null)).success;
  return placesOf(body)
    .slice(1)
    .flatMap(({ path, value }) => [
      ...wrongValues(path, value)
        // Some members may be null.
        .filter((wrong) => wrong !== null || !isAccepted(path))
        .map((wrong) => describeBody(path, changed(body, path, wrong))),
      ...unknownMembers(path, value).map((place) => describeBody(place, changed(body, place, 1))),
    ])
    .concat(hostileNames.map((name) => describeBody([name], changed(body, [name], 'x'))))
    .filter(({ bytes }) => bytes.length < 1_000_000);
}

/** Members for whole mails and answers. */
const longTexts = new Set<string | number>(['answer', 'text', 'html']);

/** Members that may be null, at least in some body. */
const nullable = new Set<string | number>(['reason']);

function wrongValues(path: Path, value: unknown): unknown[] {
  const mayBeLong = longTexts.has(path.at(-1) ?? '');
  const texts = mayBeLong ? hostileTexts.filter(({ length }) => length < 5000) : hostileTexts;
  const none = nullable.has(path.at(-1) ?? '') ? [] : [null];
  if (typeof value === 'string') return [...texts, 7, [], {}, true, ...none];
  if (typeof value === 'number') return ['7', -1, 1.5, 1e300, null, [], {}];
  if (typeof value === 'boolean') return ['true', 0, null];
  if (!Array.isArray(value)) return ['x', 7, [], true];
  // Some lists are of numbers.
  const item = typeof value[0] === 'number' ? '7' : 7;
  return ['x', {}, 7, [item], [null], [[]]];
}

function unknownMembers(path: Path, value: unknown): Path[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? hostileNames.map((name) => [...path, name]) : [];
}

function describeBody(path: Path, body: unknown): InvalidBody {
  const text = JSON.stringify(body);
  return { what: `${path.join('.')} in ${text.slice(0, 500)}`, bytes: Buffer.from(text) };
}
