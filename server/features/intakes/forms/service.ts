// Public forms: administrators build them, and people without an account send them.

import { controls, type SentValues } from '@matterdesk/contract/intake-form-page.ts';
import {
  findFormErrors,
  type IntakeForm,
  type IntakeFormPatch,
  type NewIntakeForm,
  FORM_FILE_BYTES_MAX,
  FORM_FILES_MAX,
} from '@matterdesk/contract/intake-forms.ts';
import { type ActorContext, type Context, write, perContext } from '../../../context.ts';
import { MINUTE_MS, HOUR_MS } from '../../../core/durations.ts';
import type { IdempotencyKey } from '../../../core/idempotency-key.ts';
import { isId } from '../../../core/ids.ts';
import type { Network } from '../../../core/origin.ts';
import { fieldRefusal, invalidFields, notFound, Refusal } from '../../../core/refusal.ts';
import { isDuplicate } from '../../../db/connect.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { SentForm } from '../../../http/bodies.ts';
import { AttemptLimiter, limitOf, type AdmittedAttempt } from '../../accounts/service.attempts.ts';
import { requireAssignable } from '../../accounts/service.ts';
import { type IncomingParts, type StoredBlob, storeFiles } from '../../files/service.incoming.ts';
import { Reservation } from '../../storage/service.ts';
import { about, FIRST_STEP, searchColumn } from '../rules.ts';
import { attachFiles } from '../service.files.ts';
import { emitIntake, requireIntake, saveIntakeNames } from '../service.record.ts';
import * as intakes from '../store.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

export async function listForms(context: Context) {
  return { forms: await store.listForms(context.db) };
}

/** @throws Refusal invalidInput, alreadyExists for a taken address */
export function addForm(
  context: ActorContext,
  form: NewIntakeForm,
  once?: IdempotencyKey,
): Promise<{ form: IntakeForm }> {
  const add = async (unit: Unit) => {
    await checkForm(unit, form);
    const added = await store.insertForm(unit.trx, form);
    await unit.record({ ...aboutForm(added), action: 'created', after: added });
    return { form: added };
  };
  return writeForms(context, add, once);
}

/** @throws Refusal notFound, invalidInput, alreadyExists */
export function changeForm(
  context: ActorContext,
  id: string,
  patch: IntakeFormPatch,
): Promise<{ form: IntakeForm }> {
  return writeForms(context, async (unit) => {
    const before = isId(id) ? await store.lockForm(unit.trx, id) : undefined;
    if (!before) throw notFound('Form');
    const given = Object.entries(patch).filter(([, value]) => value !== undefined);
    const wanted: IntakeForm = {
      ...before,
      ...(Object.fromEntries(given) as Partial<IntakeForm>),
    };
    await checkForm(unit, wanted, before.owners);
    const form = await store.updateForm(unit.trx, wanted);
    await unit.record({ ...aboutForm(form), action: 'updated', before, after: form });
    return { form };
  });
}

async function writeForms<T>(
  context: ActorContext,
  work: (unit: Unit) => Promise<T>,
  once?: IdempotencyKey,
): Promise<T> {
  try {
    return await write(context, work, once);
  } catch (error) {
    if (!isDuplicate(error, 'intake_forms_slug_key')) throw error;
    throw fieldRefusal('alreadyExists', 'slug', 'This address is taken');
  }
}

async function checkForm(
  unit: Unit,
  form: Omit<IntakeForm, 'id'>,
  already: string[] = [],
): Promise<void> {
  const errors = findFormErrors(form.fields);
  if (errors.length > 0) throw invalidFields(errors);
  const owners = { ids: [...new Set(form.owners)], path: 'owners', already };
  await requireAssignable(unit.trx, owners);
}

function aboutForm({ id }: IntakeForm) {
  return { entity: 'intakeForm', entityId: id } as const;
}

// Receives inquiries from people without an account.

/** An inquiry that was kept, or the errors to correct. */
export type Outcome =
  | { isKept: true }
  | {
      isKept: false;
      errors: rules.Answers['errors'];
      problem?: string;
      /** The time of the page; undefined for a new stamp. */
      madeAt?: number;
    };

/** Requests per network and hour. */
const MAX_PER_CLIENT = 10;
/** Inquiries per form and hour, not counting spam; the rest goes to Spam. */
const MAX_PER_FORM = 100;
/** Requests per form and hour, which bounds a flood from hundreds of networks. */
const MAX_REQUESTS = 5000;
/** Total bytes of strangers' files that are not part of a matter yet. */
const MAX_UPLOAD_BYTES = 5e9;
/** Bytes of a request besides its files. */
const MAX_TEXT_BYTES = 500_000;
const WHY = 'a form is sent by someone without an account';

/** A request whose body may be read. */
export type AdmittedRequest = {
  /** Whether the form has had too many inquiries to accept files. */
  isFlooded: boolean;
  /** Uncounts the request. */
  giveBack: () => Promise<void>;
};

/** A page was sent twice; the first request counts. */
export class AlreadySent extends Error {}

/** Rolls back the files of an invalid form. */
export class InvalidAnswers extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super('invalid answers');
    this.outcome = outcome;
  }
}

const attemptsOf = perContext((context) => new AttemptLimiter(context.db));

export function findForm(context: Context, slug: string): Promise<IntakeForm | undefined> {
  return store.findActive(context.db, slug);
}

export function stampForm(context: Context, form: IntakeForm, madeAt = Date.now()): string {
  return rules.makeStamp(context.secretKey, form.slug, madeAt);
}

/**
 * Counts a request before its body is read.
 * @throws Refusal tooManyAttempts
 */
export async function admitSender(
  context: Context,
  form: IntakeForm,
  client: Network,
): Promise<AdmittedRequest> {
  const limits = [
    limitOf(`intake from ${client}`, { most: MAX_PER_CLIENT, windowMs: HOUR_MS }),
    limitOf(`intake form ${form.id} at all`, { most: MAX_REQUESTS, windowMs: HOUR_MS }),
  ];
  const attempts = attemptsOf(context);
  const taken: AdmittedAttempt[] = [];
  const giveBack = async () => {
    for (const attempt of taken) await attempt.giveBack();
  };
  try {
    for (const limit of limits) {
      const attempt = await attempts.take(limit);
      attempt.settle();
      taken.push(attempt);
    }
  } catch (error) {
    await giveBack();
    throw error;
  }
  const isFlooded = (await attempts.count(limitOfForm(form))) >= MAX_PER_FORM;
  return { isFlooded, giveBack };
}

/** @throws Refusal tooLarge, storageFull, invalidInput for a malformed body */
export async function receiveForm(
  context: Context,
  form: IntakeForm,
  { text, files: parts, length, isFlooded }: SentForm & AdmittedRequest,
): Promise<Outcome> {
  if (length !== undefined && length > FORM_FILES_MAX * FORM_FILE_BYTES_MAX + MAX_TEXT_BYTES)
    throw new Refusal('tooLarge', 'The files are too large');
  const receive = (stored: StoredBlob[]) => receiveSent(context, form, { text, stored, isFlooded });
  const isOptional = true;
  if (isFlooded) return storeFiles(context, { parts: skipFiles(parts), isOptional }, receive);
  const uploads = await store.sumUploads(context.db.asSystem(WHY));
  const isFull = uploads + (length ?? 0) > MAX_UPLOAD_BYTES;
  const reservation = new Reservation(context, length);
  const accepted = isFull ? refuseFiles(parts) : parts;
  return storeFiles(context, { parts: accepted, reservation, isOptional }, receive);
}

async function receiveSent(
  context: Context,
  form: IntakeForm,
  { text: sent, stored, isFlooded }: { text: SentValues; stored: StoredBlob[]; isFlooded: boolean },
): Promise<Outcome> {
  const now = new Date();
  const [stamp = ''] = sent.get(controls.stamp) ?? [];
  const { secretKey, writer } = context;
  const stamped = rules.readStamp(secretKey, { slug: form.slug, stamp, now: now.getTime() });
  const answers = rules.readAnswers(form, sent);
  if (!stamped || stamped.isOld) {
    const problem = 'This page was open for too long. Please send it again.';
    return reject({ isKept: false, errors: answers.errors, problem }, stored);
  }
  const { madeAt } = stamped;
  if (answers.errors.size > 0)
    return reject({ isKept: false, errors: answers.errors, madeAt }, stored);
  const isSuspect = rules.isSuspect(sent, answers, now.getTime() - madeAt);
  await writer.runAsSystem(null, WHY, async (unit) => {
    if (!(await store.useStamp(unit.trx, stamp))) throw new AlreadySent();
    const isExcess = isFlooded || (!isSuspect && !(await countInquiry(context, unit, form)));
    await keepInquiry(unit, {
      form,
      sent,
      answers,
      stored,
      isSpam: isSuspect || isExcess,
      isExcess,
      now,
    });
  });
  return { isKept: true };
}

/** Counts an inquiry, but not spam, which must not use up the form's limit. @returns false beyond the limit */
async function countInquiry(context: Context, unit: Unit, form: IntakeForm): Promise<boolean> {
  // Locked, so that parallel requests count each other.
  await store.lockForm(unit.trx, form.id);
  return attemptsOf(context).fits(unit.trx, limitOfForm(form));
}

type Inquiry = {
  form: IntakeForm;
  sent: SentValues;
  answers: rules.Answers;
  stored: StoredBlob[];
  isSpam: boolean;
  isExcess: boolean;
  now: Date;
};

async function keepInquiry(unit: Unit, inquiry: Inquiry): Promise<void> {
  const { form, sent, answers, stored, isSpam, isExcess, now } = inquiry;
  const { responseMinutes } = await intakes.findSettings(unit.trx);
  const dueAt = new Date(now.getTime() + responseMinutes * MINUTE_MS);
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
    ...searchColumn({ ...row, parties }),
    parties: JSON.stringify(parties),
    answers: JSON.stringify(answered),
  });
  const names = await attachFiles(unit, id, { stored, by: null });
  await intakes.insertEntries(unit.trx, id, [
    { by: null, kind: 'received', text: rules.describeReceipt(answered.length, isExcess) },
    ...names.map((name) => ({ by: null, kind: 'file' as const, text: name })),
  ]);
  await unit.record({ ...about(id), action: 'created', after: row });
  if (isSpam) return;
  const found = await requireIntake(unit.trx, id);
  await saveIntakeNames(unit, found);
  await emitIntake(unit, 'intake.created', found);
}

/** Deletes used stamps of pages that have expired. */
export async function purgeStamps(context: Context): Promise<void> {
  await store.purgeStamps(context.db);
}

function reject(outcome: Outcome, stored: StoredBlob[]): Outcome {
  if (stored.length > 0) throw new InvalidAnswers(outcome);
  return outcome;
}

function limitOfForm({ id }: IntakeForm) {
  return limitOf(`intake form ${id}`, { most: MAX_PER_FORM, windowMs: HOUR_MS });
}

async function* skipFiles(parts: SentForm['files']): IncomingParts {
  for await (const { bytes } of parts) bytes.resume();
  yield* [];
}

/** Refuses the first file. */
async function* refuseFiles(parts: IncomingParts): IncomingParts {
  for await (const part of parts) {
    if (!('field' in part)) throw new Refusal('storageFull');
    yield part;
  }
}
