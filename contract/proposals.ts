import * as z from 'zod/mini';
import { PersonSchema } from './cases.ts';
import { CountLineSchema, deadlineKinds } from './court-rules.ts';
import { DeadlineSchema } from './deadlines.ts';
import { wholeNumber } from './numbers.ts';
import { defineRoute } from './route.ts';
import { id, line, optionalParagraphs } from './text.ts';
import { day } from './time.ts';

const STEPS_MAX = 50;
const SERVICE_MAX = 30;
const ACCEPT_MAX = 1000;
const REASON_MAX = 500;
/** So that every counted day has a year of four digits. */
const [FIRST_DAY, LAST_DAY] = ['1900-01-01', '2200-12-31'];

const noTrigger = 'Trigger must be an event, a deadline, or a title with a date';
const trigger = z.union(
  [
    z.strictObject({ event: id('Please select an event') }),
    z.strictObject({ deadline: id('Please select a deadline') }),
    z.strictObject({
      title: line('Title'),
      date: day('Date').check(z.refine((date) => date >= FIRST_DAY && date <= LAST_DAY, noTrigger)),
    }),
  ],
  noTrigger,
);
export type NewTrigger = z.infer<typeof trigger>;

/** `steps` are places in the rule's list, from 0; without them all. `service` replaces the days of every step. */
export const ApplicationSchema = z.strictObject({
  case: id('Please select any case'),
  rule: id('Please select a rule'),
  steps: z.optional(
    z
      .array(
        wholeNumber('Steps', { min: 0, max: STEPS_MAX - 1 }),
        'Steps must be a list of places in the rule',
      )
      .check(
        z.minLength(1, 'Steps must have at least 1 entry'),
        z.maxLength(STEPS_MAX, `Steps can have at most ${STEPS_MAX} entries`),
      ),
  ),
  trigger,
  service: z.optional(wholeNumber('Service', { min: 0, max: SERVICE_MAX })),
  owner: id('Please select any user'),
  second: z._default(z.nullable(id('Please select any user')), null),
});
export type Application = z.infer<typeof ApplicationSchema>;

/** Deadlines of `accept` take the proposed dates; the rest stays, for a reason. */
export const ProposalDecisionSchema = z.strictObject({
  accept: z
    .array(id('Please select a deadline'), 'Accept must be a list of deadlines')
    .check(z.maxLength(ACCEPT_MAX, `Accept can have at most ${ACCEPT_MAX} entries`)),
  reason: z._default(optionalParagraphs('Reason', { max: REASON_MAX }), ''),
});
export type ProposalDecision = z.infer<typeof ProposalDecisionSchema>;

const text = z.string();
const optional = z.nullable(text);
export const proposalStatuses = ['open', 'decided', 'replaced'] as const;
export const itemStatuses = ['open', 'accepted', 'kept', 'replaced'] as const;

const itemShape = {
  deadline: z.object({
    id: text,
    title: text,
    kind: z.enum(deadlineKinds),
    hard: z.boolean(),
    case: z.nullable(z.object({ id: text, caseName: text })),
    owner: z.nullable(PersonSchema),
    second: z.nullable(PersonSchema),
  }),
  from: text,
  /** Null when the trigger was canceled: accepting vacates the deadline. */
  to: optional,
  lines: z.array(CountLineSchema),
  status: z.enum(itemStatuses),
  reason: text,
};
const proposalShape = {
  id: text,
  /** The trigger that moved; for a jurisdiction, its holidays. */
  trigger: z.object({ type: z.enum(['event', 'deadline', 'jurisdiction']), id: text, title: text }),
  by: z.nullable(PersonSchema),
  at: text,
  status: z.enum(proposalStatuses),
};
export const ProposalSchema = z.object({
  ...proposalShape,
  /** `canDecide` is whether the reader may: not about a hard deadline that they moved themselves. */
  items: z.array(z.object({ ...itemShape, canDecide: z.boolean() })),
});
export type Proposal = z.infer<typeof ProposalSchema>;
/** Payload of events: the items of one matter, without what differs between readers. */
export const ProposalEventSchema = z.object({
  ...proposalShape,
  case: optional,
  items: z.array(z.object(itemShape)),
});
export type ProposalEvent = z.infer<typeof ProposalEventSchema>;

export const proposalRoutes = {
  applyRule: defineRoute({
    method: 'POST',
    path: '/api/v1/deadlines/apply',
    summary: 'Adds the deadlines that a rule counts from a trigger',
    access: 'signedIn',
    body: ApplicationSchema,
    reply: z.object({ deadlines: z.array(DeadlineSchema) }),
    status: 201,
    message: 'Deadlines added',
    idempotent: true,
  }),
  listProposals: defineRoute({
    method: 'GET',
    path: '/api/v1/deadlines/proposals',
    summary: 'Moves that wait for a decision because a trigger or a holiday changed, newest first',
    access: 'signedIn',
    reply: z.object({ proposals: z.array(ProposalSchema) }),
    message: 'OK',
  }),
  decideProposal: defineRoute({
    method: 'POST',
    path: '/api/v1/deadlines/proposals/{id}',
    summary: 'Moves the accepted deadlines; of the rest, those that the caller may decide stay',
    access: 'signedIn',
    body: ProposalDecisionSchema,
    reply: ProposalSchema,
    message: 'Proposal decided',
  }),
};
