import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { caseColumns } from '@matterdesk/contract/cases.ts';
import { controls, nameOf } from '@matterdesk/contract/intake-form-page.ts';
import { intakeFormRoutes } from '@matterdesk/contract/intake-forms.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { openSession } from './db/sessions.ts';
import { suite } from './testing/app.ts';
import { openCase, register } from './testing/factories.ts';
import { loopBlocksDuring } from './testing/usage.ts';
import {
  integrations,
  OWN_EMAIL,
  PHONE,
  subjects,
  changed,
  placesOf,
  type Path,
} from './testing/valid-input.ts';

/** Milliseconds of the main thread's own processor time, during which no one else is served. */
const STALL = 100;
/** Other work of the thread, such as collecting garbage, does not happen again each time. */
const REPETITIONS = 3;
/** Characters of a text in a body, with and without a session. */
const LONG = 100_000;
const PUBLIC = 7500;
/** Characters of an encoded address or a header; Node.js takes 16 kB of headers. */
const SHORT = 13_000;

const { app } = suite({}, { env: integrations });
let adminId: string;
let caseId: string;
let slug: string;

beforeAll(async () => {
  const admin = await register(app, { role: 'admin', email: OWN_EMAIL });
  adminId = admin.id;
  ({ id: caseId } = await openCase(app, admin.token));
  await app.db
    .insertInto('phone_numbers')
    .values({ user_id: adminId, phone_number: PHONE, state: 'owned' })
    .execute();
  await app.runMessageJobs();
  const { body } = await app.call(intakeFormRoutes.listForms, { token: admin.token });
  const form = body.forms[0];
  if (!form) throw new Error('no form is shipped');
  slug = form.slug;
  const change = { token: admin.token, params: { id: form.id }, body: { active: true } };
  await app.call(intakeFormRoutes.changeForm, change);
});

/** Texts by their length that have kept programs busy. */
const slowTexts: Record<string, (length: number) => string> = {
  accents: (length) => `a${'\u0301\u0316'.repeat(length / 2)}`,
  labels: (length) => `a@${'a.'.repeat(length / 2)}`,
  blanks: (length) => `a${' '.repeat(length)}a`,
  quotes: (length) => `"${'\\",<(['.repeat(length / 6)}`,
  letters: (length) => `${'a'.repeat(length)}!`,
  digits: (length) => `+${'1'.repeat(length)}-`,
};
/** Those that are sent in every place alone; the others go into all places at once. */
const everywhere = ['accents', 'labels'];

/** Texts that most fields take, of signs that stand for many letters or for a word each. */
const fitting = { ligatures: '\ufdfa'.repeat(200), syllables: '\u738b'.repeat(200) };

type Attack = { what: string; path: string; init: RequestInit };

async function isAdmitted({ path: address, init }: Attack): Promise<boolean> {
  const { status, code } = await app.request(address, init);
  expect({ address: address.slice(0, 200), isFault: status === 500 }).toMatchObject({
    isFault: false,
  });
  return status >= 400 && code !== 'invalidToken';
}

/** Attacks that block the event loop every time that they are tried. */
async function stallsOf(attacks: Attack[]): Promise<string[]> {
  const isBlocked = async (work: () => Promise<unknown>) =>
    (await loopBlocksDuring(work)).longest > STALL;
  const sendAll = async () => {
    for (const attack of attacks) if (!(await isAdmitted(attack))) await renewToken(attacks);
  };
  if (!(await isBlocked(sendAll))) return [];
  const stalls: string[] = [];
  for (const attack of attacks) {
    const blocks: number[] = [];
    while (blocks.length < REPETITIONS && blocks.every((one) => one > STALL)) {
      blocks.push((await loopBlocksDuring(() => isAdmitted(attack))).longest);
      await renewToken(attacks);
    }
    const least = Math.min(...blocks);
    if (least > STALL) stalls.push(`${attack.what}: ${Math.round(least)} ms`);
  }
  return stalls;
}

/** A call may have ended its own session, or every session. */
async function renewToken(attacks: Attack[]): Promise<void> {
  await app.db.updateTable('users').set({ active: true, approved: true }).execute();
  const { token } = await openSession(app.db, adminId);
  for (const { init } of attacks)
    if ('x-auth-token' in (init.headers ?? {}))
      init.headers = { ...(init.headers as Record<string, string>), 'x-auth-token': token };
}

async function signedHeaders(more: Record<string, string> = {}) {
  return { 'x-auth-token': (await openSession(app.db, adminId)).token, ...more };
}

function addressOf({ path: template }: Route, param?: { name: string; text: string }): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === param?.name) return param.text;
    return name === 'userEmail' ? OWN_EMAIL : caseId;
  });
}

/** A text that has this length when it is encoded for an address. */
function encoded(text: (length: number) => string): string {
  const part = encodeURIComponent(text(SHORT));
  return part.slice(0, SHORT).replace(/%\w?$/, '');
}

const textsIn = (body: unknown) => placesOf(body).filter(({ value }) => typeof value === 'string');
const named = (place: Path, name: string) => `${name} in ${place.join('.')}`;

function bodiesOf({ access }: Route, body: unknown): { what: string; json: string }[] {
  const length = access === 'anyone' ? PUBLIC : LONG;
  const texts = textsIn(body);
  const alone = texts.flatMap(({ path: place }) =>
    [
      ...everywhere.map((name) => [name, slowTexts[name]?.(length)]),
      ...Object.entries(fitting),
    ].map(([name = '', text]) => ({
      what: named(place, name),
      json: JSON.stringify(changed(body, place, text)),
    })),
  );
  const all = Object.entries(slowTexts).map(([name, text]) => ({
    what: `${name} in all`,
    json: JSON.stringify(
      texts.reduce((changing, { path: place }) => {
        return changed(changing, place, text(length / texts.length / 2));
      }, body),
    ),
  }));
  return [...alone, ...all, ...shapes(body, length)];
}

/** Deep and wide values at the top and in place of every list, object and text. */
function shapes(body: unknown, length: number): { what: string; json: string }[] {
  const count = Math.min(19_000, length / 12);
  const items = Array.from({ length: count }, () => 'a');
  const members = Object.fromEntries(items.map((item, n) => [`m${n}`, item]));
  const within = placesOf(body).flatMap(({ path: place }) => [
    { what: named(place, 'items'), json: JSON.stringify(changed(body, place, items)) },
    { what: named(place, 'members'), json: JSON.stringify(changed(body, place, members)) },
  ]);
  return [
    ...within,
    { what: 'levels', json: '[{"a":'.repeat(length / 6) },
    { what: 'closed levels', json: '['.repeat(length / 2) + ']'.repeat(length / 2) },
    { what: 'too many items', json: `[${'1,'.repeat(length / 2 - 2)}1]` },
    { what: 'too many objects', json: `[${'{},'.repeat(length / 3 - 2)}1]` },
  ];
}

describe('the event loop is not blocked by', () => {
  test.each(subjects.filter(({ body }) => body !== undefined))(
    'a body of $name',
    async ({ route, body }) => {
      const headers = await signedHeaders({ 'content-type': 'application/json' });
      const attacks = bodiesOf(route, body).map(({ what, json }) => ({
        what,
        path: addressOf(route),
        init: { method: route.method, headers, body: Buffer.from(json) },
      }));
      expect(await stallsOf(attacks)).toEqual([]);
    },
  );

  test.each(subjects.filter(({ route, query }) => query || route.path.includes('{')))(
    'an address of $name',
    async ({ route, query }) => {
      const init = { method: route.method, headers: await signedHeaders() };
      const params = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      const attacks = Object.entries(slowTexts).flatMap(([kind, text]) => [
        ...params.map((name) => ({
          what: `${kind} in {${name}}`,
          path: addressOf(route, { name, text: encoded(text) }),
          init,
        })),
        ...Object.keys(query ?? {}).map((name) => ({
          what: `${kind} in ?${name}`,
          path: `${addressOf(route)}?${name}=${encoded(text)}`,
          init,
        })),
      ]);
      expect(await stallsOf(attacks)).toEqual([]);
    },
  );

  test('a header that the server reads', async () => {
    const names = await headersRead();
    expect(names).toEqual(expect.arrayContaining(['x-auth-token', 'authorization', 'range']));
    const route = { path: '/api/v1/users', method: 'GET' };
    const values = [
      ...Object.values(slowTexts).slice(1),
      (length: number) => 'a=b;'.repeat(length / 4),
      (length: number) => 'gzip;q=0.1,'.repeat(length / 11),
      (length: number) => '0-1,'.repeat(length / 4),
    ].map((text) => text(SHORT));
    const token = await signedHeaders();
    const attacks = names.flatMap((name) =>
      values.map((value) => ({
        what: `${value.slice(0, 20)} in ${name}`,
        path: route.path,
        init: { method: route.method, headers: { ...token, [name]: value } },
      })),
    );
    expect(await stallsOf(attacks)).toEqual([]);
  });
});

/** Names of the request headers in the server's code, and those that its libraries read. */
async function headersRead(): Promise<string[]> {
  const root = path.join(import.meta.dirname);
  const files = await readdir(root, { recursive: true });
  const code = files.filter((name) => /(?<!\.test)\.ts$/.test(name) && !name.includes('testing'));
  const names = new Set([
    'cookie',
    'accept',
    'range',
    'if-none-match',
    'if-modified-since',
    'forwarded',
  ]);
  for (const file of code) {
    const text = await readFile(path.join(root, file), 'utf8');
    for (const [, name, quoted] of text.matchAll(/headers(?:\.([a-z]+)\b(?!\()|\['([a-z-]+)'\])/g))
      names.add(name ?? quoted ?? '');
  }
  // The client of these tests sets these by itself.
  return [...names].filter(
    (name) => !/^(host|connection|content-length|expect|length)$/.test(name),
  );
}

const files = {
  text: (text: string) => text,
  csv: (text: string) =>
    `${caseColumns.join(',')}\n${caseColumns.map(() => `"${text}"`).join(',')}`,
  calendar: (text: string) =>
    [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      `UID:${text}`,
      `SUMMARY:${text}`,
      `DTSTART;TZID=${text}:20380101T090000`,
      `DTSTAMP:${text}`,
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n'),
};

describe('the event loop is not blocked by a form', () => {
  test.each(subjects.filter(({ route }) => route.file !== undefined))(
    'of $name',
    async ({ route }) => {
      const { file = '', fields = [] } = route;
      const attacks: Attack[] = [];
      const add = (
        what: string,
        own: { field?: string; text: string; name?: string; content?: string },
      ) => {
        const form = new FormData();
        for (const field of fields)
          form.set(field, field === own.field ? own.text : field === 'caseId' ? caseId : 'Text');
        form.set(file, new Blob([own.content ?? 'text']), own.name ?? 'a.csv');
        attacks.push({
          what,
          path: addressOf(route),
          init: { method: 'POST', headers: {}, body: form },
        });
      };
      for (const [kind, text] of Object.entries(slowTexts)) {
        for (const field of fields)
          for (const length of [3900, 19_000])
            add(`${kind} in ${field}`, { field, text: text(length) });
        add(`${kind} in the name`, { text: '', name: text(SHORT) });
        for (const [type, toContent] of Object.entries(files))
          add(`${kind} in a ${type}`, { text: '', content: toContent(text(40_000)) });
      }
      const headers = await signedHeaders();
      for (const { init } of attacks) init.headers = headers;
      expect(await stallsOf(attacks)).toEqual([]);
    },
  );

  test.each(subjects.filter(({ route }) => route.form ?? route.signedBody))(
    'of strangers to $name',
    async ({ route }) => {
      const type = route.form ? 'application/x-www-form-urlencoded' : 'application/json';
      const headers = {
        'content-type': type,
        'x-twilio-signature': 'a',
        authorization: 'Bearer a.a.a',
      };
      const attacks = Object.entries(slowTexts).flatMap(([kind, text]) => {
        const bodies = route.form
          ? [
              new URLSearchParams({ Body: text(8000) }).toString(),
              new URLSearchParams({ [text(8000)]: 'a' }).toString(),
              'a=&'.repeat(15_000),
              Array.from({ length: 8000 }, (_, n) => `a${n}=`).join('&'),
            ]
          : [JSON.stringify({ message: { data: text(4000) } })];
        return bodies.map((body) => ({
          what: `${kind}: ${body.slice(0, 20)}`,
          path: route.path,
          init: { method: route.method, headers, body },
        }));
      });
      expect(await stallsOf(attacks)).toEqual([]);
    },
  );

  test('of an intake', async () => {
    const { body } = await app.call(intakeFormRoutes.listForms, {
      token: (await openSession(app.db, adminId)).token,
    });
    const fields = body.forms.find((form) => form.slug === slug)?.fields ?? [];
    const names = [...fields.map((field) => nameOf(field)), ...Object.values(controls)];
    const attacks = names.flatMap((name) =>
      Object.entries(slowTexts).flatMap(([kind, text]) => {
        const form = new FormData();
        form.set(name, text(19_000));
        const address = { path: `/intake/${slug}` };
        return [
          { what: `${kind} in ${name}`, ...address, init: { method: 'POST', body: form } },
          {
            what: `${kind} in ${name}`,
            ...address,
            init: { method: 'POST', body: new URLSearchParams({ [name]: text(9000) }) },
          },
        ];
      }),
    );
    // Each is read, though more than a client may send.
    await app.db.deleteFrom('attempts').execute();
    expect(await stallsOf(attacks)).toEqual([]);
  });
});

test('normalizing the text of a file takes time that grows with the text', async () => {
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
    for (const pair of ['\u0301\u0316', '\u0301\uFF9E', '\u0301\u{1D165}']) {
      const before = process.threadCpuUsage();
      normalized(`a${pair.repeat(200_000)}`, form);
      const { user, system } = process.threadCpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(500);
    }
});
