import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { contactRoutes, type NewParty } from '@matterdesk/contract/contacts.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { type NewEntry, streamRoutes } from '@matterdesk/contract/stream.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import type { TestApp } from './app.ts';
import { composeMail } from './compose-mail.ts';
import {
  addContact,
  addDeadline,
  addEvent,
  addTask,
  openCase,
  type SignedInPerson,
} from './factories.ts';
import { settle, train, upload } from './training.ts';
import { sendVersion } from './uploads.ts';

/** An admin, a colleague, and someone who will not be where the matter goes. */
export type Crew = Record<'admin' | 'colleague' | 'leaver', SignedInPerson>;

export const LIMITS = 'The policy is limited to one million dollars.';
/** Looks like HTML, and is none. */
const SIGNS = 'If x <b> y &amp; z,\n\n\n  then “left”';

/** A matter with something of everything that a lawyer keeps in one. @returns its id */
export async function fillMatter(app: TestApp, crew: Crew): Promise<string> {
  const { admin, colleague } = crew;
  const { id } = await openCase(app, admin.token, {
    caseName: 'Abara v. Meridian <b>&',
    caseNo: 'CV-2026-17',
    status: 'ADR',
    SOL: '2028-05-06',
    assignedUsers: [colleague.id, admin.id],
  });
  const files = await addDocuments(app, crew, id);
  const witness = await addParties(app, crew, id);
  await addEntries(app, crew, { id, witness, files });
  await addTasks(app, crew, id);
  await addEvents(app, crew, id);
  await addDeadlines(app, crew, id);
  return id;
}

async function addDocuments(app: TestApp, { admin, leaver }: Crew, caseId: string) {
  const by = { url: app.url, token: admin.token };
  const place = { caseId, folder: 'Medical', name: 'Récords?.txt' };
  const url = await upload(by, place, Buffer.from('first'));
  await sendVersion(app, { ...place, token: admin.token }, Buffer.from('second version'));
  const policy = { caseId, folder: 'Policies', name: 'Policy.txt' };
  const quoted = await upload({ ...by, token: leaver.token }, policy, Buffer.from(LIMITS));
  await train(by, policy);
  await settle(by, policy);
  const mail = await composeMail({
    from: 'ngozi@client.example',
    to: 'ada@firm.example',
    subject: 'The bill',
    text: 'See the attached bill.',
    attachments: [{ filename: 'bill.pdf', content: Buffer.from('%PDF-1.4 a bill') }],
    messageId: '<bill@client.example>',
    date: new Date('2026-02-03T04:05:06Z'),
  });
  await upload(by, { caseId, folder: 'E-mail', name: '2026-02-03 The bill.eml' }, mail);
  await upload(by, { caseId, folder: 'Bills', name: 'The same bill.eml' }, mail);
  return { url, quoted };
}

/** @returns the id of the witness */
async function addParties(app: TestApp, { admin }: Crew, id: string): Promise<string> {
  const { token } = admin;
  const witness = await addContact(app, token, {
    name: 'Dana Whitlock',
    otherNames: ['D. Whitlock', 'Dana Roe'],
    emails: ['dana@home.example', 'dana@work.example', 'dana@school.example'],
    phoneNumbers: ['+1 212 555 0101', '+1 212 555 0102', '+1 212 555 0103', '+1 212 555 0104'],
    address: '5 Elm Street\nAlbany',
    fax: '+1 212 555 0109',
    salutation: 'Dear Dr. Whitlock',
    letterName: 'Dr. Whitlock',
    dateOfBirth: '1970-02-03',
    notes: SIGNS,
    textConsent: { at: '2026-01-02T03:04:05.000Z', wording: 'You may text me.\nAny time.' },
  });
  const insurer = await addContact(app, token, {
    kind: 'organisation',
    name: 'Northline Mutual',
    organisation: 'Northline Group',
    links: [{ contact: witness.id, relation: 'employee' }],
  });
  const add = async (party: Omit<NewParty, 'contact'>) => {
    const reply = await app.call(contactRoutes.addParty, { token, params: { id }, body: party });
    if (reply.status !== 201) throw new Error(reply.text);
  };
  await add({ role: 'witness', note: 'Saw the accident', contactId: witness.id });
  await add({ role: 'expert', note: '', contactId: witness.id });
  await add({ role: 'insurer', note: SIGNS, contactId: insurer.id });
  return witness.id;
}

type WrittenMatter = { id: string; witness: string; files: { url: string; quoted: string } };

async function addEntries(app: TestApp, { admin, colleague, leaver }: Crew, written: WrittenMatter) {
  const { id, witness, files } = written;
  const add = async (by: SignedInPerson, day: number, own: Partial<NewEntry>) => {
    const at = `2026-03-0${day}T10:11:12.345Z`;
    const body = { kind: 'note', text: '', at, ...own } as NewEntry;
    const request = { token: by.token, params: { id }, body };
    const reply = await app.call(streamRoutes.addEntry, request);
    if (reply.status !== 201) throw new Error(reply.text);
    return reply.body.entry;
  };
  const first = await add(admin, 1, { text: SIGNS, mentions: [colleague.id, leaver.id] });
  const pin = { token: admin.token, params: { id: first.id }, body: { pinned: true } };
  await app.call(streamRoutes.pinEntry, pin);
  // A reply to a note is a note after it.
  await add(leaver, 2, { text: 'Re: the left-hand rule. I agree.' });
  const call = { direction: 'in', name: null, seconds: 65, result: 'leftMessage' } as const;
  const number = '+1 212 555 0101';
  const known = { ...call, contact: witness, number };
  await add(colleague, 3, { kind: 'call', text: 'Will come.', call: known });
  const stranger = { ...call, contact: null, direction: 'out', name: 'A clerk', number } as const;
  await add(admin, 4, { kind: 'call', call: stranger });
  await add(admin, 5, { kind: 'memo', text: 'The theory of the case' });
  await add(colleague, 6, { kind: 'filing', text: 'Complaint filed', files: [files.url] });
  const question = 'What are the policy limits?';
  const answer = { question, quotation: LIMITS, url: files.quoted, page: 1 };
  await add(admin, 7, { kind: 'memo', text: 'Ask for more', answer });
  const deleted = await add(admin, 8, { text: 'A mistake' });
  await app.call(streamRoutes.deleteEntry, { token: admin.token, params: { id: deleted.id } });
}

async function addTasks(app: TestApp, { admin, colleague, leaver }: Crew, caseId: string) {
  const { token } = admin;
  const change = (id: string, body: object) =>
    app.call(taskRoutes.changeTask, { token, params: { id }, body });
  const add = (by: SignedInPerson, name: string) =>
    addTask(app, token, { case: caseId, assignedTo: by.id, name, description: SIGNS });
  await add(colleague, 'Call <i>the</i> client');
  const moved = await add(admin, 'Answer interrogatories');
  await change(moved.id, { type: 'discovery' });
  await change((await add(admin, 'Depose the adjuster')).id, { type: 'discovery' });
  const done = await add(leaver, 'Send the demand');
  await change(done.id, { type: 'demandOfInsurance' });
  await change(done.id, { done: true });
}

async function addEvents(app: TestApp, { admin, colleague, leaver }: Crew, caseId: string) {
  const { token } = admin;
  await addEvent(app, token, {
    case: caseId,
    title: 'Deposition of <i>Whitlock</i>',
    kind: 'deposition',
    start: '2029-02-03T15:00:00.000Z',
    end: '2029-02-03T17:30:00.000Z',
    timeZone: 'America/Chicago',
    location: 'Room <b>5',
    link: 'https://video.example/room?a=1&b=2',
    notes: SIGNS,
    people: [colleague.id, leaver.id],
    reminders: [15, 1440],
  });
  const quiet = { reminders: [], case: caseId };
  await addEvent(app, colleague.token, { ...quiet, kind: 'courtDate', title: 'First court date' });
  const day = { start: '2029-03-01', end: '2029-03-02', allDay: true } as const;
  await addEvent(app, token, { ...quiet, ...day, kind: 'trial', title: 'Trial' });
  await addEvent(app, token, {
    ...quiet,
    title: 'Weekly call',
    kind: 'meeting',
    start: '2029-04-02T15:00:00.000Z',
    end: '2029-04-02T15:30:00.000Z',
    recurrence: 'FREQ=WEEKLY;COUNT=2',
    guests: [
      { name: 'Dana', email: 'dana@home.example' },
      { name: '', email: 'clerk@court.example' },
    ],
  });
  const off = await addEvent(app, token, { ...quiet, title: 'Mediation that was off' });
  const cancelled = { params: { id: off.id }, body: { cancelled: true } };
  await app.call(calendarRoutes.changeEvent, { token, ...cancelled });
}

async function addDeadlines(app: TestApp, { admin, colleague }: Crew, caseId: string) {
  const { token } = admin;
  const people = { case: caseId, owner: admin.id, second: colleague.id };
  const hard = await addDeadline(app, token, {
    ...people,
    title: 'Answer to the counterclaim',
    hard: true,
    date: '2029-03-05',
    time: '17:00',
    timeZone: 'America/New_York',
    note: SIGNS,
  });
  const verified = { date: '2029-03-05', time: '17:00' };
  const by = { token: colleague.token, params: { id: hard.id } };
  const reply = await app.call(deadlineRoutes.verifyDeadline, { ...by, body: verified });
  if (reply.status !== 200) throw new Error(reply.text);
  await addDeadline(app, token, { ...people, title: 'Reply', date: '2029-03-06' });
}
