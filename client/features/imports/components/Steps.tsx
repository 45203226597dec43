import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { cx } from '../../../ui/cx.ts';
import { type Step, stepLabels, steps } from '../rules.ts';

interface StepsProps {
  current: Step;
  /** The last step that can be opened. */
  reached: Step;
  /** The address of a step that was passed. */
  to: (step: Step) => string;
  /** Whether the last step is passed too. */
  isDone?: boolean;
  /** At the right end: where this stands. */
  note: string;
}

/** The four steps of an import; those that were passed are links. */
export function Steps({ current, reached, to, isDone = false, note }: StepsProps) {
  const last = steps.indexOf(reached);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
      <nav aria-label="Steps">
        <ol className="move-in-steps flex items-center">
          {steps.map((step, at) => {
            const isCurrent = step === current;
            const isPassed = !isCurrent && (at < last || (isDone && at === last));
            const target = isCurrent ? null : at <= last ? to(step) : null;
            const words = (
              <>
                <Mark at={at} isCurrent={isCurrent} isPassed={isPassed} />
                <span className={cx(isCurrent ? 'text-ink' : 'max-sm:sr-only')}>
                  {stepLabels[step]}
                </span>
                {isPassed && <span className="sr-only">, done</span>}
              </>
            );
            const box =
              'flex min-h-8 items-center gap-2.5 rounded-small pr-1 text-sm font-medium pointer-coarse:min-h-11';
            return (
              <li
                key={step}
                aria-current={isCurrent ? 'step' : undefined}
                className="flex items-center"
              >
                {target === null ? (
                  <span className={cx(box, isPassed ? 'text-ink' : 'text-ink-2')}>{words}</span>
                ) : (
                  <Link
                    to={target}
                    className={cx(box, 'text-ink underline-offset-3 hover:underline')}
                  >
                    {words}
                  </Link>
                )}
              </li>
            );
          })}
        </ol>
      </nav>
      <p className="text-note text-ink-3">{note}</p>
    </div>
  );
}

function Mark({ at, isCurrent, isPassed }: { at: number; isCurrent: boolean; isPassed: boolean }) {
  return (
    <span
      className={cx(
        'grid size-[22px] flex-none place-items-center rounded-full text-xs font-semibold tabular-nums',
        isCurrent && 'bg-accent text-on-accent',
        isPassed && 'bg-hover text-ink-2',
        !isCurrent && !isPassed && 'border border-line-strong text-ink-2',
      )}
    >
      {isPassed ? <Check className="size-3.5!" /> : at + 1}
    </span>
  );
}

/** The work at the left, and what belongs to it in a quieter column, which is below it on a narrow screen. */
export function TwoColumns({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className="move-in">
      <div>{children}</div>
      <div className="move-in-aside">{aside}</div>
    </div>
  );
}
