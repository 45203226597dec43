import { TOTP } from 'otpauth';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import {
  accountRoutes,
  type CurrentUser,
  type Registration,
} from '@matterdesk/contract/accounts.ts';
import {
  calendarRoutes,
  type CalendarEvent,
  type NewEvent,
} from '@matterdesk/contract/calendar.ts';
import {
  caseRoutes,
  type Case,
  type FiledCase,
  type NewCase,
  type UnfiledCase,
} from '@matterdesk/contract/cases.ts';
import { contactRoutes, type Contact, type NewContact } from '@matterdesk/contract/contacts.ts';
import { deadlineRoutes, type Deadline, type NewDeadline } from '@matterdesk/contract/deadlines.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import type { Intake, NewIntake } from '@matterdesk/contract/intakes.ts';
import { noticeRoutes, type Notice } from '@matterdesk/contract/notices.ts';
import { type Permissions, permissionsBy } from '@matterdesk/contract/permissions.ts';
import { secondFactorRoutes } from '@matterdesk/contract/second-factors.ts';
import { taskRoutes, type NewTask, type Task } from '@matterdesk/contract/tasks.ts';
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';

export const PASSWORD = 'correct horse battery';

export type SignedInPerson = CurrentUser & { token: string };

let counter = 0;

/** A number that is unique in this process. */
export function unique(): number {
  counter += 1;
  return counter;
}

/** A day from today in UTC, YYYY-MM-DD. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** A valid registration with a unique address. */
export function newPerson(own: Partial<Registration> = {}): Registration {
  const n = unique();
  return {
    firstName: 'Ada',
    lastName: `Lovelace ${n}`,
    email: `ada.${n}@firm.example`,
    password: PASSWORD,
    phoneNumber: '1 234 567 8910',
    role: 'user',
    ...own,
  };
}

/**
 * Registers, which requires REGISTRATION=open, and signs in. The first account of an installation is an admin: in an
 * application of a test it gets the role that the test asked for.
 */
export async function register(app: Client, own: Partial<Registration> = {}) {
  const person = newPerson(own);
  expectStatus(201, await app.call(accountRoutes.register, { body: person }));
  const first = await signIn(app, person.email, person.password);
  if (first.role === person.role || !isTestApp(app)) return first;
  const { role } = person;
  await app.db.updateTable('users').set({ role }).where('id', '=', first.id).execute();
  return { ...first, role, permissions: permissionsBy(() => false) };
}

function isTestApp(app: Client): app is TestApp {
  return 'db' in app;
}

export async function signIn(
  app: Client,
  email: string,
  password = PASSWORD,
): Promise<SignedInPerson> {
  const reply = await app.call(accountRoutes.login, { body: { email, password } });
  return expectStatus(200, reply).body;
}

export function registerUser(app: Client): Promise<SignedInPerson> {
  return register(app);
}

export function registerAdmin(app: Client): Promise<SignedInPerson> {
  return register(app, { role: 'admin' });
}

/** A plain user with these permissions. */
export async function registerWith(app: TestApp, permissions: Partial<Permissions>) {
  const person = await register(app);
  await app.db
    .updateTable('users')
    .set({ permissions: JSON.stringify(permissions) })
    .where('id', '=', person.id)
    .execute();
  return { ...person, permissions: { ...person.permissions, ...permissions } };
}

/** A manager of users who is no admin. */
export function registerManager(app: TestApp): Promise<SignedInPerson> {
  return registerWith(app, { manageUsers: true });
}

/** A valid case with a unique number. */
export function newCase(own: Partial<NewCase> = {}): NewCase {
  const n = unique();
  return {
    caseName: `Doe v. Roe ${n}`,
    caseNo: `CV-2025-${n}`,
    statusType: 'Active',
    status: 'Litigation',
    type: 'PI',
    judge: 'Hon. Ruth Stone',
    dateOfOpening: '2025-01-15',
    managingAttorney: 'Grace Hopper',
    DOI: '2024-11-02',
    SOL: '2026-11-02',
    daysOpen: 12,
    assignedUsers: [],
    clientInfo: {
      name: 'Jane Doe',
      phoneNumber: '1 555 010 2030',
      email: 'jane.doe@client.example',
      address: '1 Main Street\nSpringfield',
    },
    opposingCounselInfo: {
      organization: 'Roe & Partners',
      name: 'Richard Roe',
      phoneNumber: '1 555 040 5060',
      email: 'richard@roe.example',
      address: '2 High Street\nSpringfield',
    },
    ...own,
  };
}

export async function openCase(
  app: Client,
  token: string,
  own: Partial<NewCase> = {},
): Promise<FiledCase> {
  const reply = await app.call(caseRoutes.openCase, { token, body: newCase(own) });
  return expectStatus(201, reply).body.case as FiledCase;
}

/** A case that is not filed yet, of which only the required is known, unless said otherwise. */
export async function openUnfiledCase(
  app: Client,
  token: string,
  own: Partial<UnfiledCase> = {},
): Promise<Case> {
  const body = {
    notFiled: true,
    caseName: `Abara v. Northline ${unique()}`,
    type: 'PI',
    clientInfo: { name: 'Ngozi Abara' },
    ...own,
  } as UnfiledCase;
  return expectStatus(201, await app.call(caseRoutes.openCase, { token, body })).body.case;
}

/** Required fields of a task: its case and its assigned user. */
type TaskOf = Partial<NewTask> & Pick<NewTask, 'case' | 'assignedTo'>;

export function newTask(own: TaskOf): NewTask {
  return {
    name: `Call the client ${unique()}`,
    description: 'About the medical records',
    startTime: '2025-03-03T09:00:00.000Z',
    endTime: '2025-03-04T17:00:00.000Z',
    type: 'intake',
    ...own,
  };
}

export async function addTask(app: Client, token: string, own: TaskOf): Promise<Task> {
  const reply = await app.call(taskRoutes.addTask, { token, body: newTask(own) });
  return expectStatus(201, reply).body.tasks;
}

/** A hearing on a winter day. */
export function newEvent(own: Partial<NewEvent> = {}): NewEvent {
  return {
    title: `Hearing ${unique()}`,
    kind: 'hearing',
    start: '2038-02-03T15:00:00.000Z',
    end: '2038-02-03T16:00:00.000Z',
    ...own,
  };
}

export async function addEvent(
  app: Client,
  token: string,
  own: Partial<NewEvent> = {},
): Promise<CalendarEvent> {
  const reply = await app.call(calendarRoutes.addEvent, { token, body: newEvent(own) });
  return expectStatus(201, reply).body.event;
}

/** A deadline as it is sent, whose defaults the server sets. */
type DeadlineOf = Partial<NewDeadline> & Pick<NewDeadline, 'owner'>;

/** A soft deadline, unless said otherwise. */
export function newDeadline(own: DeadlineOf): NewDeadline {
  return {
    title: `Reply ${unique()}`,
    kind: 'response',
    hard: false,
    date: '2038-03-03',
    time: null,
    second: null,
    workingDate: null,
    note: '',
    source: null,
    ...own,
  };
}

export async function addDeadline(app: Client, token: string, own: DeadlineOf): Promise<Deadline> {
  const reply = await app.call(deadlineRoutes.addDeadline, { token, body: newDeadline(own) });
  return expectStatus(201, reply).body;
}

/** A person with a unique name, unless said otherwise. */
export function newContact(own: Partial<NewContact> = {}): NewContact {
  return {
    kind: 'person',
    name: `Ngozi Abara ${unique()}`,
    otherNames: [],
    organisation: null,
    emails: [],
    phoneNumbers: [],
    address: null,
    fax: null,
    salutation: null,
    letterName: null,
    dateOfBirth: null,
    notes: null,
    links: [],
    textConsent: null,
    ...own,
  };
}

export async function addContact(
  app: Client,
  token: string,
  own: Partial<NewContact> = {},
): Promise<Contact> {
  const reply = await app.call(contactRoutes.addContact, { token, body: newContact(own) });
  return expectStatus(201, reply).body.contact;
}

/** An inquiry by telephone. */
export async function addIntake(
  app: Client,
  token: string,
  own: Partial<NewIntake> = {},
): Promise<Intake> {
  const body = { name: `Denise Okonkwo ${unique()}`, phoneNumber: '+1 518 555 0142', ...own };
  return expectStatus(201, await app.call(intakeRoutes.addIntake, { token, body })).body.intake;
}

function expectStatus<R extends { status: number; text: string }>(status: number, reply: R): R {
  if (reply.status !== status)
    throw new Error(`expected ${status}, got ${reply.status}: ${reply.text}`);
  return reply;
}

export async function noticesOf(app: Client, { token }: { token: string }): Promise<Notice[]> {
  return (await app.call(noticeRoutes.listNotices, { token })).body.notices;
}

type Wall = { token: string; kind?: string; id: string; people?: string[] };

/** Restricts a matter, or something else with a wall, to some people. @throws Error when it is refused */
export async function restrict(
  app: Client,
  { token, kind = 'cases', id, people = [] }: Wall,
): Promise<void> {
  const params = { kind, id };
  const { updatedAt } = (await app.call(accessRoutes.readAccess, { token, params })).body.access;
  const body = { mode: 'restricted', people, screened: [], reason: 'A wall', updatedAt };
  const walled = await app.call(accessRoutes.changeAccess, { token, params, body });
  if (walled.status !== 200) throw new Error(walled.text);
}

const PERIOD = 30_000;

/** The code that an authenticator app shows now, or shows next. */
export function codeOf(secret: string, when: 'now' | 'next' = 'now'): string {
  const timestamp = Date.now() + (when === 'next' ? PERIOD : 0);
  return new TOTP({ secret }).generate({ timestamp });
}

/** Turns the app on with the current code; the next one is still unused, and accepted. */
export async function turnOnApp(app: Client, { token }: SignedInPerson) {
  const begun = await app.call(secondFactorRoutes.beginTotp, {
    token,
    body: { currentPassword: PASSWORD },
  });
  const { secret } = begun.body;
  const confirmed = await app.call(secondFactorRoutes.confirmTotp, {
    token,
    body: { code: codeOf(secret) },
  });
  return { secret, recoveryCodes: confirmed.body.recoveryCodes };
}
