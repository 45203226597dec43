import * as z from 'zod/mini';
import { PersonSchema, WaitingDateSchema } from './cases.ts';
import { columnIds } from './columns.ts';
import { defineRoute } from './route.ts';
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
const briefCase = {
  id: text,
  caseName: text,
  /** Null for a case that is not filed yet. */
  caseNo: z.nullable(text),
  status: text,
  SOL: text,
  waiting: z.optional(WaitingDateSchema),
};

const DigestSchema = z.object({
  /** Events of the reader that touch the day of the firm. */
  items: z.number(),
  /** Open deadlines of the reader that are due on that day or overdue. */
  deadlines: z.number(),
  /** Open tasks of the reader that end on it. */
  tasks: z.number(),
  /** Deadlines and proposals that wait for the reader. */
  waiting: z.number(),
  /** Active cases with nothing ahead. */
  noNextDate: z.number(),
});
export type Digest = z.infer<typeof DigestSchema>;

export const OverviewSchema = z.object({
  counts: z.object({
    activeCases: z.number(),
    archivedCases: z.number(),
    myOpenTasks: z.number(),
    /** Deadlines that wait for the reader or are overdue, and proposals that wait. */
    deadlines: z.number(),
  }),
  /** Counts of the reader's day; each up to 10,000. */
  digest: DigestSchema,
  /** Tasks assigned to the reader in active cases, by due time; at most 50. */
  myTasks: z.array(z.object(ownTask)),
  /** Tasks that start, run or end on the reader's day in any time zone, so adjacent days count too; at most 100. */
  tasksOfDay: z.array(z.object({ ...ownTask, startTime: text })),
  /** Active cases whose statute of limitations falls in the next 90 days, soonest first; at most 50. */
  limitations: z.array(z.object(briefCase)),
  limitationsTotal: z.number(),
  /** Most recently opened active cases; at most 6. */
  recentCases: z.array(z.object({ ...briefCase, SOL: z.nullable(text) })),
});
export type Overview = z.infer<typeof OverviewSchema>;

export const dashboardRoutes = {
  readOverview: defineRoute({
    method: 'GET',
    path: '/api/v1/overview',
    summary: 'My tasks by due date, statutes of limitations of the next 90 days, recent cases',
    access: 'signedIn',
    query: z.object({
      /** The reader's day; the server does not know the time zone. */
      today: z.optional(day('Today')),
    }),
    reply: OverviewSchema,
    message: 'OK',
  }),
};
