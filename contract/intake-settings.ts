import * as z from 'zod/mini';
import { line, missingOr, paragraphs } from './text.ts';

const RESPONSE_MOST = 10_080;
const KEEP_MOST = 1200;
const LIST_MOST = 50;

function whole(label: string, { least, most }: { least: number; most: number }) {
  const wrong = `${label} must be a whole number from ${least} to ${most}`;
  return z
    .number({ error: missingOr(`${label} is required`, wrong) })
    .check(z.refine((n) => Number.isInteger(n) && n >= least && n <= most, wrong));
}

export const LetterTemplateSchema = z.strictObject({
  name: line('Name'),
  subject: line('Subject'),
  /** {name} {firm} {date} {about} are filled in. */
  text: paragraphs('Text', { max: 10_000 }),
});
export type LetterTemplate = z.infer<typeof LetterTemplateSchema>;

/** The firm's settings for intakes. */
export const IntakeSettingsSchema = z.strictObject({
  /** The target for the first response. */
  responseMinutes: whole('Response Minutes', { least: 1, most: RESPONSE_MOST }),
  /** Months after which what was declined is erased but for what a later check needs. */
  keepMonths: whole('Keep Months', { least: 1, most: KEEP_MOST }),
  sources: z
    .array(line('Source'), 'Sources must be a list of names')
    .check(z.maxLength(LIST_MOST, `Sources can have at most ${LIST_MOST} entries`)),
  templates: z
    .array(LetterTemplateSchema, 'Templates must be a list of letters')
    .check(z.maxLength(LIST_MOST, `Templates can have at most ${LIST_MOST} entries`)),
});
export type IntakeSettings = z.infer<typeof IntakeSettingsSchema>;
