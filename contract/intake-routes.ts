import * as z from 'zod/mini';
import { caseTypes } from './cases.ts';
import {
  DeclineSchema,
  IntakeCountsSchema,
  IntakeDetailSchema,
  IntakeEntrySchema,
  IntakePatchSchema,
  IntakeSchema,
  intakeStages,
  type IntakeStage,
  NewNoteSchema,
  SentIntakeSchema,
} from './intakes.ts';
import { wholeNumber } from './numbers.ts';
import { pagingQuery, pagingReply } from './paging.ts';
import { defineRoute } from './route.ts';
import { choice, id, line, paragraphs } from './text.ts';
import { day } from './time.ts';

const RESPONSE_MINUTES_MAX = 10_080;
const KEEP_MONTHS_MAX = 1200;
const LIST_MAX = 50;

const LetterTemplateSchema = z.strictObject({
  name: line('Name'),
  subject: line('Subject'),
  /** {name} {firm} {date} {about} are filled in. */
  text: paragraphs('Text', { max: 10_000 }),
});
export type LetterTemplate = z.infer<typeof LetterTemplateSchema>;

/** Rules for handling inquiries. */
export const IntakeSettingsSchema = z.strictObject({
  /** The target for the first response. */
  responseMinutes: wholeNumber('Response Minutes', { min: 1, max: RESPONSE_MINUTES_MAX }),
  /** Months after which what was declined is erased but for what a later check needs. */
  keepMonths: wholeNumber('Keep Months', { min: 1, max: KEEP_MONTHS_MAX }),
  sources: z
    .array(line('Source'), 'Sources must be a list of names')
    .check(z.maxLength(LIST_MAX, `Sources can have at most ${LIST_MAX} entries`)),
  templates: z
    .array(LetterTemplateSchema, 'Templates must be a list of letters')
    .check(z.maxLength(LIST_MAX, `Templates can have at most ${LIST_MAX} entries`)),
});
export type IntakeSettings = z.infer<typeof IntakeSettingsSchema>;

const path = '/api/v1/intakes';
const one = '/api/v1/intakes/{id}';
const anIntake = z.object({ intake: IntakeSchema });

const stageText = `Stage must be one of ${intakeStages.join(', ')}`;
/** One stage, or several with commas between them. */
const stages = z.pipe(
  z
    .string(stageText)
    .check(z.refine((given) => given.split(',').every((stage) => isStage(stage)), stageText)),
  z.transform((given) => given.split(',').filter((stage) => isStage(stage))),
);

function isStage(given: string): given is IntakeStage {
  return intakeStages.some((stage) => stage === given);
}

export const intakeRoutes = {
  listIntakes: defineRoute({
    method: 'GET',
    path,
    summary: 'Intakes that the caller may see, the soonest due first',
    access: 'signedIn',
    query: z.object({
      stage: z.optional(stages),
      owner: z.optional(id('Please select any user')),
      type: z.optional(choice('Type', caseTypes)),
      spam: z.optional(z.enum(['0', '1'], { error: 'spam must be one of 0, 1' })),
      ...pagingQuery,
    }),
    reply: z.object({
      intakes: z.array(IntakeSchema),
      counts: IntakeCountsSchema,
      /** Open ones that wait for a first response past its target. */
      overdue: z.number(),
      ...pagingReply,
    }),
    message: 'OK',
  }),
  readIntake: defineRoute({
    method: 'GET',
    path: one,
    summary: 'An intake with its answers, activity, files and possible duplicates',
    access: 'signedIn',
    reply: IntakeDetailSchema,
    message: 'OK',
  }),
  addIntake: defineRoute({
    method: 'POST',
    path,
    summary: "Enters an inquiry, also from one of the caller's mails, or their texts with a number",
    access: 'signedIn',
    body: SentIntakeSchema,
    reply: anIntake,
    status: 201,
    otherStatus: 200,
    message: 'Intake created',
    idempotent: true,
  }),
  changeIntake: defineRoute({
    method: 'PATCH',
    path: one,
    summary: 'Changes an intake, moves it among the open stages, or reopens it',
    access: 'signedIn',
    body: IntakePatchSchema,
    reply: anIntake,
    message: 'Intake updated',
  }),
  addNote: defineRoute({
    method: 'POST',
    path: `${one}/notes`,
    summary: 'Adds a note or a call',
    access: 'signedIn',
    body: NewNoteSchema,
    reply: z.object({ entry: IntakeEntrySchema }),
    status: 201,
    message: 'Note added',
    idempotent: true,
  }),
  declineIntake: defineRoute({
    method: 'POST',
    path: `${one}/decline`,
    summary: 'Declines an intake, or refers it to a contact',
    access: 'signedIn',
    body: DeclineSchema,
    reply: anIntake,
    message: 'Intake closed',
  }),
  eraseIntake: defineRoute({
    method: 'DELETE',
    path: one,
    summary: 'Erases an intake but for what a later conflict check needs',
    access: 'admin',
    reply: z.null(),
    message: 'Intake erased',
  }),
  readSettings: defineRoute({
    method: 'GET',
    path: `${path}/settings`,
    summary: 'How intakes are handled',
    access: 'signedIn',
    reply: z.object({ settings: IntakeSettingsSchema }),
    message: 'OK',
  }),
  changeSettings: defineRoute({
    method: 'PUT',
    path: `${path}/settings`,
    summary: 'Sets how intakes are handled',
    access: 'admin',
    body: IntakeSettingsSchema,
    reply: z.object({ settings: IntakeSettingsSchema }),
    message: 'Settings saved',
  }),
};

const letterPath = '/api/v1/intakes/{id}/letter';

export const LetterSchema = z.strictObject({
  subject: line('Subject', { max: 900 }),
  text: paragraphs('Text', { max: 10_000 }),
});
export type Letter = z.infer<typeof LetterSchema>;

export const letterRoutes = {
  readLetter: defineRoute({
    method: 'GET',
    path: letterPath,
    summary: 'A letter to the person who asks, made of a template of the firm',
    access: 'signedIn',
    query: z.object({ template: line('Template') }),
    reply: z.object({ subject: z.string(), text: z.string() }),
    message: 'OK',
  }),
  draftLetter: defineRoute({
    method: 'POST',
    path: letterPath,
    summary: "Keeps a letter as a draft in the caller's mailbox",
    access: 'signedIn',
    body: LetterSchema,
    idempotent: true,
    reply: z.object({ draftId: z.string() }),
    status: 201,
    message: 'Draft saved',
  }),
};

export const statGroups = ['source', 'type', 'owner', 'form', 'month'] as const;
export type StatGroup = (typeof statGroups)[number];

const number = z.number();
const share = z.nullable(number);

const IntakeStatSchema = z.object({
  /** A source, a type, a user id, a form's name, or `YYYY-MM`; null where it is unknown. */
  key: z.nullable(z.string()),
  received: number,
  contacted: number,
  accepted: number,
  declined: number,
  referred: number,
  /** Share of received inquiries that became a matter: 0 to 1. */
  conversion: share,
  /** Minutes. */
  medianResponse: share,
  /** Share answered in time, among those answered or overdue: 0 to 1. */
  withinTarget: share,
});
export type IntakeStat = z.infer<typeof IntakeStatSchema>;

export const intakeStatRoutes = {
  readStats: defineRoute({
    method: 'GET',
    path: '/api/v1/intakes/stats',
    summary: 'What came in between two days, without spam, in groups; of what the caller may see',
    access: 'signedIn',
    query: z.object({ from: day('From'), to: day('To'), by: choice('By', statGroups) }),
    reply: z.object({ rows: z.array(IntakeStatSchema) }),
    message: 'OK',
  }),
};
