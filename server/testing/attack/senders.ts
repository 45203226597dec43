// Those who send slowly, too much, or multipart bodies that no browser makes.

import type { Random } from '../random.ts';
import { forwardedFor } from './addresses.ts';
import { hostileText } from './hostile-texts.ts';
import { sendBytes, sendSlowly, type Attack } from './wire.ts';
import type { World } from './world.ts';

type Place = { path: string; token: (world: World) => string | undefined };

const PLACES: Place[] = [
  { path: '/intake/accidents', token: () => undefined },
  { path: '/api/v1/files/uploadFile', token: ({ attacker }) => attacker.token },
  { path: '/api/v1/cases/import', token: ({ attacker }) => attacker.token },
  { path: '/api/v1/calendar/import', token: ({ attacker }) => attacker.token },
  { path: '/api/v1/mails/uploads', token: ({ pair }) => pair[0].token },
  { path: '/api/v1/users/login', token: () => undefined },
  { path: '/api/v1/messages/webhook/inbound', token: () => undefined },
];

type Sender = { world: World; place: Place; n: number };

function headOf({ world, place, n }: Sender, ...more: string[]): string {
  const token = place.token(world);
  const lines = [
    `POST ${place.path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    `X-Forwarded-For: ${forwardedFor(n)['x-forwarded-for']}`,
    ...(token === undefined ? [] : [`X-Auth-Token: ${token}`]),
    ...more,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Between the parts of a slow request, in milliseconds; the whole takes about half a minute. */
const PAUSES = [200, 1000, 5000];
const SLOW_MS = 30_000;

/** Sends a request a few bytes at a time: its head, a body of known length, or one that never ends. */
export function slow(random: Random): Attack {
  const place = random.pick(PLACES);
  const pause = random.pick(PAUSES);
  const n = random.whole(0, 20_000);
  const kind = random.pick(['head', 'length', 'chunks', 'multipart'] as const);
  const count = Math.ceil(SLOW_MS / pause);
  return {
    what: `${count} parts, ${pause} ms apart, of ${kind} to ${place.path}`,
    run: async (world) => {
      const parts = {
        head: [`POST ${place.path} HTTP/1.1\r\n`, ...drip('X-Slow: a\r\n', count)],
        length: [
          headOf({ world, place, n }, 'Content-Type: application/json', 'Content-Length: 100000'),
          ...drip('{"a":"', count),
        ],
        chunks: [
          headOf(
            { world, place, n },
            'Content-Type: application/json',
            'Transfer-Encoding: chunked',
          ),
          ...drip('1\r\n{\r\n', count),
        ],
        multipart: [
          headOf(
            { world, place, n },
            'Content-Type: multipart/form-data; boundary=b',
            'Content-Length: 1000000',
          ),
          '--b\r\nContent-Disposition: form-data; name="f-photos"; filename="a.jpg"\r\n\r\n',
          ...drip('x', count),
        ],
      }[kind];
      return [await sendSlowly(world, parts, pause)];
    },
  };
}

function drip(part: string, count: number): string[] {
  return Array.from({ length: count }, () => part);
}

const FIELDS = [
  'attachments',
  'attachment',
  'file',
  'caseId',
  'folder',
  'f-photos',
  'f-name',
  '__proto__',
  '',
];

/** A multipart body whose parts, names and ends are wrong. */
export function multipart(random: Random): Attack {
  const place = random.pick(PLACES.slice(0, 5));
  const n = random.whole(0, 20_000);
  const parts = Array.from({ length: random.pick([0, 1, 3, 30, 400]) }, () => partOf(random));
  const boundary = random.pick(['b', 'b', 'b', 'a'.repeat(70), '"b', '', 'é']);
  const end = random.pick([
    `--${boundary}--\r\n`,
    `--${boundary}`,
    '',
    `--${boundary}--${'\r\n'.repeat(1000)}`,
  ]);
  const body = parts.map((part) => `--b\r\n${part}\r\n`).join('') + end;
  const isLong = random.isLucky(0.2);
  return {
    what: `${parts.length} parts with boundary ${boundary.slice(0, 5)} to ${place.path}: ${body.slice(0, 200)}`,
    run: async (world) => {
      const bytes = Buffer.from(body);
      const length = isLong ? bytes.length + 5_000_000 : bytes.length;
      const head = headOf(
        { world, place, n },
        `Content-Type: multipart/form-data; boundary=${boundary}`,
        `Content-Length: ${length}`,
      );
      const rest = isLong ? [Buffer.alloc(length - bytes.length, 'x')] : [];
      return [await sendBytes(world, [Buffer.from(head), bytes, ...rest])];
    },
  };
}

function partOf(random: Random): string {
  const [name, content] = [hostileText(random, 2000).text, hostileText(random, 20_000).text];
  const field = random.isLucky(0.8) ? random.pick(FIELDS) : name;
  const heads = [
    `Content-Disposition: form-data; name="${field}"; filename="${name}"`,
    `Content-Disposition: form-data; name="${field}"`,
    `Content-Disposition: form-data; name="${field}"; filename*=utf-8''${'%cc%81'.repeat(200)}`,
    `Content-Disposition: attachment; name=${field}; name=${field}`,
    `Content-Type: text/plain; charset=${name.slice(0, 100)}`,
    `${'X-Head: a\r\n'.repeat(200)}Content-Disposition: form-data; name="${field}"`,
    'Content-Disposition',
    '',
  ];
  return `${random.pick(heads)}\r\n\r\n${content}`;
}
