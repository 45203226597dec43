import * as z from 'zod/mini';
import { caseTypes, PersonSchema } from './cases.ts';
import { defineRoute } from './route.ts';
import {
  blankToNull,
  choice,
  email,
  id,
  line,
  optionalLine,
  optionalParagraphs,
  paragraphs,
} from './text.ts';
import { day, instant } from './time.ts';

/** The stages of an intake that is open, in the order of the board. */
export const openStages = ['new', 'contacted', 'conflictCheck', 'consultScheduled'] as const;
export const closedStages = ['accepted', 'declined', 'referred'] as const;
export const intakeStages = [...openStages, ...closedStages] as const;
export type IntakeStage = (typeof intakeStages)[number];

export const declineReasons = [
  ...(['conflict', 'scope', 'merits', 'tooLate'] as const),
  ...(['capacity', 'noAnswer', 'duplicate', 'other'] as const),
] as const;
export type DeclineReason = (typeof declineReasons)[number];

/** Roles of people in an intake or a case. */
export const intakeRoles = [
  ...(['client', 'opposingParty', 'opposingCounsel', 'coCounsel', 'witness'] as const),
  ...(['expert', 'insurer', 'provider', 'guardian', 'judge', 'court', 'referrer'] as const),
  'other',
] as const;
export type IntakeRole = (typeof intakeRoles)[number];

const noteKinds = ['note', 'call'] as const;

export const REACHABLE = 'Please enter a phone number or an e-mail address';
const PARTIES_MAX = 50;
const NOTE_MAX = 4000;

const party = z.strictObject({ name: line('Name'), role: choice('Role', intakeRoles) });
export type IntakeParty = z.infer<typeof party>;

const person = id('Please select any user');

/** Facts of an inquiry; null where unknown. */
const fields = {
  type: z.nullable(choice('Type', caseTypes)),
  phoneNumber: blankToNull(line('Phone Number', { max: 40 })),
  email: blankToNull(email('Email')),
  address: z.nullable(paragraphs('Address', { max: 500 })),
  parties: z
    .array(party, 'Parties must be a list of names and roles')
    .check(z.maxLength(PARTIES_MAX, `Parties can have at most ${PARTIES_MAX} entries`)),
  description: optionalParagraphs('Description'),
  DOI: z.nullable(day('DOI')),
  SOL: z.nullable(day('SOL')),
  source: z.nullable(line('Source')),
  nextStep: optionalLine('Next Step'),
  dueAt: z.nullable(instant('Due At')),
  consultAt: z.nullable(instant('Consult At')),
};

const members = {
  type: z._default(fields.type, null),
  phoneNumber: z._default(fields.phoneNumber, null),
  email: z._default(fields.email, null),
  address: z._default(fields.address, null),
  parties: z._default(fields.parties, []),
  description: z._default(fields.description, ''),
  DOI: z._default(fields.DOI, null),
  SOL: z._default(fields.SOL, null),
  source: z._default(fields.source, null),
  owner: z.optional(person),
  nextStep: z.optional(fields.nextStep),
  dueAt: z.optional(fields.dueAt),
  consultAt: z._default(fields.consultAt, null),
};

export const NewIntakeSchema = z.strictObject({ name: line('Name'), ...members }).check(
  z.refine(({ phoneNumber, email: address }) => phoneNumber !== null || address !== null, {
    error: REACHABLE,
    path: ['phoneNumber'],
  }),
);
export type NewIntake = z.infer<typeof NewIntakeSchema>;
/** A new intake before its defaults apply, as a form holds it. */
export type IntakeInputs = z.input<typeof NewIntakeSchema>;

/** A new intake; one of the caller's mails, or their texts with a number, may fill in what the body leaves out. */
export const SentIntakeSchema = z
  .strictObject({
    name: z.optional(line('Name')),
    ...members,
    fromMail: z.optional(line('From Mail')),
    fromNumber: z.optional(line('From Number', { max: 40 })),
  })
  .check(
    z.refine(({ name, fromMail, fromNumber }) => Boolean(name ?? fromMail ?? fromNumber), {
      error: 'Name is required',
      path: ['name'],
    }),
    z.refine(
      ({ phoneNumber, email: address, fromMail, fromNumber }) =>
        Boolean(phoneNumber ?? address ?? fromMail ?? fromNumber),
      { error: REACHABLE, path: ['phoneNumber'] },
    ),
    z.refine(({ fromMail, fromNumber }) => fromMail === undefined || fromNumber === undefined, {
      error: 'An intake is made of a mail or of texts, not both',
      path: ['fromNumber'],
    }),
  );
export type SentIntake = z.infer<typeof SentIntakeSchema>;

export const IntakePatchSchema = z.partial(
  z.strictObject({
    name: line('Name'),
    ...fields,
    owner: person,
    stage: choice('Stage', openStages),
    isSpam: z.boolean('Is Spam must be true or false'),
  }),
);
export type IntakePatch = z.infer<typeof IntakePatchSchema>;

export const NewNoteSchema = z.strictObject({
  kind: choice('Kind', noteKinds),
  text: paragraphs('Text', { max: NOTE_MAX }),
});
export type NewNote = z.infer<typeof NewNoteSchema>;

export const DeclineSchema = z.strictObject({
  reason: choice('Reason', declineReasons),
  note: z._default(optionalParagraphs('Note', { max: NOTE_MAX }), ''),
  /** A contact; without it the intake is declined. */
  referredTo: z._default(z.nullable(id('Select a contact')), null),
});
export type Decline = z.infer<typeof DeclineSchema>;

const text = z.string();
const optional = z.nullable(text);

const TextConsentSchema = z.object({ at: text, wording: text });

export const IntakeSchema = z.object({
  id: text,
  /** Counts from 1. */
  number: z.number(),
  stage: z.enum(intakeStages),
  type: z.nullable(z.enum(caseTypes)),
  name: text,
  contact: z.nullable(z.object({ id: text, kind: text, name: text })),
  phoneNumber: optional,
  email: optional,
  address: optional,
  parties: z.array(z.object({ name: text, role: z.enum(intakeRoles) })),
  description: optional,
  DOI: optional,
  SOL: optional,
  source: optional,
  form: z.nullable(z.object({ id: text, name: text })),
  owner: z.nullable(PersonSchema),
  nextStep: optional,
  dueAt: optional,
  responseDueAt: text,
  consultAt: optional,
  receivedAt: text,
  /** A mail or text to it, a call, or leaving `new`, whichever came first. */
  firstResponseAt: optional,
  declined: z.nullable(
    z.object({ reason: z.enum(declineReasons), note: optional, referredTo: optional }),
  ),
  check: z.nullable(z.object({ id: text, outcome: optional, undecided: z.number() })),
  caseId: optional,
  textConsent: z.nullable(TextConsentSchema),
  isSpam: z.boolean(),
  /** When all but what a later check needs was erased. */
  erasedAt: z.optional(text),
  createdAt: text,
  updatedAt: text,
});
export type Intake = z.infer<typeof IntakeSchema>;

const intakeEntryKinds = [
  ...(['received', 'note', 'call', 'changed', 'stage', 'owner', 'file', 'letter'] as const),
  ...(['mail', 'message', 'check', 'declined', 'reopened', 'accepted'] as const),
] as const;
export type IntakeEntryKind = (typeof intakeEntryKinds)[number];

export const IntakeEntrySchema = z.object({
  id: text,
  at: text,
  /** Null for the server, and for the sender of a form. */
  by: z.nullable(PersonSchema),
  kind: z.enum(intakeEntryKinds),
  /** A note, a file's name, a stage; null where the reader may not see it. */
  text: optional,
});
export type IntakeEntry = z.infer<typeof IntakeEntrySchema>;

const IntakeFileSchema = z.object({
  url: text,
  name: text,
  /** Bytes. */
  size: z.number(),
  mimeType: text,
  uploadedAt: text,
  uploadedBy: z.nullable(PersonSchema),
});
export type IntakeFile = z.infer<typeof IntakeFileSchema>;

const IntakeDuplicateSchema = z.object({
  kind: z.enum(['intake', 'contact', 'case']),
  id: text,
  /** In words, such as 'Same phone as intake 871, declined in March 2026'. */
  reason: text,
});
export type IntakeDuplicate = z.infer<typeof IntakeDuplicateSchema>;

export const IntakeDetailSchema = z.object({
  intake: IntakeSchema,
  /** Questions of the form and their answers. */
  answers: z.array(z.object({ label: text, value: text })),
  /** Newest first. */
  activity: z.array(IntakeEntrySchema),
  files: z.array(IntakeFileSchema),
  duplicates: z.array(IntakeDuplicateSchema),
});
export type IntakeDetail = z.infer<typeof IntakeDetailSchema>;

const number = z.number();
export const IntakeCountsSchema = z.object({
  new: number,
  contacted: number,
  conflictCheck: number,
  consultScheduled: number,
  accepted: number,
  declined: number,
  referred: number,
  spam: number,
});
export type IntakeCounts = z.infer<typeof IntakeCountsSchema>;

const content = '/api/v1/intakes/{id}/files/{name}';

/** Stable URL of an intake's file; the last segment is its display name. */
export function intakeFileUrl(id: string, name: string): string {
  return `/api/v1/intakes/${encodeURIComponent(id)}/files/${encodeURIComponent(name)}`;
}

/** Files that came with an inquiry, or were added to it. */
export const intakeFileRoutes = {
  addFiles: defineRoute({
    method: 'POST',
    path: '/api/v1/intakes/{id}/files',
    summary: 'Adds one to a hundred files to an intake',
    access: 'signedIn',
    file: 'attachments',
    reply: z.object({ urls: z.array(z.string()) }),
    status: 201,
    message: 'File uploaded',
  }),
  readFile: defineRoute({
    method: 'GET',
    path: content,
    summary: 'The bytes of a file, whole or in ranges; the session cookie opens it too',
    access: 'signedIn',
    cookie: true,
    query: z.object({
      download: z.optional(z.enum(['0', '1'], { error: 'download must be one of 0, 1' })),
    }),
    message: 'OK',
  }),
  deleteFile: defineRoute({
    method: 'DELETE',
    path: content,
    summary: 'Deletes a file of an intake',
    access: 'signedIn',
    reply: z.null(),
    message: 'File deleted',
  }),
};
