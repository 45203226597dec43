import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element';
import { extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge/extract-closest-edge';
import {
  dropTargetForElements,
  monitorForElements,
  type ElementEventBasePayload,
} from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import type { DragLocation } from '@atlaskit/pragmatic-drag-and-drop/types';
import { combine } from '@atlaskit/pragmatic-drag-and-drop/utils/combine';
import { type RefObject, useEffect } from 'react';
import type { ColumnId } from '@matterdesk/contract/columns.ts';
import { store } from '../../../core/store.ts';
import { dropBefore, isInPlace } from '../rules.ts';
import { selectColumns } from '../slice.ts';
import { putCard, type BoardPosition } from './use-moves.ts';

/**
 * Draws the line at the edge of a row, or of the whole list, that `data-line` names. What overlaps the edges
 * of a card is drawn above the neighboring rows.
 */
export const LINE_CLASS =
  'hover:z-10 focus-within:z-10 ' +
  'before:pointer-events-none before:absolute before:inset-x-0.5 before:z-10 before:hidden before:h-0.5 ' +
  'before:rounded-full before:bg-accent data-line:before:block ' +
  'data-[line=top]:before:-top-[5px] data-[line=bottom]:before:bottom-[3px]';

type Aim = BoardPosition & { element: HTMLElement; edge: 'top' | 'bottom' };

/** Follows every drag on the board: shows the line where the card would go, and puts it there. */
export function useBoardDrag(board: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = board.current;
    if (!element) return undefined;
    let marked: HTMLElement | undefined;
    const mark = (aim: Aim | undefined) => {
      if (marked !== aim?.element) marked?.removeAttribute('data-line');
      marked = aim?.element;
      if (aim && marked?.dataset['line'] !== aim.edge) aim.element.dataset['line'] = aim.edge;
    };
    const isCard = ({ source }: { source: { data: Record<string, unknown> } }) =>
      typeof source.data['cardId'] === 'string';
    const follow = ({ source, location }: ElementEventBasePayload) =>
      mark(aimOf(String(source.data['cardId']), location.current));
    return combine(
      autoScrollForElements({ element, canScroll: isCard, getAllowedAxis: () => 'horizontal' }),
      monitorForElements({
        canMonitor: isCard,
        onDrag: follow,
        onDropTargetChange: follow,
        onDrop: ({ source, location }) => {
          const id = String(source.data['cardId']);
          const aim = aimOf(id, location.current);
          mark(undefined);
          if (aim) putCard(id, aim);
        },
      }),
    );
  }, [board]);
}

/** Makes a whole column a drop target, and scrolls it near its ends. */
export function useLaneDrop(column: ColumnId, lane: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = lane.current;
    if (!element) return undefined;
    return combine(
      dropTargetForElements({ element, getData: () => ({ column }) }),
      autoScrollForElements({ element, getAllowedAxis: () => 'vertical' }),
    );
  }, [column, lane]);
}

/** Drop position for a card; undefined outside the columns, and at its current place. */
function aimOf(id: string, { dropTargets, input }: DragLocation): Aim | undefined {
  const lane = dropTargets.find(({ data }) => data['column'] !== undefined);
  if (!lane) return undefined;
  const column = lane.data['column'] as ColumnId;
  const ids = selectColumns(store.getState().tasks)[column];
  const row = dropTargets.find(({ data }) => typeof data['rowOf'] === 'string');
  const edge: Aim['edge'] = row && extractClosestEdge(row.data) === 'top' ? 'top' : 'bottom';
  const aim = row
    ? { element: row.element, edge, before: dropBefore(ids, String(row.data['rowOf']), edge) }
    : endOf(lane.element, ids, input.clientY);
  if (!(aim.element instanceof HTMLElement) || isInPlace(ids, id, aim.before)) return undefined;
  return { ...aim, column, element: aim.element };
}

/** Beside the cards: above them is before the first one, below them behind the last. */
function endOf(lane: Element, ids: readonly string[], y: number) {
  const list = lane.querySelector('ul');
  const isAbove = list !== null && y < list.getBoundingClientRect().top;
  return isAbove
    ? { element: list, edge: 'top' as const, before: ids[0] ?? null }
    : { element: list, edge: 'bottom' as const, before: null };
}
