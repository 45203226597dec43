import { randomUUID } from 'node:crypto';
import { accessRoutes, type AccessChange } from '@matterdesk/contract/access.ts';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { contentUrl } from '@matterdesk/contract/files.ts';
import { proposalRoutes } from '@matterdesk/contract/proposals.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import type { TestApp } from './app.ts';
import type { CallOptions } from './client.ts';
import {
  addEvent,
  addTask,
  newContact,
  openCase,
  registerAdmin,
  registerWith,
  type SignedInPerson,
  addIntake,
} from './factories.ts';
import { train, settle, upload } from './training.ts';

/** A word that stands in everything of the walled matter and nowhere else. */
export const CANARY = 'Quetzalcanary';
export const CLIENT_NUMBER = '+12125550177';

/** Ids and names that a request uses; `inventTarget` replaces only the ids with random ones. */
export type Target = {
  caseId: string;
  taskId: string;
  eventId: string;
  /** The limitation of the case. */
  deadlineId: string;
  /** A rule of the firm, which everyone sees. */
  ruleId: string;
  proposalId: string;
  /** Notices of the event, by user id. */
  notices: ReadonlyMap<string, string>;
  /** A conflict check about the case. */
  checkId: string;
  /** The client of the case, and a witness with their party. */
  contactId: string;
  witnessId: string;
  partyId: string;
  /** An inquiry behind a wall of its own, with a file of the same name. */
  intakeId: string;
  folder: string;
  name: string;
  url: string;
  deletedUrl: string;
  /** A note of the case. */
  entryId: string;
};

type Ask = (target: Target, person: SignedInPerson) => CallOptions;
/**
 * A route's request for a matter, and whether its people find the canary in the reply. A `reason` is why a route can
 * neither name nor show a matter.
 */
export type Fixture = { ask: Ask; shows?: true } | { reason: string };

type People = Record<
  'assigned' | 'added' | 'outsider' | 'screened' | 'admin' | 'opener',
  SignedInPerson
>;

export type World = { people: People; hidden: Target; openCaseId: string };

/** Every right that changes matters, but not manageWalls. */
const hands = { createCases: true, editTasks: true, handleIntakes: true };

/** A restricted matter full of canaries beside an open one, and six people around it. */
export async function buildWorld(app: TestApp): Promise<World> {
  const [assigned, added, outsider, screened] = [
    await registerWith(app, hands),
    await registerWith(app, hands),
    await registerWith(app, hands),
    await registerWith(app, hands),
  ];
  const people = {
    assigned,
    added,
    outsider,
    screened,
    admin: await registerAdmin(app),
    opener: await registerAdmin(app),
  };
  const { id: openCaseId } = await openCase(app, assigned.token);
  const hidden = await fillMatter(app, people);
  await wallOff(app, people, { kind: 'cases', id: hidden.caseId });
  await wallOff(app, people, { kind: 'intakes', id: hidden.intakeId });
  return { people, hidden, openCaseId };
}

async function fillMatter(app: TestApp, people: People): Promise<Target> {
  const { assigned, screened } = people;
  const { token } = assigned;
  const matter = await openCase(app, token, {
    caseName: `${CANARY} v. Roe`,
    judge: `Hon. ${CANARY}`,
    assignedUsers: [assigned.id, screened.id],
    SOL: new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10),
    clientInfo: {
      name: `${CANARY} Client`,
      phoneNumber: CLIENT_NUMBER,
      email: `${CANARY}@client.example`,
      address: '1 Main Street',
    },
  });
  const caseId = matter.id;
  const task = await addTask(app, token, {
    case: caseId,
    assignedTo: screened.id,
    name: `Call ${CANARY}`,
  });
  const event = await addEvent(app, token, { case: caseId, title: `Hearing of ${CANARY}` });
  const place = { caseId, folder: `${CANARY} folder`, name: `${CANARY}.txt` };
  const text = `The settlement with ${CANARY} amounts to 4,000 dollars.\n\nIt is due in May.`;
  const caller = { url: app.url, token };
  const url = await upload(caller, place, Buffer.from(text));
  await train(caller, place);
  await settle(caller, place);
  const deleted = await upload(caller, { ...place, name: `${CANARY} old.txt` }, Buffer.from(text));
  await app.request(deleted, { method: 'DELETE', headers: { 'x-auth-token': token } });
  const { body } = await app.call(deadlineRoutes.listDeadlines, { token, query: { case: caseId } });
  const deadlineId = body.deadlines[0]?.id ?? '';
  const checkId = await runCheck(app, token, caseId);
  const chain = await plantProposal(app, people, { caseId, eventId: event.id });
  const entryId = await writeNote(app, token, caseId);
  const notices = await plantNotices(app, people, { caseId, eventId: event.id });
  const witness = await callWitness(app, token, caseId);
  const intakeId = await enterIntake(app, people, { name: place.name, canary: CANARY });
  const known = { entryId, taskId: task.id, eventId: event.id, deadlineId, intakeId };
  const ids = { ...known, notices, checkId, ...chain, ...witness };
  return { ...place, ...ids, url, deletedUrl: deleted };
}

/** A deadline that counts from an event, which has moved. */
async function plantProposal(
  app: TestApp,
  { assigned: { token, id: owner }, added: { id: second } }: People,
  { caseId, eventId }: Pick<Target, 'caseId' | 'eventId'>,
) {
  const { body: known } = await app.call(courtRuleRoutes.listRules, { token });
  const rule = known.rules[0]?.id ?? '';
  const body = { case: caseId, rule, trigger: { event: eventId }, owner, second };
  await app.call(proposalRoutes.applyRule, { token, body });
  const { body: moved } = await app.call(calendarRoutes.changeEvent, {
    token,
    params: { id: eventId },
    body: { start: '2038-02-17T10:00:00.000Z', end: '2038-02-17T11:00:00.000Z' },
  });
  return { ruleId: rule, proposalId: moved.proposal?.id ?? '' };
}

/** As raised while everyone still saw the matter. */
async function plantNotices(
  app: TestApp,
  people: People,
  { caseId, eventId }: { caseId: string; eventId: string },
): Promise<Target['notices']> {
  const rows = await app.db
    .insertInto('notices')
    .values(
      Object.values(people).map(({ id }) => ({
        user_id: id,
        case_id: caseId,
        event_id: eventId,
        type: 'reminder' as const,
        subject: `planted ${eventId}`,
        title: `Hearing of ${CANARY}`,
        at: new Date(),
      })),
    )
    .returning(['id', 'user_id'])
    .execute();
  return new Map(rows.map((row) => [row.user_id, row.id]));
}

async function runCheck(app: TestApp, token: string, caseId: string): Promise<string> {
  const ways = { emails: [], phoneNumbers: [], otherNames: [] };
  const names = [{ name: `${CANARY} Opponent`, role: null, ...ways }];
  const { body } = await app.call(conflictRoutes.runCheck, {
    token,
    body: { names, caseId, texts: false },
  });
  return body.check.id;
}

async function callWitness(app: TestApp, token: string, caseId: string) {
  const params = { id: caseId };
  const contact = newContact({ name: `${CANARY} Witness` });
  const body = { role: 'witness', note: '', contact } as const;
  const added = await app.call(contactRoutes.addParty, { token, params, body });
  if (added.status !== 201) throw new Error(added.text);
  const { body: listed } = await app.call(contactRoutes.listParties, { token, params });
  const client = listed.parties.find(({ embedded }) => embedded === 'clientInfo');
  const { party } = added.body;
  return { contactId: client?.contact.id ?? '', witnessId: party.contact.id, partyId: party.id };
}

async function writeNote(app: TestApp, token: string, id: string): Promise<string> {
  const body = { kind: 'note', text: `${CANARY} works nights` } as const;
  const added = await app.call(streamRoutes.addEntry, { token, params: { id }, body });
  if (added.status !== 201) throw new Error(added.text);
  return added.body.entry.id;
}

type Walled = { kind: string; id: string };

async function wallOff(app: TestApp, people: People, params: Walled): Promise<void> {
  const { assigned, added, screened, opener } = people;
  const { body } = await app.call(accessRoutes.readAccess, { token: assigned.token, params });
  const change: AccessChange = {
    mode: 'restricted',
    people: [added.id],
    screened: [{ person: screened.id, reason: 'Worked for the other side' }],
    reason: `${CANARY} asked for it`,
    updatedAt: body.access.updatedAt,
  };
  const walled = await app.call(accessRoutes.changeAccess, {
    token: assigned.token,
    params,
    body: change,
  });
  if (walled.status !== 200) throw new Error(walled.text);
  const glass = { reason: 'The judge calls', hours: 1 };
  const opened = await app.call(accessRoutes.openAccess, {
    token: opener.token,
    params,
    body: glass,
  });
  if (opened.status !== 200) throw new Error(opened.text);
}

/** The same with invented ids. */
export function inventTarget({ folder, name, ruleId }: Target): Target {
  const caseId = randomUUID();
  return {
    caseId,
    folder,
    name,
    entryId: randomUUID(),
    taskId: randomUUID(),
    eventId: randomUUID(),
    deadlineId: randomUUID(),
    ruleId,
    proposalId: randomUUID(),
    notices: new Map(),
    checkId: randomUUID(),
    contactId: randomUUID(),
    witnessId: randomUUID(),
    partyId: randomUUID(),
    intakeId: randomUUID(),
    url: contentUrl(caseId, folder, name),
    deletedUrl: contentUrl(caseId, folder, `${CANARY} old.txt`),
  };
}

/** A conversation with the client's number, for names beside numbers. */
export async function plantConversation(app: TestApp, { id }: SignedInPerson, own: string) {
  const text = await app.db
    .insertInto('text_messages')
    .values({
      owner_id: id,
      own_number: own,
      other_number: CLIENT_NUMBER,
      is_inbound: true,
      body: 'Hello',
      sid: null,
      status: 'received',
      error_code: null,
      error_message: null,
      refused_as: null,
      refusal: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.db
    .insertInto('conversations')
    .values({
      owner_id: id,
      other_number: CLIENT_NUMBER,
      last_message_id: text.id,
      last_at: new Date(),
      unread: 1,
    })
    .execute();
  await app.db
    .insertInto('phone_numbers')
    .values({ user_id: id, phone_number: own, state: 'owned', registration_asked_at: new Date() })
    .execute();
}

/** Entered by the user who is screened later, and owned by another. */
async function enterIntake(
  app: TestApp,
  { assigned, screened }: Record<'assigned' | 'screened', SignedInPerson>,
  { name, canary }: { name: string; canary: string },
): Promise<string> {
  const { id } = await addIntake(app, screened.token, {
    name: `${canary} Okonkwo`,
    description: `The fall of ${canary}`,
    source: `${canary} radio`,
    owner: assigned.id,
  });
  const added = await sendIntakeFile(app, assigned.token, {
    id,
    name,
    text: `Statement of ${canary}`,
  });
  if (added.status !== 201) throw new Error(added.text);
  return id;
}

export function sendIntakeFile(
  app: TestApp,
  token: string,
  { id, name, text }: { id: string; name: string; text: string },
): ReturnType<TestApp['request']> {
  const body = new FormData();
  body.set('attachments', new Blob([text]), name);
  const headers = { 'x-auth-token': token };
  return app.request(`/api/v1/intakes/${id}/files`, { method: 'POST', headers, body });
}
