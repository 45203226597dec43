import * as z from 'zod/mini';
import { deadlineKinds } from './court-rules.ts';
import {
  attentions,
  DeadlineCountsSchema,
  DeadlinePatchSchema,
  DeadlineSchema,
  deadlineStatuses,
  DeadlineWithHistorySchema,
  DecisionSchema,
  IdleCaseSchema,
  NewChangeSchema,
  NewDeadlineSchema,
  VerificationSchema,
} from './deadlines.ts';
import { pagingQuery, pagingReply } from './paging.ts';
import { defineRoute } from './route.ts';
import { choice, id, line } from './text.ts';
import { day } from './time.ts';

const one = { path: '/api/v1/deadlines/{id}', access: 'signedIn', reply: DeadlineSchema } as const;

export const deadlineRoutes = {
  listDeadlines: defineRoute({
    method: 'GET',
    path: '/api/v1/deadlines',
    summary: 'Deadlines by the date that rules, soonest first, and what waits',
    access: 'signedIn',
    query: z.object({
      status: z.optional(choice('Status', deadlineStatuses)),
      attention: z.optional(choice('Attention', [...attentions, 'mine'])),
      owner: z.optional(line('Owner')),
      case: z.optional(line('Case')),
      kind: z.optional(choice('Kind', deadlineKinds)),
      from: z.optional(day('From')),
      to: z.optional(day('To')),
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
    query: z.object({ limit: pagingQuery.limit, cursor: pagingQuery.cursor }),
    reply: z.object({ cases: z.array(IdleCaseSchema), ...pagingReply }),
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
    ...one,
    method: 'GET',
    summary: 'A deadline with its history, which notes who opened it',
    reply: DeadlineWithHistorySchema,
    message: 'OK',
  }),
  changeDeadline: defineRoute({
    ...one,
    method: 'PATCH',
    summary: 'Changes what is not the date, or corrects a hard date that is not verified',
    body: DeadlinePatchSchema,
    message: 'Deadline updated',
  }),
  verifyDeadline: defineRoute({
    ...one,
    method: 'POST',
    path: '/api/v1/deadlines/{id}/verify',
    summary: 'Verifies a hard date by entering it again',
    body: VerificationSchema,
    message: 'Date verified',
  }),
  acknowledgeDeadline: defineRoute({
    ...one,
    method: 'POST',
    path: '/api/v1/deadlines/{id}/acknowledge',
    summary: 'Acknowledges the warnings of a deadline, as its owner',
    message: 'Warning acknowledged',
  }),
  proposeChange: defineRoute({
    ...one,
    method: 'POST',
    path: '/api/v1/deadlines/{id}/changes',
    summary: 'Moves, completes, vacates or reopens; of a hard one another person decides',
    body: NewChangeSchema,
    message: 'Change saved',
  }),
  decideChange: defineRoute({
    ...one,
    method: 'POST',
    path: '/api/v1/deadlines/{id}/decision',
    summary: 'Accepts or declines the change that waits',
    body: DecisionSchema,
    message: 'Change decided',
  }),
};
