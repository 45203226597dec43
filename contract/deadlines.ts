import * as z from 'zod/mini';
import { PersonSchema } from './cases.ts';
import { CountLineSchema, deadlineKinds } from './court-rules.ts';
import { pagingQuery, pagingReply } from './paging.ts';
import { defineRoute } from './route.ts';
import {
  choice,
  id,
  line,
  missingOr,
  optionalLine,
  optionalParagraphs,
  paragraphs,
} from './text.ts';
import { timeOfDay, timeZone, day, UNKNOWN_ZONE } from './time.ts';

const deadlineStatuses = ['open', 'done', 'vacated'] as const;
export type DeadlineStatus = (typeof deadlineStatuses)[number];
const attentions = [
  ...(['unverified', 'unacknowledged', 'pending'] as const),
  ...(['noOwner', 'noSecond', 'overdue'] as const),
] as const;
export type Attention = (typeof attentions)[number];
const changeActions = ['move', 'complete', 'vacate', 'reopen'] as const;
export type ChangeAction = (typeof changeActions)[number];
const sourceTypes = ['mail', 'text', 'file', 'entry'] as const;

const REASON_MAX = 500;
const WARNINGS_MAX = 20;
const WARN_DAYS_MAX = 3650;
const SOURCE_MAX = 1000;

/** Days before a deadline on which it warns, by its kind and whether it is hard. */
export const defaultWarnDays = {
  limitation: [365, 180, 90, 60, 30, 7, 1],
  hard: [30, 14, 7, 3, 1, 0],
  soft: [3, 0],
} as const;

const wholeDays = `Warn Days must be whole numbers from 0 to ${WARN_DAYS_MAX}`;
const warnDay = z
  .number({ error: missingOr(wholeDays, wholeDays) })
  .check(z.refine((n) => Number.isInteger(n) && n >= 0 && n <= WARN_DAYS_MAX, wholeDays));

/** A time of day, or null for the end of the day. */
const time = z.nullable(timeOfDay('Time'));
const reason = paragraphs('Reason', { required: 'Please enter a reason', max: REASON_MAX });
const person = id('Please select any user');

const source = z.strictObject({
  type: choice('Source', sourceTypes),
  id: line('Source', { max: SOURCE_MAX }),
});
export type DeadlineSource = z.infer<typeof source>;

const fields = {
  title: line('Title'),
  note: optionalParagraphs('Note'),
  workingDate: z.nullable(day('Working Date')),
  owner: person,
  second: z.nullable(person),
  warnDays: z
    .array(warnDay, 'Warn Days must be a list of days')
    .check(z.maxLength(WARNINGS_MAX, `Warn Days can have at most ${WARNINGS_MAX} entries`)),
  source: z.nullable(source),
};

export const NewDeadlineSchema = z.strictObject({
  title: fields.title,
  kind: choice('Kind', deadlineKinds),
  hard: z.boolean({ error: missingOr('Hard is required', 'Hard must be true or false') }),
  date: day('Date'),
  time: z._default(time, null),
  timeZone: z.optional(timeZone('Time Zone', { wrong: UNKNOWN_ZONE })),
  case: z.optional(z.nullable(id('Please select any case'))),
  owner: person,
  second: z._default(fields.second, null),
  workingDate: z._default(fields.workingDate, null),
  note: z._default(fields.note, ''),
  warnDays: z.optional(fields.warnDays),
  source: z._default(fields.source, null),
});
export type NewDeadline = z.infer<typeof NewDeadlineSchema>;

/** `date`, `time` and `reason` correct a hard date that is not verified yet. */
const DeadlinePatchSchema = z
  .partial(z.strictObject({ ...fields, date: day('Date'), time, reason }))
  .check(
    z.refine(
      (patch) =>
        patch.reason !== undefined || (patch.date === undefined && patch.time === undefined),
      { error: 'Please enter a reason', path: ['reason'] },
    ),
  );
export type DeadlinePatch = z.infer<typeof DeadlinePatchSchema>;
/** The parts of a patch as people enter them. */
export const CorrectionSchema = z.strictObject({ date: day('Date'), time, reason });
const { source: _source, ...details } = fields;
export const DeadlineDetailsSchema = z.strictObject(details);

const VerificationSchema = z.strictObject({
  date: day('Date'),
  time: z._default(time, null),
});
export type Verification = z.infer<typeof VerificationSchema>;

export const NewChangeSchema = z
  .strictObject({
    action: choice('Action', changeActions),
    date: z.optional(z.nullable(day('Date'))),
    time: z._default(time, null),
    reason,
    /** Proof that a hard deadline was met: a file's url, or a sentence. */
    proof: z._default(optionalLine('Proof', { max: SOURCE_MAX }), ''),
  })
  .check(
    z.refine(({ action, date }) => action !== 'move' || typeof date === 'string', {
      error: 'Date is required',
      path: ['date'],
    }),
  );
export type NewChange = z.infer<typeof NewChangeSchema>;

const DecisionSchema = z.strictObject({
  accept: z.boolean({ error: missingOr('Accept is required', 'Accept must be true or false') }),
  reason: z._default(optionalParagraphs('Reason', { max: REASON_MAX }), ''),
});
export type Decision = z.infer<typeof DecisionSchema>;

const text = z.string();
const optional = z.nullable(text);
const StampSchema = z.object({ by: z.nullable(PersonSchema), at: text });

const PendingSchema = z.object({
  action: z.enum(changeActions),
  date: optional,
  time: optional,
  reason: text,
  proof: text,
  by: PersonSchema,
  at: text,
});

export const DeadlineSchema = z.object({
  id: text,
  title: text,
  kind: z.enum(deadlineKinds),
  hard: z.boolean(),
  date: text,
  /** `HH:MM`; null for the end of the day. Both are in `timeZone`. */
  time: optional,
  timeZone: text,
  /** Id of the user who entered the date, and so does not verify it; null for an imported one. */
  enteredBy: optional,
  workingDate: optional,
  case: z.nullable(z.object({ id: text, caseName: text })),
  owner: z.nullable(PersonSchema),
  second: z.nullable(PersonSchema),
  status: z.enum(deadlineStatuses),
  verified: z.nullable(StampSchema),
  acknowledged: z.nullable(StampSchema),
  pending: z.nullable(PendingSchema),
  /** The earlier date while a change waits. */
  effectiveDate: text,
  basis: z.nullable(
    z.object({
      rule: optional,
      version: z.nullable(z.number()),
      trigger: z.object({ event: optional, deadline: optional, title: text, date: text }),
      lines: z.array(CountLineSchema),
    }),
  ),
  source: z.nullable(z.object({ type: z.enum(sourceTypes), id: text })),
  note: text,
  warnDays: z.array(z.number()),
  imported: z.boolean(),
  updatedAt: text,
});
export type Deadline = z.infer<typeof DeadlineSchema>;

const DeadlineEntrySchema = z.object({
  at: text,
  /** Null for the server itself. */
  by: z.nullable(PersonSchema),
  action: text,
  from: z.nullable(z.unknown()),
  to: z.nullable(z.unknown()),
  reason: text,
  /** Covers the entry and the hash before. */
  hash: text,
});
export type DeadlineEntry = z.infer<typeof DeadlineEntrySchema>;

/** Newest entry first. */
const DeadlineWithHistorySchema = z.extend(DeadlineSchema, {
  history: z.array(DeadlineEntrySchema),
});
export type DeadlineWithHistory = z.infer<typeof DeadlineWithHistorySchema>;

/** Without archived matters. */
const DeadlineCountsSchema = z.object({
  waiting: z.number(),
  overdue: z.number(),
  next30: z.number(),
  limitation: z.number(),
  noNextDate: z.number(),
  /** Active cases without a date of their limitation, and without a reason for none. */
  noStatute: z.number(),
});
export type DeadlineCounts = z.infer<typeof DeadlineCountsSchema>;

/** An active case without a coming event, task or deadline; limitations do not count. */
const IdleCaseSchema = z.object({
  id: text,
  caseName: text,
  /** Null for a case that is not filed yet. */
  caseNo: optional,
  /** When the last of them ended; null if there was none. */
  since: optional,
  assigned: z.nullable(PersonSchema),
});
export type IdleCase = z.infer<typeof IdleCaseSchema>;

/** An active case whose statute date is missing. */
const UndatedCaseSchema = z.object({
  case: z.object({ id: text, caseName: text, caseNo: optional }),
  /** The first of the assigned people. */
  owner: z.nullable(PersonSchema),
  /** When the case was opened. */
  since: text,
});
export type UndatedCase = z.infer<typeof UndatedCaseSchema>;

const deadlineById = {
  path: '/api/v1/deadlines/{id}',
  access: 'signedIn',
  reply: DeadlineSchema,
} as const;

export const deadlineRoutes = {
  listDeadlines: defineRoute({
    method: 'GET',
    path: '/api/v1/deadlines',
    summary: 'Deadlines by the date in effect, soonest first, and what waits',
    access: 'signedIn',
    query: z.object({
      status: z.optional(choice('Status', deadlineStatuses)),
      attention: z.optional(choice('Attention', [...attentions, 'mine'])),
      owner: z.optional(line('Owner')),
      case: z.optional(line('Case')),
      kind: z.optional(choice('Kind', deadlineKinds)),
      from: z.optional(day('From')),
      to: z.optional(day('To')),
      /** Those of active matters and of none, or of archived ones; without it, all. */
      matters: z.optional(choice('Matters', ['active', 'archived'])),
      limit: pagingQuery.limit,
      cursor: pagingQuery.cursor,
    }),
    reply: z.object({
      deadlines: z.array(DeadlineSchema),
      ...pagingReply,
      counts: DeadlineCountsSchema,
    }),
    message: 'OK',
  }),
  addDeadline: defineRoute({
    method: 'POST',
    path: '/api/v1/deadlines',
    summary: 'Adds a deadline; a hard one needs a second person',
    access: 'signedIn',
    body: NewDeadlineSchema,
    reply: DeadlineSchema,
    status: 201,
    message: 'Deadline added',
    idempotent: true,
  }),
  listIdleCases: defineRoute({
    method: 'GET',
    path: '/api/v1/deadlines/noNextDate',
    summary: 'Active cases with nothing ahead, the oldest first',
    access: 'signedIn',
    query: z.object({
      /** With `limitations`, an SOL ahead is a next date too. */
      ahead: z.optional(choice('Ahead', ['limitations'])),
      /** The first of the assigned people. */
      owner: z.optional(line('Owner')),
      case: z.optional(line('Case')),
      limit: pagingQuery.limit,
      cursor: pagingQuery.cursor,
    }),
    reply: z.object({ cases: z.array(IdleCaseSchema), ...pagingReply }),
    message: 'OK',
  }),
  listUndatedCases: defineRoute({
    method: 'GET',
    path: '/api/v1/deadlines/noStatute',
    summary: 'Active cases whose statute date is missing, the oldest first',
    access: 'signedIn',
    query: z.object({
      /** The first of the assigned people. */
      owner: z.optional(line('Owner')),
      case: z.optional(line('Case')),
      limit: pagingQuery.limit,
      cursor: pagingQuery.cursor,
    }),
    reply: z.object({ cases: z.array(UndatedCaseSchema), ...pagingReply }),
    message: 'OK',
  }),
  exportDeadlines: defineRoute({
    method: 'POST',
    path: '/api/v1/deadlines/export',
    summary: "Saves a PDF of a matter's deadlines and their histories with its files",
    access: 'signedIn',
    body: z.strictObject({ case: id('Please select any case') }),
    reply: z.object({ url: z.string() }),
    status: 201,
    message: 'Saved in the folder Deadlines of the matter',
  }),
  readDeadline: defineRoute({
    ...deadlineById,
    method: 'GET',
    summary: 'A deadline with its history, which notes who opened it',
    reply: DeadlineWithHistorySchema,
    message: 'OK',
  }),
  changeDeadline: defineRoute({
    ...deadlineById,
    method: 'PATCH',
    summary: 'Changes what is not the date, or corrects a hard date that is not verified',
    body: DeadlinePatchSchema,
    message: 'Deadline updated',
  }),
  verifyDeadline: defineRoute({
    ...deadlineById,
    method: 'POST',
    path: '/api/v1/deadlines/{id}/verify',
    summary: 'Verifies a hard date by entering it again',
    body: VerificationSchema,
    message: 'Date verified',
  }),
  acknowledgeDeadline: defineRoute({
    ...deadlineById,
    method: 'POST',
    path: '/api/v1/deadlines/{id}/acknowledge',
    summary: 'Acknowledges the warnings of a deadline, as its owner',
    message: 'Warning acknowledged',
  }),
  proposeChange: defineRoute({
    ...deadlineById,
    method: 'POST',
    path: '/api/v1/deadlines/{id}/changes',
    summary: 'Moves, completes, vacates or reopens; of a hard one another person decides',
    body: NewChangeSchema,
    message: 'Change saved',
  }),
  decideChange: defineRoute({
    ...deadlineById,
    method: 'POST',
    path: '/api/v1/deadlines/{id}/decision',
    summary: 'Accepts or declines the change that waits',
    body: DecisionSchema,
    message: 'Change decided',
  }),
};
