import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { taskRoutes, type NewTask, type TaskPatch } from '@matterdesk/contract/tasks.ts';
import { call } from '../../api.ts';

const CASES_OFFERED = 100;

/** The board of a case; the page itself says what went wrong. */
export function readBoard(caseId: string, signal: AbortSignal) {
  return call(taskRoutes.readBoard, { params: { id: caseId }, signal, toasts: 'none' });
}

export function addTask(body: NewTask, idempotencyKey: string) {
  return call(taskRoutes.addTask, { body, idempotencyKey, failing: 'The task was not created' });
}

export function changeTask(id: string, body: TaskPatch) {
  return call(taskRoutes.changeTask, {
    params: { id },
    body,
    failing: 'The task was not changed',
  });
}

/** Puts a card into another column; whoever moves it says what went wrong. */
export function moveTask(id: string, body: Required<Pick<TaskPatch, 'type'>>) {
  return call(taskRoutes.changeTask, { params: { id }, body, toasts: 'none' });
}

export function deleteTask(id: string) {
  return call(taskRoutes.deleteTask, { params: { id }, failing: 'The task was not deleted' });
}

/** The newest cases that hold the text, for the case dropdown. */
export function findCases(search: string, signal: AbortSignal) {
  const query = { search, limit: CASES_OFFERED };
  return call(caseRoutes.listCases, { query, signal, toasts: 'none' });
}
