import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { call } from '../../api.ts';
import { mutation, type MutationInput } from '../../core/mutation.ts';
import { boards, lists, type TaskQuery } from './slice.ts';

/** The board of a case; the page itself says what went wrong. */
export const board = boards.fetchedBy(
  async (caseId: string, { read }) =>
    (await read(taskRoutes.readBoard, { params: { id: caseId } })).tasks,
);

/** Tasks across matters. */
export const taskList = lists.fetchedBy(async (query: TaskQuery, { read }) => {
  // Their contract is no part of the board's chunk.
  const { taskListRoutes } = await import('@matterdesk/contract/task-lists.ts');
  const { search, ...rest } = query;
  const asked = { ...rest, ...(search !== '' && { search }) };
  return read(taskListRoutes.listTasks, { query: asked });
});

export const addTask = mutation(taskRoutes.addTask, 'Couldn’t create the task');

export const changeTask = mutation(taskRoutes.changeTask, 'Couldn’t save the task');

/** Marks a task as done, or as to do. */
export const setDone = mutation(taskRoutes.changeTask, 'Couldn’t save the task', {
  toasts: 'errors',
});

/** For a move of a card and an act on several tasks, which report their outcome themselves. */
export function changeTaskQuietly(input: MutationInput<typeof taskRoutes.changeTask>) {
  return call(taskRoutes.changeTask, { ...input, toasts: 'none' });
}

export const deleteTask = mutation(taskRoutes.deleteTask, 'Couldn’t delete the task');
