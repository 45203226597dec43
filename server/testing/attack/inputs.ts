import type { Route } from '@matterdesk/contract/route.ts';
import { PASSWORD, unique } from '../factories.ts';
import type { Random } from '../random.ts';
import { findValidInput } from '../valid-input.ts';

/** Ids by the names that path parameters and members have. */
export type Row = Record<string, string>;

type Values = Record<string, (row: Row) => unknown>;

/** Undefined leaves the member out: it excludes another, or names what does not exist here. */
const MEMBERS: Values = {
  case: (row) => row['case'],
  caseId: (row) => row['case'],
  case_id: (row) => row['case'],
  assignedTo: (row) => row['user'],
  owner: (row) => row['first'],
  second: (row) => row['second'],
  assignedUsers: (row) => [row['first']],
  people: (row) => [row['first'], row['second']],
  owners: (row) => [row['first']],
  screened: () => [],
  links: () => [],
  updateMatters: () => [],
  assignee: none,
  source: none,
  contacts: none,
  contactId: none,
  fromMail: none,
  guests: none,
  private: none,
  cancelled: none,
  invitation: none,
  setupCode: none,
  code: none,
  answer: none,
  inReplyTo: none,
  forwardOf: none,
  attachments: none,
  draftId: none,
  showIf: none,
  intakeId: none,
  cc: none,
  bcc: none,
  url: (row) => row['url'],
  cursor: none,
  history: none,
  steps: none,
  caseNo: () => `CV-${unique()}`,
  slug: () => `form-${unique()}`,
  name: () => `Ngozi Abara ${unique()}`,
  email: () => `person.${unique()}@firm.example`,
  password: () => PASSWORD,
  newPassword: () => PASSWORD,
  currentPassword: () => PASSWORD,
  from: (row) => row['from'],
  to: (row) => row['to'],
  userEmail: (row) => row['userEmail'],
  jurisdiction: (row) => row['jurisdiction'],
  rule: (row) => row['rule'],
  updatedAt: (row) => row['updatedAt'],
  hitIds: (row) => [row['hit']],
  accept: (row) => (row['accept'] === undefined ? true : []),
  referredTo: (row) => row['contact'],
  idleMinutes: () => 240,
  folder: (row) => row['folder'],
  file_name: (row) => row['name'],
  folder_to_download: (row) => row['folder'],
  mode: () => 'open',
  snooze: none,
  stage: () => 'contacted',
  messageIds: (row) => [row['messageId']],
  isSpam: () => false,
};

const WRITTEN: Values = {
  from: (row) => row['userEmail'],
  to: () => 'jane.doe@client.example',
};

const NOTE: Values = { at: none, call: none, kind: () => 'note', mentions: none, files: none };

/** Members of single routes that mean something else there. */
const OF_ROUTE: Record<string, Values> = {
  'POST /api/v1/cases/{id}/entries': NOTE,
  'PATCH /api/v1/entries/{id}': { ...NOTE, kind: none },
  'POST /api/v1/cases/{id}/stream/print': {
    from: none,
    to: none,
    kinds: none,
    people: none,
    search: none,
    folder: () => `Prints ${unique()}`,
  },
  'POST /api/v1/cases/{id}/documents': {
    template: (row) => row['template'],
    answers: () => ({}),
    for: none,
    name: none,
    pdf: none,
    allowMissing: () => true,
  },
  'POST /api/v1/cases/{id}/pack': { parts: none, dryRun: none },
  'PATCH /api/v1/imports/{id}': {
    mapping: () => ({ contacts: { name: 'last_name' } }),
    tables: () => ({ status: { Open: 'Active' } }),
  },
  'POST /api/v1/deadlines/apply': {
    trigger: () => ({ title: 'Served', date: '2038-02-02' }),
    service: none,
  },
  'POST /api/v1/deadlines/proposals/{id}': { accept: () => [] },
  'POST /api/v1/deadlines/{id}/changes': { date: () => '2038-04-01' },
  'POST /api/v1/deadlines/{id}/verify': { date: () => '2038-03-03', time: none },
  'POST /api/v1/cases/{id}/parties': { role: () => 'witness' },
  'PATCH /api/v1/cases/{id}/parties/{partyId}': { role: () => 'expert', contact: none },
  'POST /api/v1/conflicts/alerts/{id}': { decision: () => 'noConflict' },
  'POST /api/v1/rules': { steps: (row) => [stepOf(row)] },
  'PATCH /api/v1/rules/{id}': { steps: (row) => [stepOf(row)] },
  'POST /api/v1/users/invitations': { role: () => 'user' },
  'PATCH /api/v1/users/{id}': { role: () => 'user' },
  'POST /api/v1/intakeForms': { fields: () => FORM_FIELDS },
  'PATCH /api/v1/intakeForms/{id}': { fields: () => FORM_FIELDS },
  'POST /api/v1/deadlines': { kind: () => 'response' },
  'POST /api/v1/files/createFolder': { folder: () => `Folder ${unique()}` },
  'POST /api/v1/mails/sendMail': WRITTEN,
  'POST /api/v1/mails/drafts': WRITTEN,
  'PUT /api/v1/mails/drafts/{draftId}': WRITTEN,
  'POST /api/v1/calendar/events/{id}/invitations': { guests: () => ['guest@client.example'] },
  'POST /api/v1/users/login': { email: (row) => row['ownEmail'] },
  'POST /api/v1/messages/sendMessage': { to: () => '+16465551234' },
  'POST /api/v1/messages/buyNumber': {
    email: (row) => row['ownEmail'],
    phoneNumber: () => `+1${400 + (unique() % 500)}5550110`,
  },
  'POST /api/v1/mails/google/auth/callback': { code: () => 'unknown' },
};

const FORM_FIELDS = [
  { key: 'name', label: 'Your name', kind: 'line', required: true, maps: 'name' },
  { key: 'phone', label: 'Phone', kind: 'phone', maps: 'phoneNumber' },
];

function stepOf(_row: Row) {
  const count = { count: 20, unit: 'days', direction: 'after', roll: 'forwards', service: 0 };
  return { title: 'Answer', kind: 'response', hard: true, ...count, authority: 'CPLR 3012' };
}

function none(): undefined {
  return undefined;
}

const sketches = new Map<Route, unknown>();

/** A body that a page could send about this row. */
export function plausibleBody(route: Route, row: Row): unknown {
  if (!route.body) return undefined;
  const sketch = sketches.get(route) ?? findValidInput(route.body);
  sketches.set(route, sketch);
  return filled(sketch, { ...MEMBERS, ...OF_ROUTE[`${route.method} ${route.path}`] }, row);
}

function filled(value: unknown, values: Values, row: Row): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item, values, row));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const given = Object.hasOwn(values, name) ? values[name] : undefined;
      return [name, given ? given(row) : filled(member, values, row)];
    }),
  );
}

/** The route's address for this row; a parameter without a value gets an id that no row has. */
export function addressOf({ path }: Route, row: Row): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(row[name] ?? '00000000-0000-4000-8000-000000000000'),
  );
}

const LENGTHS = [1, 40, 199, 200, 201, 2000, 5000, 20_000, 100_000, 300_000];

/** Text to repeat: each has cost some program more than its length suggests. */
const UNITS: Record<string, string> = {
  'combining marks out of order': '\u0301\u0316',
  'three classes of combining marks': '\u0345\u0301\u0327\u0316',
  'Hangul letters that compose': '\u1100\u1161\u11a8',
  'a ligature of eighteen letters': '\ufdfa',
  'capitals that grow when lowered': '\u0130',
  'a small letter that grows when raised': '\u0149',
  'right-to-left overrides': '\u202e\u202c',
  'zero-width joiners': '\u200d',
  'a family': '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  blanks: ' \t',
  'line breaks': '\r\n',
  quotes: '"\'',
  wildcards: '%_\\',
  backslashes: '\\',
  commas: ',;|',
  digits: '9',
  hyphens: '-',
  'at signs': 'a@b.',
  'angle brackets': '<a href=',
  parentheses: '((a+)+)',
  letters: 'ab ',
};

const SINGLES = [
  'a\0b',
  'a\ud800b',
  '\udc00',
  '\ufeff',
  '\uffff',
  '__proto__',
  '${7*7}{{7*7}}',
  '../../../../etc/passwd',
  '=HYPERLINK("http://evil.example")',
  "'; drop table users; --",
  '<svg onload=alert(1)>',
  '9999-12-31',
  '0000-00-00',
  '-000001-01-01T00:00:00Z',
  '275760-09-13T00:00:00Z',
  '1e400',
  '\u2066\u2067\u2068',
];

/** A text and the name of its kind. */
type HostileText = { name: string; text: string };

/** Picks a text of at most `longest` UTF-16 units. */
export function hostileText(random: Random, longest = Infinity): HostileText {
  if (random.isLucky(0.25)) {
    const text = random.pick(SINGLES);
    return { name: JSON.stringify(text), text };
  }
  const [name, unit] = random.pick(Object.entries(UNITS));
  const length = Math.min(longest, random.pick(LENGTHS));
  const text = `a${unit.repeat(Math.ceil(length / unit.length))}`.slice(0, length + 1);
  return { name: `${length} of ${name}`, text };
}

/** One that headers and addresses can carry. */
export function hostileSegment(random: Random): string {
  const encoded = encodeURIComponent(hostileText(random, 1500).text.toWellFormed());
  return random.pick([
    encoded,
    encoded.slice(0, 4000),
    '%00',
    '%',
    '%zz',
    '%c0%ae%c0%ae',
    '%2e%2e',
    '%ff',
  ]);
}
