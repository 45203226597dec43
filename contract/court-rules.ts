import * as z from 'zod/mini';
import { wholeNumber } from './numbers.ts';
import { defineRoute } from './route.ts';
import { choice, id, line, optionalLine } from './text.ts';
import { timeZone, day, UNKNOWN_ZONE } from './time.ts';

export const deadlineKinds = [
  ...(['limitation', 'filing', 'response'] as const),
  ...(['discovery', 'appeal', 'other'] as const),
] as const;
export type DeadlineKind = (typeof deadlineKinds)[number];
export const countUnits = ['days', 'courtDays', 'weeks', 'months', 'years'] as const;
export const directions = ['after', 'before'] as const;
export const rolls = ['forwards', 'backwards', 'none'] as const;
export const COUNT_MAX = 1000;
const SERVICE_MAX = 30;
const HOLIDAYS_MAX = 3000;
const STEPS_MAX = 50;
const DAYS_OF_WEEK = 7;
/** So that every counted day has a year of four digits. */
const [FIRST_DAY, LAST_DAY] = ['1900-01-01', '2200-12-31'];
const FARTHEST_DAYS = 'Date must be from 1900 to 2200';

const span = {
  count: wholeNumber('Count', { min: 0, max: COUNT_MAX }),
  unit: choice('Unit', countUnits),
  direction: choice('Direction', directions),
  /** Direction in which a last day that is no court day moves; by default that of counting. */
  roll: z.optional(z.nullable(choice('Roll', rolls))),
  /** Days added for the kind of service, as the three of FRCP 6(d). */
  service: z.optional(wholeNumber('Service', { min: 0, max: SERVICE_MAX })),
};

export const ComputationSchema = z.strictObject({
  jurisdiction: id('Please select a jurisdiction'),
  date: day('Date').check(z.refine((date) => date >= FIRST_DAY && date <= LAST_DAY, FARTHEST_DAYS)),
  ...span,
});
export type Computation = z.infer<typeof ComputationSchema>;

const text = z.string();

/** A step of a computation; `authority` is the rule that asks for it, or empty. */
export const CountLineSchema = z.object({ text, authority: text, date: text });
export type CountLine = z.infer<typeof CountLineSchema>;

export const ComputedDateSchema = z.object({
  date: text,
  lines: z.array(CountLineSchema),
  warnings: z.array(text),
});
export type ComputedDate = z.infer<typeof ComputedDateSchema>;

const holiday = z.strictObject({
  date: day('Date'),
  name: line('Name'),
  /** A state holiday, which counts only in periods after an event: FRCP 6(a)(6)(C). */
  forwardOnly: z._default(z.boolean('Forward Only must be true or false'), false),
});
export type Holiday = z.infer<typeof holiday>;

const jurisdictionFields = {
  name: line('Name'),
  timeZone: timeZone('Time Zone', { wrong: UNKNOWN_ZONE }),
  /** ISO days of the week, 1 for Monday. */
  weekend: z
    .array(
      wholeNumber('Weekend', { min: 1, max: DAYS_OF_WEEK }),
      'Weekend must be a list of days of the week',
    )
    .check(z.maxLength(DAYS_OF_WEEK - 1, 'Weekend must leave a court day')),
  holidays: z
    .array(holiday, 'Holidays must be a list of days')
    .check(z.maxLength(HOLIDAYS_MAX, `Holidays can have at most ${HOLIDAYS_MAX} entries`)),
};
export const NewJurisdictionSchema = z.strictObject(jurisdictionFields);
export type NewJurisdiction = z.infer<typeof NewJurisdictionSchema>;
export const JurisdictionPatchSchema = z.partial(NewJurisdictionSchema);
export type JurisdictionPatch = z.infer<typeof JurisdictionPatchSchema>;

export const JurisdictionSchema = z.object({
  id: text,
  name: text,
  timeZone: text,
  weekend: z.array(z.number()),
  holidays: z.array(z.object({ date: text, name: text, forwardOnly: z.boolean() })),
  updatedAt: text,
});
export type Jurisdiction = z.infer<typeof JurisdictionSchema>;

const step = z.strictObject({
  title: line('Title'),
  kind: choice('Kind', deadlineKinds),
  hard: z.boolean('Hard must be true or false'),
  ...span,
  authority: z._default(optionalLine('Authority'), ''),
});

const ruleFields = {
  name: line('Name'),
  jurisdiction: id('Please select a jurisdiction'),
  /** The event from which the steps count. */
  trigger: line('Trigger'),
  steps: z
    .array(step, 'Steps must be a list')
    .check(
      z.minLength(1, 'Steps must have at least 1 entry'),
      z.maxLength(STEPS_MAX, `Steps can have at most ${STEPS_MAX} entries`),
    ),
  /** Whether someone of the firm has compared the rule with its source. */
  reviewed: z.boolean('Reviewed must be true or false'),
};
export const NewRuleSchema = z.strictObject({
  ...ruleFields,
  reviewed: z._default(ruleFields.reviewed, false),
});
export type NewRule = z.infer<typeof NewRuleSchema>;
/** Other changes than `reviewed` make a new version, which is unreviewed unless the change says otherwise. */
export const RulePatchSchema = z.partial(z.strictObject(ruleFields));
export type RulePatch = z.infer<typeof RulePatchSchema>;

const StepSchema = z.object({
  title: text,
  kind: z.enum(deadlineKinds),
  hard: z.boolean(),
  count: z.number(),
  unit: z.enum(countUnits),
  direction: z.enum(directions),
  roll: z.nullable(z.enum(rolls)),
  service: z.number(),
  authority: text,
});
export type RuleStep = z.infer<typeof StepSchema>;

export const RuleSchema = z.object({
  id: text,
  name: text,
  jurisdiction: text,
  trigger: text,
  steps: z.array(StepSchema),
  reviewed: z.boolean(),
  version: z.number(),
  updatedAt: text,
});
export type Rule = z.infer<typeof RuleSchema>;

const editCalendar = { permission: 'editCalendar' } as const;

export const courtRuleRoutes = {
  computeDate: defineRoute({
    method: 'POST',
    path: '/api/v1/deadlines/compute',
    summary: 'Counts a date, with every line of the computation; stores nothing',
    access: 'signedIn',
    body: ComputationSchema,
    reply: ComputedDateSchema,
    message: 'OK',
  }),
  listJurisdictions: defineRoute({
    method: 'GET',
    path: '/api/v1/jurisdictions',
    summary: 'Jurisdictions with their holidays',
    access: 'signedIn',
    reply: z.object({ jurisdictions: z.array(JurisdictionSchema) }),
    message: 'OK',
  }),
  addJurisdiction: defineRoute({
    method: 'POST',
    path: '/api/v1/jurisdictions',
    summary: 'Adds a jurisdiction',
    access: editCalendar,
    body: NewJurisdictionSchema,
    reply: JurisdictionSchema,
    status: 201,
    message: 'Jurisdiction added',
    idempotent: true,
  }),
  changeJurisdiction: defineRoute({
    method: 'PATCH',
    path: '/api/v1/jurisdictions/{id}',
    summary: 'Changes a jurisdiction; holidays are replaced as a whole',
    access: editCalendar,
    body: JurisdictionPatchSchema,
    reply: JurisdictionSchema,
    message: 'Jurisdiction updated',
  }),
  listRules: defineRoute({
    method: 'GET',
    path: '/api/v1/rules',
    summary: 'The latest version of each rule',
    access: 'signedIn',
    reply: z.object({ rules: z.array(RuleSchema) }),
    message: 'OK',
  }),
  addRule: defineRoute({
    method: 'POST',
    path: '/api/v1/rules',
    summary: 'Adds a rule',
    access: editCalendar,
    body: NewRuleSchema,
    reply: RuleSchema,
    status: 201,
    message: 'Rule added',
    idempotent: true,
  }),
  changeRule: defineRoute({
    method: 'PATCH',
    path: '/api/v1/rules/{id}',
    summary: 'Changes a rule in a new version, or signs the present one as reviewed',
    access: editCalendar,
    body: RulePatchSchema,
    reply: RuleSchema,
    message: 'Rule updated',
  }),
};
