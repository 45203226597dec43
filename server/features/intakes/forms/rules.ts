// Reads what was sent with a public form, and stamps its pages.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { controls, nameOf, type SentValues } from '@matterdesk/contract/intake-form-page.ts';
import {
  answersOf,
  MAY_TEXT,
  type FormField,
  type IntakeForm,
} from '@matterdesk/contract/intake-forms.ts';
import { intakeRoles, REACHABLE, type IntakeRole } from '@matterdesk/contract/intakes.ts';
import { email, isHarmless, line, optionalLine, paragraphs } from '@matterdesk/contract/text.ts';
import { day } from '@matterdesk/contract/time.ts';
import { DAY_MS } from '../../../core/durations.ts';

/** Milliseconds; anything faster was not typed by a person. */
const MIN_AGE_MS = 3000;
const MAX_LINKS = 3;
const LINK = /https?:\/\/(?:www\.)?|www\./gi;
export const MAX_SOURCE_LENGTH = 200;
const DEFAULT_SOURCE = 'Website';

export type Answers = {
  /** Answers by field key; empty without one. */
  values: Map<string, string[]>;
  /** Messages by field key, or by the key of a control such as `understood`. */
  errors: Map<string, string>;
};

/** Validates the answers; hidden questions have none. */
export function readAnswers(form: IntakeForm, sent: SentValues): Answers {
  const values = new Map<string, string[]>();
  const errors = new Map<string, string>();
  for (const field of form.fields) {
    if (field.kind === 'file' || !isShown(field, values)) continue;
    const given = (sent.get(nameOf(field)) ?? []).filter((value) => value.trim() !== '');
    values.set(field.key, given);
    const { value, error } = checkAnswer(field, given);
    if (error !== undefined) errors.set(field.key, error);
    else values.set(field.key, value);
  }
  if (!sent.get(controls.understood)?.includes('yes'))
    errors.set(controls.understood, 'Please check this box');
  const reach = form.fields.filter(({ maps }) => maps === 'phoneNumber' || maps === 'email');
  const isReachable = reach.some(({ key }) => (values.get(key) ?? []).length > 0);
  const [first] = reach;
  if (!isReachable && first && !errors.has(first.key)) errors.set(first.key, REACHABLE);
  return { values, errors };
}

/** Whether a question applies to the answers before it. */
function isShown({ showIf }: FormField, values: ReadonlyMap<string, string[]>): boolean {
  return showIf === null || (values.get(showIf.key) ?? []).includes(showIf.equals);
}

type CheckedAnswer = { value: string[]; error?: string };

function checkAnswer(field: FormField, given: string[]): CheckedAnswer {
  const { label, kind, required } = field;
  if (given.length === 0)
    return required ? { value: [], error: `${label}: please answer` } : { value: [] };
  const offered = answersOf(field);
  if (offered.length > 0)
    return given.every((value) => offered.includes(value))
      ? { value: kind === 'choices' ? given : given.slice(0, 1) }
      : { value: [], error: `${label}: please choose an answer` };
  const read = schemaOf(field).safeParse(given[0] ?? '');
  if (!read.success) return { value: given, error: read.error.issues[0]?.message ?? label };
  const isNumber = kind !== 'number' || /^-?[\d.,\s]{1,30}$/.test(read.data);
  const isPhone = kind !== 'phone' || read.data.replaceAll(/\D/g, '').length >= 7;
  if (!isNumber) return { value: given, error: `${label}: please enter a number` };
  return isPhone ? { value: [read.data] } : { value: given, error: 'Please enter a phone number' };
}

function schemaOf({ label, kind, maps }: FormField) {
  if (kind === 'paragraphs') return paragraphs(label, { max: 4000 });
  if (kind === 'email') return email(label);
  if (kind === 'date') return day(label);
  if (kind === 'phone') return line(label, { max: 40 });
  return line(label, { max: maps === 'address' ? 500 : 200 });
}

/** Suspect inquiries are kept, in Spam. */
export function isSuspect(sent: SentValues, answers: Answers, age: number): boolean {
  const written = [...answers.values.values()].flat().join('\n');
  const links = written.match(LINK)?.length ?? 0;
  const isTrapped = (sent.get(controls.trap) ?? []).some((value) => value !== '');
  return isTrapped || age < MIN_AGE_MS || links > MAX_LINKS;
}

/** The first entry of an intake's activity. */
export function describeReceipt(answers: number, isFlooded: boolean): string {
  const count = answers === 1 ? '1 answer' : `${answers} answers`;
  return isFlooded
    ? `Sent the form, ${count}. Many inquiries came in at once: check if it is genuine, and ask for files again.`
    : `Sent the form, ${count}`;
}

/** The campaign named in the link to the page. */
function sourceOf(given: string | undefined): string {
  const read = optionalLine('Source', { max: MAX_SOURCE_LENGTH }).safeParse(given ?? '');
  return read.success && read.data !== '' && isHarmless(read.data) ? read.data : DEFAULT_SOURCE;
}

/** The intake's members, from the questions mapped to them. */
export function toMembers(form: IntakeForm, { values }: Answers, source: string | undefined) {
  const mapped = (maps: string) => {
    const field = form.fields.find((each) => each.maps === maps && values.get(each.key)?.length);
    return field ? (values.get(field.key) ?? []).join(', ') : null;
  };
  const story = form.fields
    .filter(({ maps }) => maps === 'description')
    .flatMap(({ key }) => values.get(key) ?? []);
  const parties = form.fields.flatMap(({ maps, key }) =>
    isRole(maps) ? (values.get(key) ?? []).map((name) => ({ name, role: maps })) : [],
  );
  const answered = form.fields
    .map(({ label, key }) => ({ label, value: (values.get(key) ?? []).join(', ') }))
    .filter(({ value }) => value !== '');
  return {
    name: mapped('name') ?? '',
    phoneNumber: mapped('phoneNumber'),
    email: mapped('email'),
    address: mapped('address'),
    DOI: mapped('DOI'),
    source: mapped('source') ?? sourceOf(source),
    description: story.join('\n\n'),
    parties,
    answers: answered,
  };
}

function isRole(maps: string | null): maps is IntakeRole {
  return intakeRoles.some((role) => role === maps);
}

/** The consent to texts, with its wording; null without one. */
export function consentOf(sent: SentValues, phone: string | null, now: Date) {
  const isGiven = phone !== null && sent.get(controls.mayText)?.includes('yes') === true;
  return isGiven ? { at: now.toISOString(), wording: MAY_TEXT } : null;
}

/** The time a page was made, and whether it has expired. */
export type FormStamp = { madeAt: number; isOld: boolean };

/** Signs a page, so that it can be sent once. */
export function makeStamp(secretKey: string, slug: string, madeAt: number): string {
  const body = `${madeAt.toString(36)}.${randomBytes(12).toString('base64url')}`;
  return `${body}.${sign(secretKey, slug, body)}`;
}

/** Undefined for a forged stamp, or another form's. */
export function readStamp(
  secretKey: string,
  { slug, stamp, now }: { slug: string; stamp: string; now: number },
): FormStamp | undefined {
  const [at = '', nonce = '', given = '', ...rest] = stamp.split('.');
  const made = sign(secretKey, slug, `${at}.${nonce}`);
  const [expected, actual] = [Buffer.from(made), Buffer.from(given)];
  const isSameLength = rest.length === 0 && expected.length === actual.length;
  if (!isSameLength || !timingSafeEqual(expected, actual)) return undefined;
  const madeAt = Number.parseInt(at, 36);
  return { madeAt, isOld: now - madeAt > DAY_MS };
}

function sign(secretKey: string, slug: string, body: string): string {
  return createHmac('sha256', secretKey).update(`intake form ${slug} ${body}`).digest('base64url');
}
