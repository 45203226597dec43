// Those without an account: sign-in, the public form, addresses and bodies that no client sends.

import { makeStamp } from '../../features/intakes/forms/rules.ts';
import { brokenBodies } from '../hostile.ts';
import type { Random } from '../random.ts';
import { hostileSegment, hostileText } from './inputs.ts';
import { ask, askJson, sendBytes, type Attack } from './wire.ts';
import { forwardedFor } from './world.ts';

/** A page that was filled in by hand is not quicker. */
const FILLED_IN = 60_000;

export function login(random: Random): Attack {
  const [email, password, code] = [1, 2, 3].map(() => hostileText(random, 200_000));
  const isKnown = random.isLucky(0.3);
  const headers = { 'content-type': 'application/json', ...forwardedFor(random.whole(0, 20_000)) };
  const path = random.pick([
    'login',
    'register',
    'forgotPassword',
    'resetPassword',
    'login/passkey',
  ]);
  return {
    what: `POST /users/${path} with ${email?.name}, ${password?.name}`,
    run: async (world) => {
      const given = {
        email: isKnown ? world.pair[0].email : email?.text,
        password: password?.text,
        ...(isKnown && { code: code?.text, token: code?.text }),
      };
      const body = JSON.stringify(given);
      return [await ask(world, `/api/v1/users/${path}`, { method: 'POST', headers, body })];
    },
  };
}

/** The first one loads the package for passkeys, a fifth of a second. */
export const passkeyOptions: Attack = {
  what: 'POST /users/login/passkey/options',
  run: async (world) => [
    await ask(world, '/api/v1/users/login/passkey/options', { method: 'POST' }),
  ],
};

export function publicForm(random: Random): Attack {
  const [name, story] = [hostileText(random, 30_000), hostileText(random, 300_000)];
  const [isMultipart, hasStamp, hasFiles] = [0.5, 0.7, 0.3].map((chance) => random.isLucky(chance));
  const headers = forwardedFor(random.whole(0, 20_000));
  const segment = hostileSegment(random);
  const isElsewhere = random.isLucky(0.2);
  return {
    what: `POST /intake/${isElsewhere ? segment : 'accidents'} (${isMultipart ? 'multipart' : 'urlencoded'}) with ${name.name}, ${story.name}`,
    run: async (world) => {
      const { slug, secretKey } = world;
      const given = {
        'f-name': name.text.toWellFormed(),
        'f-phone': '518 555 0142',
        'f-story': story.text.toWellFormed(),
        understood: 'yes',
        stamp: hasStamp ? makeStamp(secretKey, slug, Date.now() - FILLED_IN) : name.name,
      };
      const form = isMultipart ? new FormData() : new URLSearchParams();
      for (const [key, value] of Object.entries(given)) form.append(key, value);
      if (form instanceof FormData && hasFiles)
        form.append('f-photos', new Blob([story.text]), name.text.toWellFormed().slice(0, 3000));
      const path = `/intake/${isElsewhere ? segment : slug}`;
      return [
        await ask(world, `${path}?source=${segment}`, { headers }),
        await ask(world, path, { method: 'POST', headers, body: form }),
      ];
    },
  };
}

const PLACES = [
  '/',
  '/intake/',
  '/api/v1/',
  '/ai/',
  '/static/',
  '/static/js/',
  '/socket.io/',
  '/dashboard/',
  '/api/v1/files/content/',
  '/api/v1/calendar/feed/',
  '/api/v1/mails/readMail/',
  '/metrics/',
];

export function address(random: Random): Attack {
  const path =
    random.pick(PLACES) +
    [1, 2, 3].map(() => hostileSegment(random)).join(random.pick(['/', '/../', '//', '?', '&']));
  const isRaw = random.isLucky(0.5);
  const raw = path.replaceAll(/%(..)/g, () =>
    random.pick(['%00', '\\', '/', '\u00ff', '%u002e', '#']),
  );
  const method = random.pick([
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'DELETE',
    'OPTIONS',
    'PATCH',
    'TRACE',
    'QUERY',
    'get',
  ]);
  const host = random.pick([
    '127.0.0.1',
    '127.0.0.1',
    '127.0.0.1',
    '[::',
    'evil.example',
    'a'.repeat(5000),
    '',
  ]);
  const lines = [`${method} ${raw} HTTP/1.1`, `Host: ${host}`, 'Connection: close', '', ''];
  return {
    what: isRaw
      ? `${lines[0]?.slice(0, 300)} of host ${host.slice(0, 20)}`
      : `GET ${path.slice(0, 300)}`,
    run: async (world) => [
      isRaw
        ? await sendBytes(world, [Buffer.from(lines.join('\r\n'), 'latin1')])
        : await ask(world, path),
    ],
  };
}

const HEADS = [
  'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n',
  'POST /api/v1/users/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n{}',
  'POST /api/v1/users/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999999999999\r\n\r\n{}',
  'POST /api/v1/users/login HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003',
  `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n${'X-Filler: a\r\n'.repeat(3000)}\r\n`,
  `GET /${'a'.repeat(60_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
  'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nRange: bytes=0-,0-,0-,0-\r\nConnection: close\r\n\r\n',
];

export function protocol(random: Random): Attack {
  const head = random.pick(HEADS);
  const end = random.isLucky(0.5)
    ? 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'
    : '';
  return {
    what: `the bytes ${JSON.stringify(head.slice(0, 120))}`,
    run: async (world) => [await sendBytes(world, [Buffer.from(head + end, 'latin1')])],
  };
}

const JSON_BODIES: (() => string)[] = [
  () => `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
  () => `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`,
  () => `{"email":"${'\\u0000'.repeat(100_000)}"}`,
  () => `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join(',')}}`,
  () => `{${Array.from({ length: 60_000 }, () => '"email":"a"').join(',')}}`,
  () => `{"email":${'1'.repeat(500_000)}}`,
  () => `{"email":"${'a'.repeat(1_000_001)}"}`,
  () => `[${'{},'.repeat(300_000)}{}]`,
  () => `${' '.repeat(900_000)}{}`,
  () => `{"permissions":{"__proto__":{"role":"admin"}},"constructor":{"prototype":{}}}`,
];

export function json(random: Random): Attack {
  const index = random.whole(0, JSON_BODIES.length + brokenBodies.length - 1);
  const body = JSON_BODIES[index]?.() ?? brokenBodies[index - JSON_BODIES.length]?.bytes ?? '';
  const path = random.pick([
    '/api/v1/users/login',
    '/api/v1/cases',
    '/api/v1/conflicts/look',
    '/ai/chat',
    '/api/v1/mails/google/push',
  ]);
  const hasToken = random.isLucky(0.7);
  return {
    what: `POST ${path} with JSON ${index}: ${String(body).slice(0, 40)}`,
    run: async (world) => {
      const headers = {
        'content-type': 'application/json',
        ...forwardedFor(index),
        ...(hasToken && { 'x-auth-token': world.attacker.token }),
      };
      return [await ask(world, path, { method: 'POST', headers, body: Buffer.from(body) })];
    },
  };
}

/** A sign-in that is right in everything but its form. */
export function search(random: Random): Attack {
  const { name, text } = hostileText(random, 3000);
  const path = random.pick([
    'cases',
    'contacts',
    'users',
    'tasks',
    'intakes',
    'conflicts',
    'deadlines',
    'notices',
    'audit',
    'calendar',
  ]);
  const query = new URLSearchParams({
    search: text.toWellFormed(),
    cursor: text.slice(0, 200).toWellFormed(),
  });
  if (random.isLucky(0.7)) query.delete('cursor');
  return {
    what: `GET /${path} for ${name}`,
    run: async (world) => {
      const headers = { 'x-auth-token': world.attacker.token };
      const names = [{ name: text, role: 'client' }];
      return [
        await ask(world, `/api/v1/${path}?${query.toString()}`, { headers }),
        await askJson(
          world,
          { path: '/api/v1/conflicts/look', token: world.attacker.token },
          { names },
        ),
      ];
    },
  };
}
