import type { RefObject } from 'react';
import { columnTitles, type ColumnId } from '@matterdesk/contract/columns.ts';
import { cx } from '../../../ui/cx.ts';
import { TaskCard } from './TaskCard.tsx';
import { LINE_CLASS } from './use-board-drag.ts';
import { WindowedCards } from './WindowedCards.tsx';

/** Above this many cards only the visible ones are rendered. */
const WINDOW_FROM = 60;

interface CardListProps {
  column: ColumnId;
  ids: readonly string[];
  lane: RefObject<HTMLDivElement | null>;
  onEdit: ((id: string) => void) | undefined;
}

/** The cards of a column, in order. */
export function CardList({ column, ids, lane, onEdit }: CardListProps) {
  const label = `${columnTitles[column]} tasks`;
  if (ids.length > WINDOW_FROM)
    return <WindowedCards label={label} ids={ids} lane={lane} onEdit={onEdit} />;
  return (
    <ul aria-label={label} className={cx('relative', LINE_CLASS)}>
      {ids.map((id) => (
        // The gap belongs to the row, so that a card can also be dropped between two others.
        <li key={id} className={cx('relative pb-2', LINE_CLASS)}>
          <TaskCard id={id} onEdit={onEdit} />
        </li>
      ))}
    </ul>
  );
}
