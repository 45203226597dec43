// Those who send slowly, too much, or multipart bodies that no browser makes.

import { mailPushRoutes } from '@matterdesk/contract/mails.ts';
import { messageRoutes, textWebhookRoutes } from '@matterdesk/contract/messages.ts';
import { plainMail } from '../mail.ts';
import type { Random } from '../random.ts';
import { PUBLIC_URL } from '../texting.ts';
import { hostileText, hostileSegment } from './inputs.ts';
import { sendBytes, sendSlowly, type Attack, ask, askJson } from './wire.ts';
import { forwardedFor, type World } from './world.ts';

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

// Input by mail and by text: through Google's mailboxes and pushes, and Twilio's webhooks.

const HEADS = [
  'Content-Type: multipart/mixed; boundary=""',
  `Content-Type: multipart/mixed; boundary="${'b'.repeat(5000)}"`,
  'Content-Type: text/html; charset=utf-7',
  'Content-Transfer-Encoding: base64',
  'Content-Transfer-Encoding: quoted-printable',
  'Content-Type: text/calendar; method=REQUEST',
  `References: ${'<a@b>'.repeat(2000)}`,
  `Subject: ${'=?utf-8?B?4oCu?='.repeat(500)}`,
  `X-Filler: ${'a'.repeat(100_000)}`,
  'Date: not a date',
];

/** Nested parts, each in the next. */
function nested(depth: number): string {
  const open = Array.from(
    { length: depth },
    (_, n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`,
  );
  return open.join('');
}

export function mail(random: Random): Attack {
  const [subject, text, from] = [
    hostileText(random, 5000),
    hostileText(random),
    hostileText(random, 2000),
  ];
  const heads = [1, 2].map(() => random.pick(HEADS));
  const body = random.pick([
    text.text,
    nested(400),
    '<table>'.repeat(20_000),
    `<div style="${'a:b;'.repeat(20_000)}">`,
    '=\r\n'.repeat(50_000),
    `<!--${'-'.repeat(100_000)}`,
  ]);
  const section = random.pick(['inbox', 'sent', 'drafts']);
  const cursor = hostileSegment(random);
  return {
    what: `a mail from ${from.name} about ${subject.name} with ${heads.map((head) => head.slice(0, 60)).join(', ')} and ${body.slice(0, 20)}`,
    run: async (world) => {
      const { google, pair } = world;
      const [reader] = pair;
      const plain = (given: string) => given.toWellFormed().replaceAll(/[\r\n]/g, ' ');
      const raw = plainMail({
        from: `${plain(from.text)} <a@client.example>`,
        subject: plain(subject.text),
        text: body.toWellFormed(),
        headers: heads,
      });
      const { id } = await google.deliver(reader.mailbox, raw);
      const headers = { 'x-auth-token': reader.token };
      const whose = encodeURIComponent(reader.email);
      return [
        await ask(world, `/api/v1/mails/readMail/${whose}/${id}`, { headers }),
        await ask(world, `/api/v1/mails/getAllMails/${whose}?section=${section}&search=${cursor}`, {
          headers,
        }),
        await ask(world, `/api/v1/mails/attachment/${id}/${cursor}/${cursor}`, { headers }),
        await askJson(
          world,
          { path: `/api/v1/calendar/fromMail/${id}`, token: reader.token },
          { kind: 'other' },
        ),
        await askJson(
          world,
          { path: '/api/v1/intakes', token: reader.token },
          {
            name: subject.text.slice(0, 100),
            phoneNumber: '1 518 555 0142',
            fromMail: id,
          },
        ),
      ];
    },
  };
}

export function push(random: Random): Attack {
  const { name, text } = hostileText(random, 50_000);
  const address = random.pick([text, `${text.slice(0, 200)}@firm.example`]);
  const historyId = random.pick<unknown>([
    text.slice(0, 50),
    -1,
    '9'.repeat(40),
    '9'.repeat(41),
    null,
    {},
    2 ** 53,
  ]);
  const authorization = random.pick([
    '',
    'Bearer a.b.c',
    `Bearer ${'a'.repeat(6000)}.${'b'.repeat(3000)}.c`,
    'Bearer eyJhbGciOiJub25lIn0.e30.',
  ]);
  const data = Buffer.from(JSON.stringify({ emailAddress: address, historyId })).toString('base64');
  const { path } = mailPushRoutes.receivePush;
  return {
    what: `a push about ${name} with ${authorization.slice(0, 30)}`,
    run: async (world) => [
      await ask(world, path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify({ message: { data } }),
      }),
    ],
  };
}

const STATUSES = [
  'received',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'queued',
  '__proto__',
  '',
];
const KEYWORDS = ['STOP', 'stop ', 'START', 'HELP', 'UNSTOP', ''];

/** Signed by Twilio's key most times: what strangers decide is in the form. */
export function text(random: Random): Attack {
  const [body, from, sid] = [
    hostileText(random, 100_000),
    hostileText(random, 300),
    hostileText(random, 200),
  ];
  const path = random.pick([
    textWebhookRoutes.receiveText.path,
    textWebhookRoutes.receiveStatus.path,
  ]);
  const isSigned = random.isLucky(0.8);
  const isKnown = random.isLucky(0.5);
  const status = random.pick(STATUSES);
  const keyword = random.pick(KEYWORDS);
  const count = random.pick(['0', '1', '10', '-1', '1e9', 'NaN', '999999']);
  const errorCode = random.pick(['', '30034', '9'.repeat(40), '-1']);
  const digits = String(random.whole(1000, 9999));
  return {
    what: `a text to ${path}, ${isSigned ? 'signed' : 'unsigned'}: ${body.name} from ${from.name} with ${count} media, status ${status}`,
    run: async (world) => {
      const { twilio, pair } = world;
      const media = `http://127.0.0.1:9/${'a'.repeat(50)}`;
      const form = {
        AccountSid: twilio.env['TWILIO_ACCOUNT_SID'] ?? '',
        MessageSid: isKnown ? `SM${digits.repeat(8)}` : sid.text.toWellFormed(),
        From: isKnown ? `+1646555${digits}` : from.text.toWellFormed(),
        To: pair[1].phoneNumber,
        Body: keyword || body.text.toWellFormed(),
        NumMedia: count,
        MediaUrl0: media,
        MediaContentType0: from.text.toWellFormed(),
        MessageStatus: status,
        SmsStatus: status,
        ErrorCode: errorCode,
      };
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': isSigned ? twilio.sign(PUBLIC_URL + path, form) : 'unsigned',
      };
      const { token, phoneNumber } = pair[1];
      const sent = { from: phoneNumber, to: `+1646555${digits}`, message: body.text };
      return [
        await ask(world, path, {
          method: 'POST',
          headers,
          body: new URLSearchParams(form).toString(),
        }),
        await askJson(world, { path: messageRoutes.sendText.path, token }, sent),
        await askJson(
          world,
          { path: messageRoutes.readHistory.path, token },
          {
            from: phoneNumber,
            to: from.text,
          },
        ),
      ];
    },
  };
}
