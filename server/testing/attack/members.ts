// Each route of the contract with bodies and addresses in which something is hostile.

import { caseColumns } from '@matterdesk/contract/cases.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { hostileNames } from '../hostile.ts';
import type { Random } from '../random.ts';
import { changed, placesOf } from '../valid-input.ts';
import { hostileSegment, hostileText, addressOf, plausibleBody, type Row } from './inputs.ts';
import { ask, type Attack, sendBytes, askJson, type WireReply } from './wire.ts';
import { forwardedFor, type World } from './world.ts';

/** Requests by which the attacker would leave. */
const PARTING = /logout|me\/(password|totp|passkeys|sessions)|disconnect/;
const attacked = routes.filter(({ path, file }) => !file && !PARTING.test(path));

const VALUES: (() => unknown)[] = [
  () => null,
  () => 2 ** 53,
  () => -1e308,
  () => [],
  () => Array.from({ length: 20_000 }, () => 'a'),
  () => Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, n])),
  () => Object.fromEntries([['__proto__', { role: 'admin' }]]),
  () => JSON.parse(`${'['.repeat(25)}${']'.repeat(25)}`) as unknown,
];

export function members(random: Random): Attack {
  const route = random.pick(attacked);
  const texts = [1, 2, 3].map(() => hostileText(random, 400_000));
  const chosen = texts.map(() => random.next());
  const value = random.isLucky(0.25) ? random.pick(VALUES)() : undefined;
  const name = random.isLucky(0.1) ? random.pick(hostileNames) : undefined;
  const segment = random.isLucky(0.3) ? hostileSegment(random) : undefined;
  const query = random.isLucky(0.2)
    ? `?${random.pick(hostileNames.slice(0, 8))}=${hostileSegment(random)}`
    : '';
  const count = random.whole(0, 3);
  return {
    what: `${route.method} ${route.path} with ${count} of ${texts.map((each) => each.name).join(', ')}${segment === undefined ? '' : ` at ${segment.slice(0, 60)}`}${value === undefined ? '' : ', and another type'}`,
    run: async ({ ids, attacker, mailId, ...world }) => {
      const row: Row = {
        ...ids,
        id: ids.case,
        caseId: ids.case,
        kind: 'cases',
        first: ids.user,
        second: ids.user,
        userEmail: attacker.email,
        mailId,
        folder: 'Exhibits',
        name: 'a.txt',
      };
      let body = plausibleBody(route, row);
      const places = placesOf(body).slice(1);
      for (const [at, { text }] of texts.slice(0, count).entries()) {
        const { path } = places[Math.floor((chosen[at] ?? 0) * places.length)] ?? { path: [] };
        body =
          path.length > 0
            ? changed(body, path, at === 0 && value !== undefined ? value : text)
            : body;
      }
      if (name !== undefined && body !== undefined) body = changed(body, [name], texts[0]?.text);
      const address =
        segment === undefined
          ? addressOf(route, row)
          : addressOf(route, {}).replaceAll(/0{8}-[-0-9]+/g, () => segment);
      const headers = {
        'x-auth-token': attacker.token,
        ...forwardedFor(count),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      const sent = {
        method: route.method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      };
      return [await ask({ ids, attacker, mailId, ...world }, address + query, sent)];
    },
  };
}

/** Masked as a client's, with a mask of zeros. */
function frame(
  opcode: number,
  payload: Buffer,
  { isFinal = true, claimed = payload.length } = {},
): Buffer {
  const head = Buffer.alloc(14);
  head[0] = (isFinal ? 0x80 : 0) | opcode;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(claimed), 2);
  return Buffer.concat([head, payload]);
}

const PAYLOADS = [
  '40',
  '42["case.created",{}]',
  `42[${'['.repeat(50_000)}`,
  '451-["x",{"_placeholder":true,"num":0}]',
  '459999999999-["x"]',
  '42["__proto__",{"constructor":{}}]',
  '43999999999999999999[]',
  '6',
  '2probe',
  '\ud83d',
];

/** A socket with a session, or with none, that sends what no client library sends. */
export function socket(random: Random): Attack {
  const { name, text } = hostileText(random, 100_000);
  const payloads = Array.from({ length: random.pick([1, 3, 40]) }, () =>
    random.isLucky(0.3) ? `42["x",${JSON.stringify(text)}]` : random.pick(PAYLOADS),
  );
  const opcode = random.pick([1, 1, 1, 2, 0, 3, 8, 9]);
  const isFinal = random.isLucky(0.9);
  const claimed = random.isLucky(0.1) ? { claimed: 2 ** 40 } : {};
  const hasSession = random.isLucky(0.7);
  const origin = random.isLucky(0.1) ? 'Origin: https://evil.example\r\n' : '';
  const query = encodeURIComponent(text.slice(0, 500).toWellFormed());
  return {
    what: `a socket ${hasSession ? 'with' : 'without'} a session: ${payloads.length} frames ${opcode}${isFinal ? '' : ' without an end'}, ${payloads[0]?.slice(0, 40)}, ${name}`,
    run: async (world) => {
      const token = hasSession ? world.attacker.token : query;
      const upgrade = `GET /socket.io/?EIO=4&transport=websocket&token=${token} HTTP/1.1\r\nHost: 127.0.0.1\r\n${origin}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`;
      const frames = payloads.map((payload) =>
        frame(opcode, Buffer.from(payload), { isFinal, ...claimed }),
      );
      const bye = frame(8, Buffer.from([3, 232]));
      const greeting = frame(1, Buffer.from('40'));
      return [
        await sendBytes(world, [upgrade, greeting, ...frames, bye]),
        await ask(world, `/socket.io/?EIO=4&transport=polling&token=${token}&sid=${query}`, {
          method: 'POST',
          body: text,
        }),
        await ask(world, `/socket.io/?EIO=${query}&transport=${query}`),
      ];
    },
  };
}

// Files of cases, lists of cases, and calendars that no program writes.

const MEGABYTE = 1024 * 1024;

type Sent = { path: string; fields: Record<string, string>; name: string; file: File };

function sendForm(world: World, { path, fields, name, file }: Sent): Promise<WireReply> {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.append(field, value);
  body.append(name, file);
  const headers = { 'x-auth-token': world.attacker.token };
  return ask(world, path, { method: 'POST', headers, body });
}

export function upload(random: Random): Attack {
  const [folder, name, content] = [
    hostileText(random, 3000),
    hostileText(random, 500),
    hostileText(random),
  ];
  const size = random.pick([0, 1, 4100, 2 * MEGABYTE, 2 * MEGABYTE + 1]);
  const magic = random.pick([
    '%PDF-1.7\n',
    'PK\u0003\u0004',
    '\u00ff\u00d8\u00ff\u00e0',
    'MZ',
    '<!doctype html><script>',
    '\u00d0\u00cf\u0011\u00e0',
    '',
  ]);
  const ending = random.pick([
    '.pdf',
    '.docx',
    '.eml',
    '.msg',
    '.html',
    '.svg',
    '.tiff',
    '.xlsx',
    '',
  ]);
  const segment = hostileSegment(random);
  return {
    what: `an upload of ${size} bytes beginning with ${JSON.stringify(magic)} as ${name.name}${ending} into ${folder.name}`,
    run: async (world) => {
      const { ids, attacker } = world;
      const head = Buffer.from(magic + content.text, 'latin1').subarray(0, Math.max(size, 4100));
      const bytes = Buffer.concat([head, Buffer.alloc(Math.max(0, size - head.length), 'x')]);
      const file = new File([bytes], name.text.toWellFormed() + ending);
      const fields = { caseId: ids.case, folder: folder.text.toWellFormed() };
      const headers = { 'x-auth-token': attacker.token };
      const place = `/api/v1/files/content/${ids.case}/${segment}/${segment}`;
      return [
        await sendForm(world, {
          path: '/api/v1/files/uploadFile',
          fields,
          file,
          name: 'attachments',
        }),
        await ask(world, place, {
          headers: { ...headers, range: 'bytes=0-,5-1,9999999999999999999-' },
        }),
        await ask(world, place, { method: 'DELETE', headers }),
        await askJson(world, { path: '/api/v1/files/createFolder', token: attacker.token }, fields),
      ];
    },
  };
}

export function table(random: Random): Attack {
  const sign = random.pick([',', ';', '\t']);
  const rows = random.pick([0, 1, 50, 3000]);
  const cells = caseColumns.map(() => hostileText(random, random.pick([20, 300, 5000])));
  const quote = random.pick(['"', '', '"']);
  const header = random.pick([
    caseColumns.join(sign),
    hostileText(random, 5000).text,
    'a'.repeat(300_000),
    sign.repeat(100_000),
  ]);
  const line = cells.map(({ text }) => quote + text.slice(0, 400) + quote).join(sign);
  const file = `${header}\r\n${`${line}\r\n`.repeat(rows)}${random.pick(['', '"', '"open'])}`.slice(
    0,
    3 * MEGABYTE,
  );
  const mapping = random.pick([
    '',
    '{}',
    '{"caseName":"x"}',
    '{"__proto__":"x"}',
    '['.repeat(3000),
    hostileText(random, 3000).text,
  ]);
  const query = random.pick(['', '?dryRun=1']);
  return {
    what: `a list of ${rows} cases${query} in ${file.length} units, beginning with ${JSON.stringify(file.slice(0, 60))}`,
    run: async (world) => {
      const fields = { ...(mapping && { mapping: mapping.toWellFormed() }), dates: 'mdy' };
      return [
        await sendForm(world, {
          path: `/api/v1/cases/import${query}`,
          fields,
          file: new File([file], 'cases.csv'),
          name: 'file',
        }),
      ];
    },
  };
}

const LINES = [
  'RRULE:FREQ=SECONDLY',
  'RRULE:FREQ=DAILY;COUNT=999999999',
  'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31',
  'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-366;INTERVAL=99999',
  'RRULE:FREQ=WEEKLY;UNTIL=00000000T000000Z',
  'RRULE:FREQ=MINUTELY;BYSECOND=0,1,2,3,4,5,6,7,8,9;BYHOUR=1,2,3,4,5,6,7',
  'RDATE:20270101T000000Z',
  'EXDATE:20270101T000000Z',
  'DTSTART:99991231T235959Z',
  'DTSTART:00000101T000000Z',
  'DTSTART;TZID=Nowhere/At_All:20270203T150000',
  'DTSTART;VALUE=DATE:20270230',
  'DTEND:18000101T000000Z',
  'DURATION:P99999999W',
  'ATTENDEE;CN="a:b;c":mailto:a@b.example',
  'BEGIN:VEVENT',
  'BEGIN:VALARM',
  'END:VCALENDAR',
  'ATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA',
  '=1+1',
];

export function calendar(random: Random): Attack {
  const count = random.pick([1, 1, 3, 200, 3000]);
  const lines = [1, 2, 3].map(() => random.pick(LINES));
  const { name, text } = hostileText(random, random.pick([200, 20_000]));
  const repeats = random.pick([1, 1, 100]);
  const zone = `BEGIN:VTIMEZONE\r\nTZID:${text.slice(0, 2000)}\r\n${'BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nRRULE:FREQ=SECONDLY\r\nTZOFFSETFROM:+9999\r\nTZOFFSETTO:-9999\r\nEND:STANDARD\r\n'.repeat(repeats)}END:VTIMEZONE`;
  const events = Array.from({ length: count }, (_, n) =>
    [
      'BEGIN:VEVENT',
      `UID:${n}@attack`,
      'DTSTAMP:20270101T000000Z',
      'DTSTART:20270203T150000Z',
      `SUMMARY:${text.slice(0, Math.ceil(MEGABYTE / count))}`,
      ...lines.flatMap((line) => Array.from({ length: repeats }, () => line)),
      'END:VEVENT',
    ].join('\r\n'),
  );
  const file = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...(random.isLucky(0.3) ? [zone] : []),
    ...events,
    'END:VCALENDAR',
    '',
  ]
    .join('\r\n')
    .slice(0, 6 * MEGABYTE);
  const isOfCase = random.isLucky(0.5);
  const query = random.pick(['', '?dryRun=1']);
  const isNew = random.isLucky(0.5);
  const domain = `${random.whole(0, 999_999)}.example`;
  let runs = 0;
  return {
    what: `a calendar${query} of ${count} ${isNew ? 'new ' : ''}events with ${name} and ${repeats} of ${lines.join(', ')}`,
    run: async (world) => {
      const fields = { caseId: isOfCase ? world.ids.case : '', kind: 'other' };
      // Known events cost less, so that a repetition would not show what the first import cost.
      const sent = isNew ? file.replaceAll('@attack', `@${(runs += 1)}.${domain}`) : file;
      return [
        await sendForm(world, {
          path: `/api/v1/calendar/import${query}`,
          fields,
          file: new File([sent], 'court.ics'),
          name: 'file',
        }),
      ];
    },
  };
}
