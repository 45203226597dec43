import { Link, useSearchParams } from 'react-router';
import { viewLabels, viewNames, type ViewName } from '../rules.views.ts';

interface ViewsProps {
  at: ViewName;
  /** Deadlines that wait for the reader. */
  waiting?: number;
}

/** Links to the views of the calendar, which keep the day and the filters. */
export function Views({ at, waiting = 0 }: ViewsProps) {
  const [params] = useSearchParams();
  const addressOf = (view: ViewName) => {
    const kept = [...params].filter(([name]) => name !== 'view' && name !== 'deadline');
    return `?${new URLSearchParams([['view', view], ...kept]).toString()}`;
  };
  return (
    <nav
      aria-label="Views"
      className="inline-flex h-[34px] rounded-control border border-line-strong bg-surface p-0.5 max-sm:w-full pointer-coarse:h-11"
    >
      {viewNames.map((name) => (
        <Link
          key={name}
          to={addressOf(name)}
          aria-current={name === at ? 'page' : undefined}
          className={LINK}
          data-view={name}
        >
          {viewLabels[name]}
          {name === 'deadlines' && waiting > 0 && (
            <span className="pl-1.5 font-normal">{waiting}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}

/** A phone has no room for seven columns of hours. */
const LINK =
  'flex items-center justify-center rounded-small px-3 text-sm font-medium text-ink-2 hover:text-ink max-sm:grow max-sm:px-1.5 max-sm:data-[view=week]:hidden ' +
  'aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-ink';
