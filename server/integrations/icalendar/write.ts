import ICAL from 'ical.js';

// The library counts 75 octets a line without the space that begins a continued one.
ICAL.foldLength = 74;

const PRODUCT = '-//Matterdesk//Calendar//EN';
/** Events that are written before others get their turn. */
const BATCH = 100;

/** An event as other calendars read it. */
export type Entry = {
  uid: string;
  sequence: number;
  /** When the event last changed; undefined when it is not known. */
  modified: string | undefined;
  title: string;
  allDay: boolean;
  /** Instants; for all-day events, the first and last days. */
  start: string;
  end: string;
  location: string;
  link: string;
  description: string;
  category: string;
  isCanceled: boolean;
  /** Whether it takes the time of its people. */
  isBusy: boolean;
};

type Attendance = {
  /** `sentBy`: another person’s address, from which the mail comes. */
  organizer: { name: string; email: string; sentBy?: string };
  attendee: { name: string; email: string };
};
type CalendarHead = {
  /** Its name, and how often to ask again: a wish that few programs grant. */
  name?: string;
  method: 'PUBLISH' | 'REQUEST' | 'CANCEL';
  /** When the calendar was written. */
  at: Date;
  /** Only for an invitation. */
  attendance?: Attendance;
};

/** A calendar in portions of text. */
export function* writeCalendar(about: CalendarHead, entries: Iterable<Entry>): Generator<string> {
  const end = 'END:VCALENDAR';
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('prodid', PRODUCT);
  calendar.addPropertyWithValue('method', about.method);
  if (about.name !== undefined) describe(calendar, about.name);
  yield calendar.toString().slice(0, -end.length);
  let portion: string[] = [];
  for (const entry of entries) {
    portion.push(`${toComponent(about, entry).toString()}\r\n`);
    if (portion.length < BATCH) continue;
    yield portion.join('');
    portion = [];
  }
  yield `${portion.join('')}${end}\r\n`;
}

function describe(calendar: ICAL.Component, name: string) {
  add(calendar, ['name', {}, 'text', name]);
  add(calendar, ['x-wr-calname', {}, 'text', name]);
  add(calendar, ['refresh-interval', {}, 'duration', 'PT1H']);
  add(calendar, ['x-published-ttl', {}, 'duration', 'PT1H']);
}

type Plain = [string, Record<string, string>, string, string];

function add(component: ICAL.Component, property: Plain) {
  component.addProperty(new ICAL.Property(property));
}

function toComponent({ at, attendance }: CalendarHead, entry: Entry): ICAL.Component {
  const event = new ICAL.Component('vevent');
  const set = (name: string, value: string | number | ICAL.Time) =>
    event.addPropertyWithValue(name, value);
  set('uid', entry.uid);
  set('dtstamp', instant(at.toISOString()));
  set('sequence', entry.sequence);
  if (entry.modified !== undefined) set('last-modified', instant(entry.modified));
  setTimes(entry, set);
  for (const name of ['location', 'description'] as const)
    if (entry[name] !== '') set(name, entry[name]);
  set('summary', entry.title);
  if (entry.link !== '') set('url', entry.link);
  if (entry.category !== '') set('categories', entry.category);
  set('status', entry.isCanceled ? 'CANCELLED' : 'CONFIRMED');
  set('transp', entry.isBusy ? 'OPAQUE' : 'TRANSPARENT');
  if (attendance) setAttendance(event, attendance);
  return event;
}

type SetProperty = (name: string, value: string | ICAL.Time) => void;

/** Instants in UTC, which no program has to look up a zone for. The end of days is the day after. */
function setTimes({ allDay, start, end }: Entry, set: SetProperty) {
  if (allDay) {
    const after = ICAL.Time.fromDateString(end);
    after.adjust(1, 0, 0, 0);
    set('dtstart', ICAL.Time.fromDateString(start));
    set('dtend', after);
    return;
  }
  set('dtstart', instant(start));
  // An end must be later than the start.
  if (end > start) set('dtend', instant(end));
}

/** The guest alone: no one learns who else is invited. */
function setAttendance(event: ICAL.Component, { organizer, attendee }: Attendance) {
  const named = ({ name }: { name: string }): Record<string, string> =>
    name === '' ? {} : { cn: name };
  const mail = ({ email }: { email: string }) => `mailto:${email}`;
  const sender: Record<string, string> =
    organizer.sentBy === undefined ? {} : { 'sent-by': `mailto:${organizer.sentBy}` };
  add(event, ['organizer', { ...named(organizer), ...sender }, 'cal-address', mail(organizer)]);
  const asked = { role: 'REQ-PARTICIPANT', partstat: 'NEEDS-ACTION', rsvp: 'TRUE' };
  add(event, ['attendee', { ...named(attendee), ...asked }, 'cal-address', mail(attendee)]);
}

function instant(text: string): ICAL.Time {
  return ICAL.Time.fromJSDate(new Date(text), true);
}

// Writes contacts as vCard 4.0 (RFC 6350).

export type ContactCard = {
  id: string;
  isOrganization: boolean;
  name: string;
  otherNames: readonly string[];
  organization: string | null;
  emails: readonly string[];
  phoneNumbers: readonly string[];
  fax: string | null;
  address: string | null;
  /** YYYY-MM-DD. */
  dateOfBirth: string | null;
  note: string;
  modified: string;
};

type Property = [
  name: string,
  parameters: Record<string, string>,
  type: string,
  value: string | string[],
];

export function writeContactCards(cards: readonly ContactCard[]): string {
  return cards.map((card) => ICAL.stringify(['vcard', propertiesOf(card), []])).join('');
}

function propertiesOf(card: ContactCard): Property[] {
  const text = (name: string, value: string | null): Property[] =>
    value ? [[name, {}, 'text', value]] : [];
  const { emails, phoneNumbers, otherNames, fax } = card;
  return [
    ['version', {}, 'text', '4.0'],
    ['uid', {}, 'uri', `urn:uuid:${card.id}`],
    ['kind', {}, 'text', card.isOrganization ? 'org' : 'individual'],
    ['fn', {}, 'text', card.name],
    ...otherNames.flatMap((name) => text('nickname', name)),
    ...text('org', card.organization),
    ...emails.map((email): Property => ['email', {}, 'text', email]),
    ...phoneNumbers.map((number): Property => ['tel', {}, 'text', number]),
    ...(fax ? [['tel', { type: 'fax' }, 'text', fax] satisfies Property] : []),
    ...(card.address ? [addressOf(card.address)] : []),
    ...(card.dateOfBirth
      ? [['bday', {}, 'date-and-or-time', card.dateOfBirth] satisfies Property]
      : []),
    ...text('note', card.note),
    ['rev', {}, 'timestamp', card.modified],
  ];
}

/** The lines as they are on an envelope, since nothing says which of them is the city. */
function addressOf(address: string): Property {
  return ['adr', { label: address }, 'text', ['', '', address, '', '', '', '']];
}
