import { type ReactNode, useRef } from 'react';
import { columnIds, type ColumnId } from '@matterdesk/contract/columns.ts';
import { cx } from '../../../ui/cx.ts';
import { BoardColumn } from './BoardColumn.tsx';
import { setActiveCard } from './use-active-card.ts';
import { useBoardDrag } from './use-board-drag.ts';
import { handleBoardKey, KEYS_IN_WORDS } from './use-board-keys.ts';

const HINTS: Record<ColumnId, string> = {
  intake: 'Nothing here yet. New tasks start in this column.',
  demandOfInsurance: 'Nothing here yet. Drag a task here when the demand goes out.',
  finalLawsuit: 'Nothing here yet. Drag a task here when the suit is filed.',
  discovery: 'Nothing here yet. Drag a task here when discovery opens.',
  adr: 'Nothing here yet. Drag a task here when mediation starts.',
};

interface BoardProps {
  /** Without a case there are the placeholder cards alone. */
  isChosen: boolean;
  isLoading: boolean;
  canEdit: boolean;
  onNew: (column: ColumnId) => void;
  onEdit: (id: string) => void;
  /** Shown over the columns while no case is chosen. */
  children?: ReactNode;
}

/** The five columns: side by side where there is room, else they scroll and snap. */
export function Board({ isChosen, isLoading, canEdit, onNew, onEdit, children }: BoardProps) {
  const board = useRef<HTMLDivElement>(null);
  useBoardDrag(board);
  return (
    <div className="relative min-h-[26rem] grow">
      <p id="board-keys" hidden>
        {KEYS_IN_WORDS}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it handles the keys of its cards */}
      <div
        ref={board}
        aria-busy={isLoading || undefined}
        onKeyDown={(event) => handleBoardKey(event, onEdit)}
        onFocus={(event) => {
          const id = event.target.closest('[data-card]')?.getAttribute('data-card');
          if (id) setActiveCard(id);
        }}
        className={cx(
          'absolute inset-0 grid auto-cols-[minmax(216px,1fr)] grid-flow-col gap-4 overflow-x-auto px-4 pt-5 pb-4 sm:px-9 sm:pb-9',
          // Snapping would undo the scrolling that a drag near the edge asks for.
          'snap-x scroll-px-4 has-data-dragging:snap-none max-sm:snap-mandatory max-sm:auto-cols-[84%] sm:scroll-px-9',
          '[scrollbar-color:var(--color-line-strong)_transparent] [scrollbar-width:thin]',
        )}
      >
        {columnIds.map((id) => (
          <BoardColumn
            key={id}
            id={id}
            isLoading={isLoading}
            hint={isChosen ? HINTS[id] : undefined}
            onNew={onNew}
            onEdit={canEdit ? onEdit : undefined}
          />
        ))}
      </div>
      {!isChosen && (
        <div className="pointer-events-none absolute inset-0 grid place-items-center p-4">
          <div className="rounded-pop border border-line bg-surface shadow-float *:py-8">
            {children}
          </div>
        </div>
      )}
    </div>
  );
}
