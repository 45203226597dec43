import ChevronRight from 'lucide-react/icons/chevron-right';
import { useState } from 'react';
import { columnTitles, type ColumnId } from '@matterdesk/contract/columns.ts';
import { useAppSelector } from '../../../core/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { formatDay, formatMoment } from '../rules.ts';
import { selectCards, selectDone } from '../slice.ts';
import { DoneBox } from './DoneBox.tsx';

const FIRST = 50;

/** What is done in a column, folded at its end. */
export function DoneCards({ column }: { column: ColumnId }) {
  const ids = useAppSelector(({ tasks }) => selectDone(tasks)[column]);
  const cards = useAppSelector(({ tasks }) => selectCards(tasks));
  const [isOpen, setIsOpen] = useState(false);
  const [most, setMost] = useState(FIRST);
  if (ids.length === 0) return null;
  return (
    <div className="mt-1">
      <Button
        variant="quiet"
        size="small"
        aria-expanded={isOpen}
        aria-label={`${ids.length} done in ${columnTitles[column]}`}
        onClick={() => setIsOpen(!isOpen)}
      >
        <ChevronRight className={cx('transition-transform', isOpen && 'rotate-90')} />
        {ids.length} done
      </Button>
      {isOpen && (
        <ul aria-label={`Done in ${columnTitles[column]}`} className="mt-1">
          {ids.slice(0, most).map((id) => {
            const task = cards[id];
            if (!task) return null;
            return (
              <li key={id} className="flex items-start gap-1.5 rounded-card px-1 py-1.5">
                <DoneBox task={task} />
                <span className="min-w-0 grow pt-0.5 text-sm wrap-anywhere text-ink-2 line-through">
                  {task.name}
                </span>
                {task.doneAt && (
                  <time
                    dateTime={task.doneAt}
                    title={formatMoment(task.doneAt)}
                    className="pt-1 text-xs text-ink-3 tabular-nums"
                  >
                    {formatDay(task.doneAt)}
                  </time>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {isOpen && ids.length > most && (
        <Button variant="quiet" size="small" onClick={() => setMost(most + FIRST)}>
          Show more
        </Button>
      )}
    </div>
  );
}
