import { announce } from '@atlaskit/pragmatic-drag-and-drop-live-region';
import { flushSync } from 'react-dom';
import { columnTitles, taskRoutes, type ColumnId, type Task } from '@matterdesk/contract/tasks.ts';
import { CallError } from '../../../api.ts';
import { store } from '../../../core/store.ts';
import { toast } from '../../../ui/toast-store.ts';
import { moveTask } from '../api.ts';
import { isInPlace } from '../rules.ts';
import {
  cardPlaced,
  moveDone,
  moveFailed,
  moveStarted,
  selectColumns,
  taskRemoved,
} from '../slice.ts';
import { focusCard, hasFocus } from './use-active-card.ts';

/** Where a card shall go: before another card of a column, or `null` for its end. */
export type Spot = { column: ColumnId; before: string | null };

/** Puts a card there: within its column at once and for this person alone, else by way of the server. */
export function putCard(id: string, { column, before }: Spot): void {
  const { entities } = store.getState().tasks;
  if (entities[id]?.type === column) reorder(id, { column, before });
  else void move(id, { column, before });
}

/** The place above (-1) or below (1) a card in its column; undefined at the column's end. */
export function besideInColumn(id: string, step: -1 | 1): Spot | undefined {
  const { tasks } = store.getState();
  const column = tasks.entities[id]?.type;
  if (!column) return undefined;
  const ids = selectColumns(tasks)[column];
  const at = ids.indexOf(id) + step;
  if (at < 0 || at >= ids.length) return undefined;
  return { column, before: ids[step < 0 ? at : at + 1] ?? null };
}

/** Takes a card off that is deleted, and gives the focus to the one that comes up in its place. */
export function takeOff({ id, case: caseId, type }: Task): void {
  const { tasks } = store.getState();
  const ids = selectColumns(tasks)[tasks.entities[id]?.type ?? type];
  const next = ids[ids.indexOf(id) + 1] ?? ids.at(-2);
  store.dispatch(taskRemoved({ id, case: caseId }));
  // The dialog gives the focus back first, to a button that has gone with the card.
  requestAnimationFrame(() => {
    if (next !== undefined) focusCard(next);
    else document.querySelector<HTMLElement>(`[data-column=${type}] button`)?.focus();
  });
}

function reorder(id: string, { column, before }: Spot) {
  if (isInPlace(selectColumns(store.getState().tasks)[column], id, before)) return;
  const hadFocus = hasFocus(id);
  // The browser drops the focus of what is put elsewhere in the document, so it is given back.
  flushSync(() => store.dispatch(cardPlaced({ id, before })));
  if (hadFocus) focusCard(id);
  announce(wordsFor(id, 'is now'));
}

async function move(id: string, { column, before }: Spot) {
  const { entities, moving } = store.getState().tasks;
  const name = entities[id]?.name;
  if (name === undefined || moving[id]) return;
  store.dispatch(moveStarted({ id, to: column }));
  announce(`Moving ${name} to ${columnTitles[column]}`);
  try {
    const task = await moveTask(id, { type: column });
    const hadFocus = hasFocus(id);
    flushSync(() => store.dispatch(moveDone({ task, before })));
    if (hadFocus) focusCard(id);
    toast.success(taskRoutes.changeTask.message);
    announce(wordsFor(id, 'moved to'));
  } catch (error) {
    store.dispatch(moveFailed(id));
    if (!(error instanceof CallError)) throw error;
    if (error.code !== 'invalidToken') toast.error(`The task was not moved: ${error.message}`);
  }
}

function wordsFor(id: string, verb: 'moved to' | 'is now'): string {
  const { tasks } = store.getState();
  const task = tasks.entities[id];
  if (!task) return '';
  const ids = selectColumns(tasks)[task.type];
  const place = `position ${ids.indexOf(id) + 1} of ${ids.length}`;
  const title = columnTitles[task.type];
  return verb === 'moved to'
    ? `${task.name} moved to ${title}, ${place}`
    : `${task.name} is now ${place} in ${title}`;
}
