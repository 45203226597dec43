import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { FiledCase } from '@matterdesk/contract/cases.ts';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { acceptingRoutes } from '@matterdesk/contract/intake-acceptance.ts';
import { intakeFormRoutes, formPath } from '@matterdesk/contract/intake-forms.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { findRunningPostgres } from '@matterdesk/server/db/embedded/connections.ts';
import { CommandError } from '@matterdesk/server/operations/command.ts';
import type { Twilio } from '@matterdesk/server/testing/twilio.ts';
import { signInStaff, type Staff } from './firm.ts';
import * as samples from './inquiry-samples.ts';
import type { SentForm } from './inquiry-samples.ts';

export type InquiryStage = {
  url: string;
  dataDir: string;
  matters: FiledCase[];
  twilio: Twilio;
  /** Milliseconds until the first inquiry comes. */
  pace: number;
  signal: AbortSignal;
};

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
/** Simulated events between two inquiries. */
const EVENTS_BETWEEN = 5;
/** Half seconds to wait for names. */
const MAX_ATTEMPTS = 40;
const ZONE = 'America/New_York';
/** Newest matters whose people letters address, and the last digits of the first one's fax number. */
const [ADDRESSED, FIRST_FAX] = [12, 40];

/** Gives a new firm its inquiries: by telephone, by its forms and by text, in every stage. */
export async function fillInquiries(stage: InquiryStage): Promise<void> {
  const { url } = stage;
  const people = await signInStaff(url);
  await switchFormsOn(people);
  await namesAreKnown(stage, people);
  await addressContacts(stage, people);
  const forms = [...samples.sentForms, samples.spam];
  const opened = await Promise.all(forms.map((form) => openForm(url, form)));
  await beforeSeals(stage, async (database) => {
    for (const inquiry of samples.inquiries) await enter(stage, people, inquiry);
    await enterText(stage, people);
    for (const page of opened) await sendLater(page, MIN_FILL_MS);
    await backdate(database);
  });
  await people.signOut();
}

/** Sends the firm's forms from time to time. */
export async function keepInquiriesComing({ url, pace, signal }: InquiryStage): Promise<void> {
  for (const [index, form] of samples.comingForms.entries()) {
    const isOpen = await wait(index === 0 ? pace : pace * EVENTS_BETWEEN, true, { signal }).catch(
      () => false,
    );
    // Nothing is lost by an inquiry that does not come.
    if (isOpen)
      await openForm(url, form)
        .then((page) => sendLater(page, MIN_FILL_MS))
        .catch(ignore);
  }
}

function ignore() {
  return undefined;
}

/** The firm's name appears above its forms and below its letters. */
async function switchFormsOn({ as, people }: Staff): Promise<void> {
  await as(0)(firmRoutes.changeFirm, { body: samples.firm });
  const { forms } = await as(0)(intakeFormRoutes.listForms, {});
  const owners = people.slice(0, 2).map(({ id }) => id);
  const body = { active: true, owners, origins: ['https://www.hartwell-osei.example'] };
  for (const { id } of forms) await as(0)(intakeFormRoutes.changeForm, { params: { id }, body });
}

/** The names of the seeded matters are brought over soon after the start; a check before that meets none. */
async function namesAreKnown({ matters, signal }: InquiryStage, { as }: Staff): Promise<void> {
  const names = samples.CLIENTS.map((_, index) => ({ name: matters[index]?.clientInfo.name }));
  for (let attempt = 0; attempt < MAX_ATTEMPTS && !signal.aborted; attempt += 1) {
    const { hits } = await as(0)(conflictRoutes.lookForConflicts, { body: { names } });
    if (names.every((_, index) => hits.some((hit) => hit.name === index))) return;
    await wait(500, undefined, { signal }).catch(ignore);
  }
}

/** Says how letters name clients and opposing counsel, and where the latter take faxes. */
async function addressContacts({ matters }: InquiryStage, { as }: Staff): Promise<void> {
  for (const [place, { id, opposingCounselInfo }] of matters.slice(0, ADDRESSED).entries()) {
    const { parties } = await as(0)(contactRoutes.listParties, { params: { id } });
    for (const { contact, embedded } of parties) {
      const [first = '', last = ''] = contact.name.split(' ');
      const title = samples.titles.get(first);
      if (title === undefined) continue;
      const letterName = `${title} ${last}`;
      const fax = opposingCounselInfo.phoneNumber.replace(/\d\d$/, String(FIRST_FAX + place));
      const body = {
        letterName,
        salutation: `Dear ${letterName}`,
        ...(embedded === 'opposingCounselInfo' && { fax }),
      };
      await as(0)(contactRoutes.changeContact, { params: { id: contact.id }, body });
    }
  }
}

async function enter(stage: InquiryStage, staff: Staff, inquiry: samples.Inquiry): Promise<void> {
  const { as, people } = staff;
  const { ago, answered: _, outcome, owner, happened, ...called } = inquiry;
  const parties = called.parties.map(({ name, role }) => {
    const client = stage.matters[samples.CLIENTS.indexOf(name)]?.clientInfo.name;
    return { name: client ?? name, role };
  });
  const DOI = happened === null ? null : dayBefore(happened * DAY_MS + ago * MINUTE_MS);
  const body = { ...called, parties, DOI, owner: people[owner]?.id };
  const { intake } = await as(0)(intakeRoutes.addIntake, { body });
  await lead(staff, intake, outcome);
}

/** Takes an inquiry to its stage. */
async function lead(staff: Staff, intake: Intake, outcome: samples.Outcome): Promise<void> {
  const as = staff.as(0);
  const params = { id: intake.id };
  if ('call' in outcome)
    await as(intakeRoutes.addNote, { params, body: { kind: 'call', text: outcome.call } });
  const move = (body: object) => as(intakeRoutes.changeIntake, { params, body });
  switch (outcome.stage) {
    case 'new':
      if (outcome.isChecked) await check(staff, intake);
      return;
    case 'contacted':
      await move({ stage: 'contacted', nextStep: outcome.nextStep, dueAt: inDays(1) });
      return;
    case 'conflictCheck':
      await move({ stage: 'conflictCheck', nextStep: 'Decide about the hits', dueAt: inDays(1) });
      await check(staff, intake);
      return;
    case 'consultScheduled': {
      await clear(staff, intake);
      const consultAt = inDays(outcome.days);
      const next = { nextStep: 'Prepare the consultation', dueAt: consultAt, consultAt };
      await move({ stage: 'consultScheduled', ...next });
      return;
    }
    case 'accepted':
      await clear(staff, intake);
      await accept(staff, intake);
      return;
    case 'declined':
      await as(intakeRoutes.addNote, { params, body: { kind: 'call', text: outcome.note } });
      await move({ stage: 'contacted' });
      await as(intakeRoutes.declineIntake, {
        params,
        body: { reason: outcome.reason, note: outcome.note },
      });
      return;
    case 'referred': {
      await as(intakeRoutes.addNote, { params, body: { kind: 'call', text: outcome.note } });
      await move({ stage: 'contacted' });
      const { contact } = await as(contactRoutes.addContact, { body: samples.familyLawyer });
      await as(intakeRoutes.declineIntake, {
        params,
        body: { reason: outcome.reason, note: outcome.note, referredTo: contact.id },
      });
    }
  }
}

async function check({ as }: Staff, { id, name, email, phoneNumber, parties }: Intake) {
  const own = { emails: [email ?? ''], phoneNumbers: [phoneNumber ?? ''] };
  const names = [{ name, role: 'client', ...own }, ...parties];
  const body = { names, intakeId: id };
  return (await as(0)(conflictRoutes.runCheck, { body })).check;
}

/** Checks, decides and concludes. */
async function clear(staff: Staff, intake: Intake): Promise<void> {
  const as = staff.as(0);
  const { id, hits } = await check(staff, intake);
  const params = { id };
  const hitIds = hits.map((hit) => hit.id);
  const reason = 'Another person of this name.';
  if (hitIds.length > 0)
    await as(conflictRoutes.decideHits, {
      params,
      body: { hitIds, decision: 'noConflict', reason },
    });
  await as(conflictRoutes.concludeCheck, {
    params,
    body: { outcome: 'cleared', reason: 'No one of these was ever with the firm.' },
  });
}

async function accept({ as, people }: Staff, { id, name, parties }: Intake): Promise<void> {
  const params = { id };
  const { case: proposed } = await as(0)(acceptingRoutes.readProposal, { params });
  const [other] = parties;
  const body = {
    ...proposed,
    caseName: `${name.split(' ').at(-1)} v. ${other?.name}`,
    caseNo: `CV-${new Date().getUTCFullYear()}-7301`,
    statusType: 'Active',
    status: 'Pre-List',
    judge: 'Not assigned',
    managingAttorney: 'Ama Owusu',
    SOL: inDays(1000).slice(0, 10),
    daysOpen: 0,
    assignedUsers: people.slice(0, 2).map((person) => person.id),
    opposingCounselInfo: null,
  };
  await as(0)(acceptingRoutes.acceptIntake, { params, body });
}

/** A stranger texts someone of the firm, who makes an intake of it. */
async function enterText({ twilio }: InquiryStage, { as, people }: Staff): Promise<void> {
  const { owner, from, name, texts, description } = samples.texted;
  const asOwner = as(owner);
  const { numbers } = await asOwner(messageRoutes.listOffers, {});
  const phoneNumber = numbers[0]?.phoneNumber ?? '';
  const email = people[owner]?.email ?? '';
  await asOwner(messageRoutes.buyNumber, { body: { phoneNumber, email } });
  for (const body of texts) await twilio.receive({ from, to: phoneNumber, body });
  const made = { fromNumber: from, name, description, type: 'PI', source: 'Google' };
  await asOwner(intakeRoutes.addIntake, { body: made });
}

/** Plants what no one may change once it is sealed, as the superuser, whom no trigger stops. */
async function beforeSeals(
  { dataDir }: InquiryStage,
  plant: (database: pg.Client) => Promise<void>,
): Promise<void> {
  const found = findRunningPostgres(join(dataDir, 'postgres'));
  if (!found) throw new Error('The database of the sandbox is not to be found');
  const options = '-c session_replication_role=replica';
  const database = new pg.Client({ ...found.superuser, database: 'app', options });
  await database.connect();
  try {
    // The lock of those who seal; it ends with the connection.
    await database.query("select pg_advisory_lock(hashtext('matterdesk audit_seals'))");
    await plant(database);
  } finally {
    await database.end();
  }
}

/** Spreads entries made a moment ago over the past weeks. */
async function backdate(database: pg.Client): Promise<void> {
  for (const { name, ago, answered } of samples.inquiries) {
    await database.query(
      `update base.intake_entries set at = at - make_interval(mins => $2)
       where intake_id = (select id from base.intakes where name = $1)`,
      [name, ago],
    );
    await database.query(
      `update base.intakes set received_at = received_at - make_interval(mins => $2),
         created_at = created_at - make_interval(mins => $2),
         response_due_at = response_due_at - make_interval(mins => $2),
         due_at = case when stage = 'new' then due_at - make_interval(mins => $2) else due_at end,
         first_response_at = first_response_at - make_interval(mins => $2 - $3),
         closed_at = closed_at - make_interval(mins => $2 / 2)
       where name = $1`,
      [name, ago, answered],
    );
  }
}

function dayBefore(ms: number): string {
  const day = new Date(Date.now() - ms);
  // This locale writes days as the wire does.
  return day.toLocaleDateString('sv-SE', { timeZone: ZONE });
}

function inDays(days: number): string {
  const at = new Date(Date.now() + days * DAY_MS);
  at.setUTCHours(19, 0, 0, 0);
  return at.toISOString();
}

/** A public page as a stranger has it. */
type OpenedForm = { address: string; form: SentForm; stamp: string; at: number };

/** Milliseconds within which no person fills in a form; what is sent sooner is spam. */
const MIN_FILL_MS = 3300;

async function openForm(url: string, form: SentForm): Promise<OpenedForm> {
  const address = `${url}${formPath(form.slug)}`;
  const page = await (await fetch(address)).text();
  const stamp = /name="stamp" value="([^"]+)"/.exec(page)?.[1];
  if (stamp === undefined) throw new CommandError(`The form at ${address} has no stamp`);
  return { address, form, stamp, at: Date.now() };
}

/** @param least milliseconds since the page was opened */
async function sendLater({ address, form, stamp, at }: OpenedForm, least: number) {
  await wait(Math.max(0, at + least - Date.now()));
  const body = new FormData();
  const { answers, source } = form;
  for (const [key, answer] of Object.entries(answers)) body.set(`f-${key}`, answer);
  for (const [name, value] of Object.entries({ stamp, source, understood: 'yes', mayText: 'yes' }))
    body.set(name, value);
  const { status } = await fetch(address, { method: 'POST', body, redirect: 'manual' });
  if (status !== 303) throw new CommandError(`The form at ${address} answered ${status}`);
}
