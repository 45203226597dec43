import type { KeyboardEvent } from 'react';
import { columnIds, type ColumnId } from '@matterdesk/contract/columns.ts';
import { store } from '../../../core/store.ts';
import { columnBeside } from '../rules.ts';
import { selectCards, selectColumns } from '../slice.ts';
import { focusCard } from './use-active-card.ts';
import { besideInColumn, putCard } from './use-moves.ts';

/** The keys in words, for screen readers: every card refers to it. */
export const KEYS_IN_WORDS =
  'Arrow keys go from card to card, Home and End to the first and the last of a column. With Control the arrow keys move the card: up and down in its column, left and right to another one. Enter edits.';

/** Infinity is the end of the column. */
type Step = { across: -1 | 0 | 1; along: number };

const STEPS: Record<string, Step> = {
  ArrowUp: { across: 0, along: -1 },
  ArrowDown: { across: 0, along: 1 },
  ArrowLeft: { across: -1, along: 0 },
  ArrowRight: { across: 1, along: 0 },
  Home: { across: 0, along: -Infinity },
  End: { across: 0, along: Infinity },
  k: { across: 0, along: -1 },
  j: { across: 0, along: 1 },
};

/** The keys of the board, active while a card itself has the focus and not something in it. */
export function handleBoardKey(event: KeyboardEvent, onEdit: (id: string) => void): void {
  const id = event.target instanceof HTMLElement ? event.target.dataset['card'] : undefined;
  if (id === undefined || event.altKey || event.shiftKey) return;
  const isMoving = event.ctrlKey || event.metaKey;
  const step = STEPS[event.key];
  if (event.key === 'Enter' && !isMoving) onEdit(id);
  else if (!step || (isMoving && !event.key.startsWith('Arrow'))) return;
  else if (isMoving) moveCard(id, step);
  else goToCard(id, step);
  event.preventDefault();
}

function moveCard(id: string, { across, along }: Step) {
  const type = selectCards(store.getState().tasks)[id]?.type;
  if (!type) return;
  if (along !== 0) {
    const spot = besideInColumn(id, along < 0 ? -1 : 1);
    if (spot) putCard(id, spot);
  } else if (across !== 0) {
    const column = columnBeside(type, across);
    if (column) putCard(id, { column, before: null });
  }
}

function goToCard(id: string, { across, along }: Step) {
  const { tasks } = store.getState();
  const columns = selectColumns(tasks);
  const type = selectCards(tasks)[id]?.type;
  if (!type) return;
  const at = columns[type].indexOf(id);
  const last = columns[type].length - 1;
  const next =
    across === 0
      ? columns[type][Math.min(Math.max(at + along, 0), last)]
      : nextAcross(columns, { type, across, at });
  if (next !== undefined) focusCard(next);
}

/** At the same height in the nearest column that has cards. */
function nextAcross(
  columns: Record<ColumnId, string[]>,
  { type, across, at }: { type: ColumnId; across: -1 | 0 | 1; at: number },
) {
  const own = columnIds.indexOf(type);
  const beside = across > 0 ? columnIds.slice(own + 1) : columnIds.slice(0, own).toReversed();
  const ids = beside.map((column) => columns[column]).find(({ length }) => length > 0);
  return ids?.[at] ?? ids?.at(-1);
}
