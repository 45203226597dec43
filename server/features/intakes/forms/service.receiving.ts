// Takes what strangers send.

import { controls, type Sent } from '@matterdesk/contract/intake-form-page.ts';
import {
  FORM_FILE_BYTES,
  FORM_FILES_MAX,
  type IntakeForm,
} from '@matterdesk/contract/intake-forms.ts';
import type { Network } from '../../../core/origin.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { AttemptRoom, limitOf } from '../../accounts/service.attempts.ts';
import type { SentForm } from '../../../http/bodies.ts';
import { type IncomingParts, type Stored, acceptFiles } from '../../files/service.incoming.ts';
import { about, derived, FIRST_STEP } from '../rules.ts';
import { announceIntake, nameIntake, requireIntake } from '../service.keeping.ts';
import * as entries from '../store.entries.ts';
import { findSettings } from '../store.settings.ts';
import * as intakes from '../store.ts';
import * as rules from './rules.ts';
import { makeStamp, readStamp } from './rules.stamp.ts';
import * as store from './store.ts';
import { type Context, perContext } from '../../../context.ts';
import { readFirm } from '../../firm/service.ts';
import { openReservation } from '../../storage/service.ts';
import { attachFiles } from '../service.files.ts';

/** What becomes of a sending: kept, or wrong in these ways. */
export type Outcome =
  | { isKept: true }
  | {
      isKept: false;
      errors: rules.Answers['errors'];
      problem?: string;
      /** When the page was made, unless it must be made anew. */
      madeAt?: number;
    };

const HOUR = 3_600_000;
const MINUTE = 60_000;
const CLIENT_MOST = 10;
/** Inquiries of a form in an hour, without spam; further ones wait in Spam, where someone has to look at them. */
const FORM_MOST = 100;
/** Whatever is sent to a form in an hour, so that the disk outlives a flood from hundreds of networks. */
const AT_ALL_MOST = 5000;
/** Bytes of all files that strangers sent and no one has taken into a matter. */
const UPLOADS_MOST = 5e9;
/** Bytes of a sending besides its files. */
const TEXT_BYTES = 500_000;
const WHY = 'a form is sent by someone without an account';

/** A sending whose body may be read. */
export type Admitted = {
  /** Whether the form has too many inquiries to take files. */
  isFlooded: boolean;
  /** Does not count it after all. */
  giveBack: () => Promise<void>;
};

const attemptsOf = perContext((context) => new AttemptRoom(context.db));
/* CONSTRUCTOR
this.#attempts = new AttemptRoom(parts.db);
*/

export function findForm(context: Context, slug: string): Promise<IntakeForm | undefined> {
  return store.findActive(context.db, slug);
}

export async function readFirmName(context: Context): Promise<string> {
  return (await readFirm(context)).name;
}

export function stampForm(context: Context, form: IntakeForm, madeAt = Date.now()): string {
  return makeStamp(context.secretKey, form.slug, madeAt);
}

/**
 * Counts a sending, before its body is read.
 * @throws Refusal tooManyAttempts
 */
export async function admitSender(
  context: Context,
  form: IntakeForm,
  client: Network,
): Promise<Admitted> {
  const limits = [
    limitOf(`intake from ${client}`, { most: CLIENT_MOST, windowMs: HOUR }),
    limitOf(`intake form ${form.id} at all`, { most: AT_ALL_MOST, windowMs: HOUR }),
  ];
  const taken: Awaited<ReturnType<AttemptRoom['take']>>[] = [];
  const giveBack = async () => {
    for (const one of taken) await one.giveBack();
  };
  try {
    for (const limit of limits) {
      const one = await attemptsOf(context).take(limit);
      one.settle();
      taken.push(one);
    }
  } catch (error) {
    await giveBack();
    throw error;
  }
  const isFlooded = (await attemptsOf(context).count(limitOfForm(form))) >= FORM_MOST;
  return { isFlooded, giveBack };
}

/** @throws Refusal tooLarge, storageFull, invalidInput for a malformed body */
export async function receiveForm(
  context: Context,
  form: IntakeForm,
  { text, files: parts, length, isFlooded }: SentForm & Admitted,
): Promise<Outcome> {
  const { db } = context;
  if (length !== undefined && length > FORM_FILES_MAX * FORM_FILE_BYTES + TEXT_BYTES)
    throw new Refusal('tooLarge', 'The files are too large');
  const placeOf = () => Promise.resolve(null);
  const take = (_: null, stored: Stored[]) => takeSent(context, form, { text, stored, isFlooded });
  const isOptional = true;
  if (isFlooded)
    return acceptFiles(context, { parts: leaveFilesOut(parts), isOptional, placeOf }, take);
  const uploads = await store.sumUploads(db.asSystem(WHY));
  const isFull = uploads + (length ?? 0) > UPLOADS_MOST;
  const room = openReservation(context, length);
  const taking = isFull ? withoutFiles(parts) : parts;
  return acceptFiles(context, { parts: taking, room, isOptional, placeOf }, take);
}

async function takeSent(
  context: Context,
  form: IntakeForm,
  { text: sent, stored, isFlooded }: { text: Sent; stored: Stored[]; isFlooded: boolean },
): Promise<Outcome> {
  const now = new Date();
  const [stamp = ''] = sent.get(controls.stamp) ?? [];
  const { secretKey, writer } = context;
  const stamped = readStamp(secretKey, { slug: form.slug, stamp, now: now.getTime() });
  const answers = rules.readAnswers(form, sent);
  if (!stamped || stamped.isOld) {
    const problem = 'This page was open for too long. Please send it again.';
    return wrong({ isKept: false, errors: answers.errors, problem }, stored);
  }
  const { madeAt } = stamped;
  if (answers.errors.size > 0)
    return wrong({ isKept: false, errors: answers.errors, madeAt }, stored);
  const isSuspect = rules.isSuspect(sent, answers, now.getTime() - madeAt);
  await writer.runAsSystem(null, WHY, async (unit) => {
    if (!(await store.useStamp(unit.trx, stamp))) throw new SentBefore();
    const isOneTooMany = isFlooded || (!isSuspect && !(await fitsLimits(context, unit, form)));
    await keepInquiry(unit, {
      form,
      sent,
      answers,
      stored,
      isSpam: isSuspect || isOneTooMany,
      isOneTooMany,
      now,
    });
  });
  return { isKept: true };
}

/** Counts an inquiry. What looks like spam is not counted, so that it cannot use up the form for others. */
async function fitsLimits(context: Context, unit: Unit, form: IntakeForm): Promise<boolean> {
  // Locked, so that those who send at the same time see each other.
  await store.lockForm(unit.trx, form.id);
  return attemptsOf(context).fits(unit.trx, limitOfForm(form));
}

async function keepInquiry(
  unit: Unit,
  {
    form,
    sent,
    answers,
    stored,
    isSpam,
    isOneTooMany,
    now,
  }: {
    form: IntakeForm;
    sent: Sent;
    answers: rules.Answers;
    stored: Stored[];
    isSpam: boolean;
    isOneTooMany: boolean;
    now: Date;
  },
): Promise<void> {
  const { responseMinutes } = await findSettings(unit.trx);
  const dueAt = new Date(now.getTime() + responseMinutes * MINUTE);
  const [source] = sent.get(controls.source) ?? [];
  const members = rules.toMembers(form, answers, source);
  const { phoneNumber, parties, answers: answered, DOI: doi, ...own } = members;
  const consent = rules.consentOf(sent, phoneNumber, now);
  const row = {
    ...own,
    doi,
    type: form.type,
    phone_number: phoneNumber,
    sol: null,
    form_id: form.id,
    owner_id: isSpam ? null : await store.takeTurn(unit.trx, form.id),
    entered_by: null,
    next_step: FIRST_STEP,
    due_at: dueAt,
    response_due_at: dueAt,
    consult_at: null,
    received_at: now,
    text_consent: consent && JSON.stringify(consent),
    is_spam: isSpam,
  };
  const id = await intakes.insertIntake(unit.trx, {
    ...row,
    ...derived({ ...row, parties }),
    parties: JSON.stringify(parties),
    answers: JSON.stringify(answered),
  });
  const names = await attachFiles(unit, id, { stored, by: null });
  await entries.insertEntries(unit.trx, id, [
    { by: null, kind: 'received', text: rules.describeReceipt(answered.length, isOneTooMany) },
    ...names.map((name) => ({ by: null, kind: 'file' as const, text: name })),
  ]);
  await unit.record({ ...about(id), action: 'created', after: row });
  if (isSpam) return;
  const found = await requireIntake(unit.trx, id);
  await nameIntake(unit, found);
  await announceIntake(unit, 'intake.created', found);
}

/** Old stamps are too old to be sent in any case. */
export async function purgeForms(context: Context): Promise<void> {
  await store.purgeStamps(context.db);
}

/** The same page once more: its first sending counts, and the files of this one are dropped. */
export class SentBefore extends Error {}
/** Drops the files of a sending whose text was wrong. */
export class Wrong extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super('wrong answers');
    this.outcome = outcome;
  }
}

function wrong(outcome: Outcome, stored: Stored[]): Outcome {
  if (stored.length > 0) throw new Wrong(outcome);
  return outcome;
}

function limitOfForm({ id }: IntakeForm) {
  return limitOf(`intake form ${id}`, { most: FORM_MOST, windowMs: HOUR });
}

async function* leaveFilesOut(parts: SentForm['files']): IncomingParts {
  for await (const { bytes } of parts) bytes.resume();
  yield* [];
}

/** Refuses the first file. */
async function* withoutFiles(parts: IncomingParts): IncomingParts {
  for await (const part of parts) {
    if (!('field' in part)) throw new Refusal('storageFull');
    yield part;
  }
}
