import Plus from 'lucide-react/icons/plus';
import { memo, useRef } from 'react';
import { columnTitles, type ColumnId } from '@matterdesk/contract/columns.ts';
import { useAppSelector } from '../../../core/store.ts';
import { selectColumns } from '../slice.ts';
import { CardList } from './CardList.tsx';
import { CardSkeletons } from './CardSkeletons.tsx';
import { DoneCards } from './DoneCards.tsx';
import { useLaneDrop } from './use-board-drag.ts';

interface BoardColumnProps {
  id: ColumnId;
  isLoading: boolean;
  /** What an empty column says; nothing while no case is chosen. */
  hint: string | undefined;
  onNew: (column: ColumnId) => void;
  onEdit: ((id: string) => void) | undefined;
}

/** A column of the board: its title and count, the placeholder card, and its cards. */
export const BoardColumn = memo(function BoardColumn(props: BoardColumnProps) {
  const { id, isLoading, hint, onNew, onEdit } = props;
  const ids = useAppSelector((state) => selectColumns(state.tasks)[id]);
  const lane = useRef<HTMLDivElement>(null);
  useLaneDrop(id, lane);
  return (
    <section
      aria-labelledby={`column-${id}`}
      className="flex min-h-0 snap-start flex-col"
      data-column={id}
    >
      <h2 id={`column-${id}`} className="flex gap-2 px-0.5 pb-2.5 text-sm font-semibold">
        <span>{columnTitles[id]}</span>
        {hint !== undefined && !isLoading && (
          <span aria-hidden className="font-normal text-ink-3 tabular-nums">
            {ids.length}
          </span>
        )}
      </h2>
      <div
        ref={lane}
        className="flex min-h-0 grow flex-col scroll-py-4 overflow-y-auto overscroll-contain rounded-lane bg-sunken p-2 [scrollbar-color:var(--color-line-strong)_transparent] [scrollbar-width:thin]"
      >
        <button
          type="button"
          aria-label={`New Task in ${columnTitles[id]}`}
          onClick={() => onNew(id)}
          className="mb-2 flex flex-none items-center gap-2 rounded-card border border-dashed border-line-strong px-3 py-[9px] text-ink-3 transition-colors hover:border-ink-3 hover:text-ink pointer-coarse:min-h-11"
        >
          <Plus />
          New Task
        </button>
        {isLoading ? (
          <CardSkeletons column={id} />
        ) : (
          <CardList column={id} ids={ids} lane={lane} onEdit={onEdit} />
        )}
        {ids.length === 0 && !isLoading && hint !== undefined && (
          <p className="px-1.5 pt-2 text-sm text-pretty text-ink-3">{hint}</p>
        )}
        {!isLoading && <DoneCards column={id} />}
      </div>
    </section>
  );
});
