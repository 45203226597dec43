import * as z from 'zod/mini';
import { hasLongRun, MARKS_MAX, normalized } from './normalization.ts';

/** Control characters, lone surrogates and bidirectional overrides, refused in every client text. */
const HOSTILE_IN_LINE = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;
/** The same without line breaks and tabs, which longer texts allow. */
const HOSTILE_IN_PARAGRAPHS = /(?![\n\t])[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;

export function isHarmless(text: string): boolean {
  return !HOSTILE_IN_LINE.test(text);
}

/** Removes what a line must not contain. */
export function withoutControlsInLine(text: string): string {
  return text.replaceAll(new RegExp(HOSTILE_IN_LINE, 'gu'), '');
}

/** Removes what a longer text must not contain. */
export function withoutControls(text: string): string {
  return text.replaceAll(new RegExp(HOSTILE_IN_PARAGRAPHS, 'gu'), '');
}

/** True for text without visible characters. */
export function isInvisible(text: string): boolean {
  return /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(text);
}

/** Characters of a question to the files of a matter. */
export const QUESTION_MAX = 2000;

type TextRule = { required?: string; max?: number };
type RawIssue = { input?: unknown };

/** `missing` for absent, null or blank values, else the wrong-type message. */
export function missingOr(missing: string, otherwise: string) {
  return ({ input }: RawIssue) =>
    input === undefined || input === null || isBlank(input) ? missing : otherwise;
}

function isBlank(input: unknown) {
  return typeof input === 'string' && input.trim() === '';
}

/** No text gets shorter than a quarter when it is composed. */
const COMPOSITION_RATIO_MAX = 4;

/** Checks the length before the text is composed, which takes time, and exactly afterwards. */
function composed(label: string, max: number) {
  const tooLong = `${label} must have at most ${max} characters`;
  return [
    z.maxLength(COMPOSITION_RATIO_MAX * max, { error: tooLong, abort: true }),
    z.refine<string>((text) => !hasLongRun(text), {
      error: `${label} must not stack more than ${MARKS_MAX} accents on one letter`,
      abort: true,
    }),
    z.overwrite<string>((text) => normalized(text)),
    z.maxLength(max, tooLong),
  ] as const;
}

/** A required single-line text: trimmed, NFC, not blank, at most `max` UTF-16 units. */
export function line(
  label: string,
  { required = `${label} is required`, max = 200 }: TextRule = {},
) {
  return z
    .string({ error: missingOr(required, `${label} must be text`) })
    .check(
      z.trim(),
      z.minLength(1, { error: required, abort: true }),
      ...composed(label, max),
      z.refine(isHarmless, `${label} must not hold control characters`),
    );
}

/** An optional single-line text. */
export function optionalLine(label: string, { max = 200 }: { max?: number } = {}) {
  return z
    .string(`${label} must be text`)
    .check(
      z.trim(),
      ...composed(label, max),
      z.refine(isHarmless, `${label} must not hold control characters`),
    );
}

/** A value that may be unknown: null, or blank as an empty field of a form is. */
export function blankToNull<Value extends z.ZodMiniType<string | number>>(value: Value) {
  return z.pipe(
    z.transform((input) => (isBlank(input) ? null : input)),
    z.nullable(value),
  );
}

/** A required text with line breaks and tabs; line ends become `\n`. */
export function paragraphs(
  label: string,
  { required = `${label} is required`, max = 4000 }: TextRule = {},
) {
  return manyLines(label, required, max).check(z.minLength(1, required));
}

/** An optional text with line breaks and tabs; line ends become `\n`. */
export function optionalParagraphs(
  label: string,
  { required = `${label} must be text`, max = 4000 }: TextRule = {},
) {
  return manyLines(label, required, max);
}

function manyLines(label: string, missing: string, max: number) {
  return z.string({ error: missingOr(missing, `${label} must be text`) }).check(
    z.overwrite((text) => text.replace(/\r\n?/g, '\n').trim()),
    ...composed(label, max),
    z.refine(
      (text) => !HOSTILE_IN_PARAGRAPHS.test(text),
      `${label} must not hold control characters`,
    ),
  );
}

/** A required email address, at most 254 characters (RFC 5321, 4.5.3.1.3). */
export function email(label: string) {
  return line(label, { max: 254 }).check(
    z.refine((text) => EMAIL.test(text), { error: 'Invalid email format', abort: true }),
  );
}
const EMAIL = z.regexes.email;

export function choice<const Words extends readonly [string, ...string[]]>(
  label: string,
  words: Words,
) {
  return z.enum(words, {
    error: missingOr(`${label} is required`, `${label} must be one of ${words.join(', ')}`),
  });
}

/** An opaque id in a body, checked for existence later. Missing or blank gives `required`. */
export function id(required: string) {
  return z
    .string({ error: required })
    .check(
      z.trim(),
      z.minLength(1, { error: required, abort: true }),
      z.maxLength(100, required),
      z.refine(isHarmless, required),
    );
}
