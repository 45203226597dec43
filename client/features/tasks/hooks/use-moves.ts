import { announce } from '@atlaskit/pragmatic-drag-and-drop-live-region';
import { flushSync } from 'react-dom';
import { columnTitles, type ColumnId } from '@matterdesk/contract/columns.ts';
import type { Task } from '@matterdesk/contract/tasks.ts';
import { CallError } from '../../../api.ts';
import { store } from '../../../core/store.ts';
import { toast } from '../../../ui/toast-store.ts';
import { changeTaskQuietly, setDone } from '../api.ts';
import { isInPlace } from '../rules.ts';
import {
  cardPlaced,
  moveDone,
  moveFailed,
  moveStarted,
  selectCards,
  selectColumns,
  taskRemoved,
  taskSaved,
} from '../slice.ts';
import { focusCard, hasFocus } from './use-active-card.ts';

/** Position for a card: before another card of a column, or `null` for its end. */
export type BoardPosition = { column: ColumnId; before: string | null };

/** Puts a card there: within its column at once and for this user alone, else through the server. */
export function putCard(id: string, { column, before }: BoardPosition): void {
  const held = selectCards(store.getState().tasks)[id];
  if (held?.type === column) reorder(id, { column, before });
  else void move(id, { column, before });
}

/** The place above (-1) or below (1) a card in its column; undefined at the column's end. */
export function besideInColumn(id: string, step: -1 | 1): BoardPosition | undefined {
  const { tasks } = store.getState();
  const column = selectCards(tasks)[id]?.type;
  if (!column) return undefined;
  const ids = selectColumns(tasks)[column];
  const at = ids.indexOf(id) + step;
  if (at < 0 || at >= ids.length) return undefined;
  return { column, before: ids[step < 0 ? at : at + 1] ?? null };
}

/** Removes the card of a deleted task, and focuses the card that moves up into its place. */
export function removeCard({ id, type }: Task): void {
  const { tasks } = store.getState();
  const ids = selectColumns(tasks)[selectCards(tasks)[id]?.type ?? type];
  const next = ids[ids.indexOf(id) + 1] ?? ids.at(-2);
  store.dispatch(taskRemoved(id));
  // The dialog first returns the focus to a button that was removed with the card.
  requestAnimationFrame(() => {
    if (next !== undefined) focusCard(next);
    else document.querySelector<HTMLElement>(`[data-column=${type}] button`)?.focus();
  });
}

/** Marks a task as done or as to do; marking it as done can be undone. */
export async function markDone(task: Pick<Task, 'id' | 'name'>, done: boolean): Promise<void> {
  try {
    store.dispatch(taskSaved(await setDone({ params: { id: task.id }, body: { done } })));
  } catch (error) {
    if (error instanceof CallError) return;
    throw error;
  }
  const undo = { label: 'Undo', run: () => void markDone(task, false) };
  if (done) toast.plain(`${task.name} is done`, undo);
}

function reorder(id: string, { column, before }: BoardPosition) {
  if (isInPlace(selectColumns(store.getState().tasks)[column], id, before)) return;
  const hadFocus = hasFocus(id);
  // An element that is moved within the document loses the focus, so it is given back.
  flushSync(() => store.dispatch(cardPlaced({ id, before })));
  if (hadFocus) focusCard(id);
  announce(wordsFor(id, 'is now'));
}

async function move(id: string, { column, before }: BoardPosition) {
  const { tasks } = store.getState();
  const name = selectCards(tasks)[id]?.name;
  if (name === undefined || tasks.moving[id]) return;
  const from = placeOf(id);
  store.dispatch(moveStarted({ id, to: column }));
  announce(`Moving ${name} to ${columnTitles[column]}`);
  try {
    const task = await changeTaskQuietly({ params: { id }, body: { type: column } });
    const hadFocus = hasFocus(id);
    flushSync(() => store.dispatch(moveDone({ task, before })));
    if (hadFocus) focusCard(id);
    announce(wordsFor(id, 'moved to'));
    if (from)
      toast.plain(`Task moved to ${columnTitles[column]}`, {
        label: 'Undo',
        run: () => putCard(id, from),
      });
  } catch (error) {
    store.dispatch(moveFailed(id));
    if (!(error instanceof CallError)) throw error;
    if (error.code !== 'invalidToken') toast.error(`Couldn’t move the task: ${error.message}`);
  }
}

/** The place of a card, so that it can be put back. */
function placeOf(id: string): BoardPosition | undefined {
  const { tasks } = store.getState();
  const column = selectCards(tasks)[id]?.type;
  if (!column) return undefined;
  const ids = selectColumns(tasks)[column];
  return { column, before: ids[ids.indexOf(id) + 1] ?? null };
}

function wordsFor(id: string, verb: 'moved to' | 'is now'): string {
  const { tasks } = store.getState();
  const task = selectCards(tasks)[id];
  if (!task) return '';
  const ids = selectColumns(tasks)[task.type];
  const place = `position ${ids.indexOf(id) + 1} of ${ids.length}`;
  const title = columnTitles[task.type];
  return verb === 'moved to'
    ? `${task.name} moved to ${title}, ${place}`
    : `${task.name} is now ${place} in ${title}`;
}
