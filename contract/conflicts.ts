import * as z from 'zod/mini';
import { PersonSchema } from './cases.ts';
import { pagingQuery, pagingReply } from './paging.ts';
import { defineRoute } from './route.ts';
import { choice, id, line, missingOr, paragraphs } from './text.ts';

export const partyRoles = [
  ...(['client', 'opposingParty', 'opposingCounsel', 'coCounsel', 'witness', 'expert'] as const),
  ...(['insurer', 'provider', 'guardian', 'judge', 'court', 'referrer', 'other'] as const),
] as const;
/** Worst first. */
export const severities = [
  ...(['direct', 'former', 'prospective', 'personal', 'related', 'known', 'mention'] as const),
] as const;
export type Severity = (typeof severities)[number];
const hitMatches = [
  ...(['identifier', 'exact', 'nickname', 'phonetic', 'fuzzy', 'partial', 'linked'] as const),
] as const;
export type HitMatch = (typeof hitMatches)[number];
const nameSources = [
  ...(['parties', 'contacts', 'intakes', 'people', 'correspondents'] as const),
  ...(['caseNames', 'fileNames', 'texts'] as const),
] as const;
export type Source = (typeof nameSources)[number];
const decisions = ['noConflict', 'asked', 'waiver', 'wall', 'decline'] as const;
export type Decision = (typeof decisions)[number];
export const outcomes = ['cleared', 'clearedWithConditions', 'declined'] as const;
export type Outcome = (typeof outcomes)[number];

const SEARCH_NAMES_MAX = 10;
const CHECK_NAMES_MAX = 50;
const DETAILS_MAX = 20;
const REASON_MAX = 500;
const HITS_MAX = 500;

const detailList = (label: string) =>
  z
    .array(line(label), `${label} must be a list`)
    .check(z.maxLength(DETAILS_MAX, `${label} can have at most ${DETAILS_MAX} entries`));

const AskedNameSchema = z.strictObject({
  name: line('Name'),
  role: z._default(z.nullable(choice('Role', partyRoles)), null),
  emails: z._default(detailList('E-mail'), []),
  phoneNumbers: z._default(detailList('Phone Number'), []),
  otherNames: z._default(detailList('Other Names'), []),
});
export type AskedName = z.infer<typeof AskedNameSchema>;

const names = (most: number) =>
  z
    .array(AskedNameSchema, {
      error: missingOr('Please enter a name', 'Names must be a list of names'),
    })
    .check(
      z.minLength(1, 'Please enter a name'),
      z.maxLength(most, `Names can have at most ${most} entries`),
    );

const caseId = z.optional(z.nullable(id('Please select any case')));
const intakeId = z.optional(z.nullable(id('Select an intake')));
const reason = paragraphs('Reason', { required: 'Please enter a reason', max: REASON_MAX });

const NameSearchSchema = z.strictObject({ names: names(SEARCH_NAMES_MAX), caseId, intakeId });
export type NameSearch = z.infer<typeof NameSearchSchema>;

export const NewCheckSchema = z.strictObject({
  names: names(CHECK_NAMES_MAX),
  caseId,
  intakeId,
  texts: z._default(z.boolean('Texts must be true or false'), false),
});
export type NewCheck = z.infer<typeof NewCheckSchema>;

const decision = choice('Decision', decisions);
export const NewDecisionSchema = z.strictObject({
  hitIds: z
    .array(id('Select a match'), 'Hits must be a list of ids')
    .check(
      z.minLength(1, 'Select a match'),
      z.maxLength(HITS_MAX, `Hits can have at most ${HITS_MAX} entries`),
    ),
  decision,
  reason,
  /** The file with the signed waiver. */
  url: z.optional(z.nullable(line('Url', { max: 3000 }))),
  /** People who lose access to the subject. */
  screened: z._default(
    z
      .array(id('Please select any user'), 'Screened must be a list of user ids')
      .check(z.maxLength(100, 'Screened can have at most 100 people')),
    [],
  ),
});
export type NewDecision = z.infer<typeof NewDecisionSchema>;

const ConclusionSchema = z.strictObject({ outcome: choice('Outcome', outcomes), reason });
export type Conclusion = z.infer<typeof ConclusionSchema>;

const text = z.string();
const FoundSchema = z.object({
  name: text,
  /** A party's role, or attorney, person, correspondent, caseName, fileName, text. */
  role: text,
  source: z.enum(nameSources),
  contact: z.nullable(z.object({ id: text, name: text })),
  case: z.nullable(
    z.object({ id: text, caseName: text, statusType: z.enum(['Active', 'Archive']) }),
  ),
  intake: z.nullable(z.object({ id: text, number: z.number(), name: text })),
  file: z.nullable(z.object({ url: text, name: text })),
});
export type Found = z.infer<typeof FoundSchema>;

const MadeDecisionSchema = z.object({
  decision: z.enum(decisions),
  reason: text,
  url: z.nullable(text),
  screened: z.array(PersonSchema),
  by: z.nullable(PersonSchema),
  at: text,
});
export type MadeDecision = z.infer<typeof MadeDecisionSchema>;

const decided = {
  decisions: z.array(MadeDecisionSchema),
  /** The decision about it before the check was run again. */
  before: z.array(MadeDecisionSchema),
};
const VisibleHitSchema = z.object({
  id: text,
  /** The asked name, by its place. */
  name: z.number(),
  severity: z.enum(severities),
  match: z.enum(hitMatches),
  /** 0 to 1. */
  score: z.number(),
  found: FoundSchema,
  reason: text,
  ...decided,
});
/** A hit that the reader may not see, with the people to ask. */
const HiddenHitSchema = z.object({
  id: text,
  name: z.number(),
  severity: z.literal('hidden'),
  ask: z.array(PersonSchema),
});
const HitSchema = z.discriminatedUnion('severity', [HiddenHitSchema, VisibleHitSchema]);
export type VisibleHit = z.infer<typeof VisibleHitSchema>;
export type Hit = z.infer<typeof HitSchema>;

const CheckSchema = z.object({
  id: text,
  number: z.number(),
  at: text,
  /** Null for the server itself. */
  by: z.nullable(PersonSchema),
  names: z.array(AskedNameSchema),
  subject: z.nullable(z.object({ kind: z.enum(['cases', 'intakes']), id: text, name: text })),
  searched: z.array(z.object({ source: z.enum(nameSources), count: z.number() })),
  hits: z.array(HitSchema),
  /** Answers given to users who could not see hidden hits; `hit` is the id of one. */
  answers: z.array(z.extend(MadeDecisionSchema, { hit: text })),
  concluded: z.nullable(
    z.object({ outcome: z.enum(outcomes), reason: text, by: z.nullable(PersonSchema), at: text }),
  ),
  rerunOf: z.nullable(text),
  /** Hexadecimal; covers the record and the one before. */
  sha256: text,
});
export type Check = z.infer<typeof CheckSchema>;

const checkById = { path: '/api/v1/conflicts/{id}', access: 'signedIn' } as const;
const clearConflicts = { access: { permission: 'clearConflicts' } } as const;
const reply = z.object({ check: CheckSchema });

export const conflictRoutes = {
  lookForConflicts: defineRoute({
    method: 'POST',
    path: '/api/v1/conflicts/look',
    summary:
      'What some names match, at most 20 hits for each; nothing is kept but that it was asked',
    access: 'signedIn',
    body: NameSearchSchema,
    reply: z.object({ hits: z.array(HitSchema) }),
    message: 'OK',
  }),
  runCheck: defineRoute({
    method: 'POST',
    path: '/api/v1/conflicts',
    summary: 'Runs a conflict check and keeps it as a record',
    access: 'signedIn',
    body: NewCheckSchema,
    reply,
    status: 201,
    message: 'Conflict check saved',
    idempotent: true,
  }),
  listChecks: defineRoute({
    method: 'GET',
    path: '/api/v1/conflicts',
    summary: 'Conflict checks, newest first',
    access: 'signedIn',
    query: z.object({
      ...pagingQuery,
      caseId: z.optional(line('Case')),
      intakeId: z.optional(line('Intake')),
    }),
    reply: z.object({ checks: z.array(CheckSchema), ...pagingReply }),
    message: 'OK',
  }),
  readCheck: defineRoute({
    ...checkById,
    method: 'GET',
    summary: 'One conflict check; what the reader may not see is hidden today',
    reply,
    message: 'OK',
  }),
  decideHits: defineRoute({
    ...clearConflicts,
    method: 'POST',
    path: '/api/v1/conflicts/{id}/decisions',
    summary:
      'Adds a decision about hits; a waiver needs its file, a wall the people who are screened',
    body: NewDecisionSchema,
    reply,
    message: 'Decision saved',
    idempotent: true,
  }),
  concludeCheck: defineRoute({
    ...clearConflicts,
    method: 'POST',
    path: '/api/v1/conflicts/{id}/conclude',
    summary: 'Concludes a check, for good, once every hit above known has a decision',
    body: ConclusionSchema,
    reply,
    message: 'Conflict check concluded',
  }),
  rerunCheck: defineRoute({
    ...checkById,
    method: 'POST',
    path: '/api/v1/conflicts/{id}/rerun',
    summary: 'Runs a check again with the names of today, as a new record',
    reply,
    status: 201,
    message: 'Conflict check saved',
    idempotent: true,
  }),
  printCheck: defineRoute({
    method: 'GET',
    path: '/api/v1/conflicts/{id}/pdf',
    summary:
      'A conflict check as PDF, as its reader sees it today; the session cookie opens it too',
    access: 'signedIn',
    cookie: true,
    message: 'OK',
  }),
};

const AlertDecisionSchema = z.strictObject({ decision, reason });
export type AlertDecision = z.infer<typeof AlertDecisionSchema>;

/** A new or changed name that matches another one, reported once. */
const AlertSchema = z.object({
  id: text,
  at: text,
  /** The new name, and its role in its record; null for a name without a role. */
  asked: z.object({ name: text, role: z.nullable(text) }),
  subject: z.nullable(z.object({ kind: z.enum(['cases', 'intakes']), id: text, name: text })),
  hit: HitSchema,
  decision: z.nullable(MadeDecisionSchema),
});
export type Alert = z.infer<typeof AlertSchema>;

export const AlertedSchema = z.object({ id: text });

const path = '/api/v1/conflicts/alerts';

export const alertRoutes = {
  listAlerts: defineRoute({
    method: 'GET',
    path,
    summary: 'Alerts without a decision, newest first, for clearConflicts and those assigned',
    access: 'signedIn',
    query: z.object({
      decided: z.optional(z.enum(['0', '1'], { error: 'decided must be one of 0, 1' })),
    }),
    reply: z.object({ alerts: z.array(AlertSchema) }),
    message: 'OK',
  }),
  decideAlert: defineRoute({
    method: 'POST',
    path: `${path}/{id}`,
    summary: 'Decides about an alert, once',
    access: { permission: 'clearConflicts' },
    body: AlertDecisionSchema,
    reply: z.object({ alert: AlertSchema }),
    message: 'Decision saved',
  }),
};
