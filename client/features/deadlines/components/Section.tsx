import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import { formatCount } from '../../../core/words.ts';
import { cx } from '../../../ui/cx.ts';

interface SectionProps {
  title: string;
  total: number | undefined;
  isWaiting?: boolean;
  /** Set apart in red. */
  isOverdue?: boolean;
  note?: ReactNode;
  /** Makes the heading a button that shows and hides the rows. */
  fold?: { isUnfolded: boolean; onToggle: () => void } | undefined;
  children: ReactNode;
}

/** The heading of a section with its count. */
export function Section({ title, total, fold, isOverdue = false, ...props }: SectionProps) {
  const heading = (
    <>
      {title}
      <span className={cx('ml-2 font-normal tabular-nums', isOverdue ? 'text-red' : 'text-ink-3')}>
        {total === undefined ? '' : formatCount(total)}
      </span>
    </>
  );
  return (
    <section
      aria-label={title}
      data-waiting={props.isWaiting || undefined}
      // Hidden until the sections above it have loaded, so that nothing shifts.
      className={cx(
        'peer mt-5 first:mt-0 peer-data-waiting:hidden',
        isOverdue && '-mx-3 rounded-card bg-red-soft px-3',
      )}
    >
      <div
        className={cx(
          'flex min-h-9 items-center justify-between gap-4 border-b',
          isOverdue ? 'border-red/25' : 'border-line',
        )}
      >
        <h2 className={cx('text-heading font-semibold', isOverdue && 'text-red')}>
          {fold ? (
            <button
              type="button"
              aria-expanded={fold.isUnfolded}
              onClick={fold.onToggle}
              className="-ml-1 flex min-h-9 items-center gap-2"
            >
              <ChevronRight
                aria-hidden="true"
                className={cx('size-4 text-ink-3', fold.isUnfolded && 'rotate-90')}
              />
              <span>{heading}</span>
            </button>
          ) : (
            heading
          )}
        </h2>
        <span className="text-note text-ink-2">{props.note}</span>
      </div>
      {props.children}
    </section>
  );
}
