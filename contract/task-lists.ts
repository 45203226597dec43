import * as z from 'zod/mini';
import { zone } from './calendar.ts';
import { pagingQuery, pagingReply } from './paging.ts';
import { defineRoute } from './route.ts';
import { TaskSchema } from './tasks.ts';
import { choice, line } from './text.ts';

/** When a task is due, in the reader's days; `week` is the rest of the seven days from today. */
export const taskDues = ['late', 'today', 'week', 'later', 'done'] as const;
export type Due = (typeof taskDues)[number];

export const ListedTaskSchema = z.extend(TaskSchema, {
  caseName: z.string(),
  caseNo: z.nullable(z.string()),
});
export type ListedTask = z.infer<typeof ListedTaskSchema>;

export const taskListRoutes = {
  listTasks: defineRoute({
    method: 'GET',
    path: '/api/v1/tasks',
    summary: 'Tasks in active cases by their end; without `due` those that are not done',
    access: 'signedIn',
    query: z.object({
      /** A user's id, or `me`. */
      assignedTo: z.optional(line('Assigned To')),
      due: z.optional(choice('Due', taskDues)),
      /** The reader's; else the firm's. */
      timeZone: z.optional(zone),
      ...pagingQuery,
    }),
    reply: z.object({
      tasks: z.array(ListedTaskSchema),
      /** Totals for the same user and search, each up to 10,000. */
      counts: z.object({
        late: z.number(),
        today: z.number(),
        week: z.number(),
        later: z.number(),
      }),
      ...pagingReply,
    }),
    message: 'OK',
  }),
};
