import { taskRoutes, type NewTask, type TaskPatch } from '@matterdesk/contract/tasks.ts';
import { call } from '../../api.ts';
import { boards, lists, type TaskQuery } from './slice.ts';

/** The board of a case; the page itself says what went wrong. */
export const board = boards.fetchedBy(
  async (caseId: string, { signal }) =>
    (await call(taskRoutes.readBoard, { params: { id: caseId }, signal, toasts: 'none' })).tasks,
);

/** Tasks across matters. */
export const taskList = lists.fetchedBy(async (query: TaskQuery, { signal }) => {
  // Their contract is no part of the board's chunk.
  const { taskListRoutes } = await import('@matterdesk/contract/task-lists.ts');
  const { search, ...rest } = query;
  const asked = { ...rest, ...(search !== '' && { search }) };
  return call(taskListRoutes.listTasks, { query: asked, signal, toasts: 'none' });
});

export function addTask(body: NewTask, idempotencyKey: string) {
  return call(taskRoutes.addTask, { body, idempotencyKey, failing: 'Couldn’t create the task' });
}

export function changeTask(id: string, body: TaskPatch) {
  return call(taskRoutes.changeTask, {
    params: { id },
    body,
    failing: 'Couldn’t save the task',
  });
}

/** Moves a card to another column; the caller reports failures. */
export function moveTask(id: string, body: Required<Pick<TaskPatch, 'type'>>) {
  return call(taskRoutes.changeTask, { params: { id }, body, toasts: 'none' });
}

/** Marks a task as done, or as to do. */
export function setDone(id: string, done: boolean) {
  return call(taskRoutes.changeTask, {
    params: { id },
    body: { done },
    toasts: 'errors',
    failing: 'Couldn’t save the task',
  });
}

export function deleteTask(id: string) {
  return call(taskRoutes.deleteTask, { params: { id }, failing: 'Couldn’t delete the task' });
}
