import * as z from 'zod/mini';
import { defineRoute } from './route.ts';
import { choice } from './text.ts';
import { day } from './time.ts';

export const statGroups = ['source', 'type', 'owner', 'form', 'month'] as const;
export type StatGroup = (typeof statGroups)[number];

const number = z.number();
const share = z.nullable(number);

export const IntakeStatSchema = z.object({
  /** A source, a type, a user id, a form's name, or `YYYY-MM`; null where it is unknown. */
  key: z.nullable(z.string()),
  received: number,
  contacted: number,
  accepted: number,
  declined: number,
  referred: number,
  /** Share of received intakes that became a matter: 0 to 1. */
  conversion: share,
  /** Minutes. */
  medianResponse: share,
  /** Share of answered or overdue intakes that were answered in time: 0 to 1. */
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
