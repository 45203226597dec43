import * as z from 'zod/mini';
import { PersonSchema } from './cases.ts';
import { defineRoute } from './route.ts';
import { columnIds } from './tasks.ts';
import { day } from './time.ts';

const text = z.string();
const ownTask = {
  id: text,
  name: text,
  endTime: text,
  type: z.enum(columnIds),
  case: z.object({ id: text, caseName: text }),
  assignedTo: PersonSchema,
};
const briefCase = { id: text, caseName: text, caseNo: text, status: text, SOL: text };

/** What a person needs in the morning. */
export const OverviewSchema = z.object({
  counts: z.object({ activeCases: z.number(), archivedCases: z.number(), myOpenTasks: z.number() }),
  /** Tasks assigned to this person in active cases, by due time; at most 50. */
  myTasks: z.array(z.object(ownTask)),
  /**
   * Those of them that start, run or end on the reader's day, whatever zone that is in: so the days
   * beside it are touched too. What starts or ends comes first; at most 100.
   */
  tasksOfDay: z.array(z.object({ ...ownTask, startTime: text })),
  /** Active cases whose statute of limitations falls in the next 90 days, soonest first; at most 50. */
  limitations: z.array(z.object(briefCase)),
  /** How many there are in all. */
  limitationsTotal: z.number(),
  /** The active cases that were opened last; at most 6. */
  recentCases: z.array(z.object(briefCase)),
});
export type Overview = z.infer<typeof OverviewSchema>;

export const dashboardRoutes = {
  readOverview: defineRoute({
    method: 'GET',
    path: '/api/v1/overview',
    summary: 'My tasks by due date, statutes of limitations of the next 90 days, recent cases',
    access: 'signedIn',
    query: z.object({
      /** The reader's day, since the server does not know the zone. */
      today: z.optional(day('Today')),
    }),
    reply: OverviewSchema,
    message: 'OK',
  }),
};
