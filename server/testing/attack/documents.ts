// Files of cases, lists of cases, and calendars that no program writes.

import { caseColumns } from '@matterdesk/contract/cases.ts';
import type { Random } from '../random.ts';
import { hostileSegment, hostileText } from './inputs.ts';
import { ask, askJson, type Attack, type WireReply } from './wire.ts';
import type { World } from './world.ts';

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
