import * as z from 'zod/mini';
import { PersonSchema } from './cases.ts';
import { columnIds } from './columns.ts';
import { defineRoute } from './route.ts';
import { choice, id, line, optionalParagraphs } from './text.ts';
import { instant } from './time.ts';

/** Task limit per case, which keeps boards bounded. */
export const TASKS_PER_CASE_MAX = 5000;

export const END_BEFORE_START = 'End time must not be before start time';

const taskFields = {
  name: line('Name'),
  description: z._default(optionalParagraphs('Description'), ''),
  startTime: instant('Start time'),
  endTime: instant('End time'),
  case: id('Please select any case'),
  assignedTo: id('Please select any user'),
};

/** Equal times are allowed. */
const endsAfterStart = z.refine<{ startTime: string; endTime: string }>(
  (task) => task.endTime >= task.startTime,
  { error: END_BEFORE_START, path: ['endTime'] },
);

export const TaskFormSchema = z.strictObject(taskFields).check(endsAfterStart);
export type TaskForm = z.infer<typeof TaskFormSchema>;

const NewTaskSchema = z
  .strictObject({
    ...taskFields,
    type: z._default(z.literal('intake', 'Type must be one of intake'), 'intake'),
    /** The entry of the same case that it is made from. */
    source: z.optional(
      z.nullable(
        z.strictObject(
          { type: choice('Source', ['entry']), id: id('Source must be an entry') },
          'Source must have a type and an id',
        ),
      ),
    ),
    /** Creator of the task: always the signed-in user, and may be left out. */
    assignee: z.optional(id('Assignee must be a user id')),
  })
  .check(endsAfterStart);
export type NewTask = z.infer<typeof NewTaskSchema>;

const { case: _, ...fieldsOfCase } = taskFields;
/** A new task of a case that is named beside it. */
export const TaskOfCaseSchema = z
  .strictObject(
    {
      ...fieldsOfCase,
      type: z._default(z.literal('intake', 'Type must be one of intake'), 'intake'),
    },
    { error: (issue) => (issue.code === 'invalid_type' ? 'Task must be an object' : undefined) },
  )
  .check(endsAfterStart);

/** The service compares the times with the stored ones. */
const TaskPatchSchema = z.partial(
  z.strictObject({
    ...taskFields,
    description: optionalParagraphs('Description'),
    type: choice('Type', columnIds),
    done: z.boolean('Done must be true or false'),
  }),
);
export type TaskPatch = z.infer<typeof TaskPatchSchema>;

const text = z.string();
export const TaskSchema = z.object({
  id: text,
  name: text,
  description: text,
  startTime: text,
  endTime: text,
  type: z.enum(columnIds),
  /** When it came into its column; cards of a column are ordered by this, then by id. */
  columnSince: text,
  /** When it was last marked as done. */
  doneAt: z.nullable(text),
  assignedTo: PersonSchema,
  /** Creator of the task. `assignedTo` is who does it. */
  assignee: text,
  case: text,
  createdAt: text,
  updatedAt: text,
});
export type Task = z.infer<typeof TaskSchema>;

export const DeletedTaskSchema = z.object({ id: text, case: text });

const column = z.object({ id: z.enum(columnIds), title: text, items: z.array(TaskSchema) });
const BoardSchema = z.object({
  columns: z.object({
    intake: column,
    demandOfInsurance: column,
    finalLawsuit: column,
    discovery: column,
    adr: column,
  }),
  columnOrder: z.array(z.enum(columnIds)),
});
export type Board = z.infer<typeof BoardSchema>;

const change = {
  path: '/api/v1/tasks/{id}',
  summary: 'Changes a task; a body with only `type`, or only `done`, is open to everyone signed in',
  access: { permission: 'editTasks', unlessOnly: ['type', 'done'] },
  body: TaskPatchSchema,
  reply: TaskSchema,
  message: 'Task updated',
} as const;

export const taskRoutes = {
  readBoard: defineRoute({
    method: 'GET',
    path: '/api/v1/tasks/{id}',
    summary: 'The board of a case',
    access: 'signedIn',
    reply: z.object({ tasks: BoardSchema }),
    message: 'OK',
  }),
  addTask: defineRoute({
    method: 'POST',
    path: '/api/v1/tasks',
    summary: 'Adds a task to the intake column of a case',
    access: { permission: 'editTasks' },
    body: NewTaskSchema,
    reply: z.object({ tasks: TaskSchema }),
    status: 201,
    message: 'Task created',
    idempotent: true,
  }),
  changeTask: defineRoute({ method: 'PATCH', ...change }),
  replaceTask: defineRoute({ method: 'PUT', ...change }),
  deleteTask: defineRoute({
    method: 'DELETE',
    path: '/api/v1/tasks/{id}',
    summary: 'Deletes a task; it is kept for 30 days',
    access: { permission: 'editTasks' },
    reply: z.null(),
    message: 'Task deleted',
  }),
};
