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
import { IntakeSettingsSchema } from './intake-settings.ts';
import { pagingQuery, pagingReply } from './paging.ts';
import { defineRoute } from './route.ts';
import { choice, id } from './text.ts';

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
