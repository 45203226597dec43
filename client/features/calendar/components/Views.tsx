import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';

const views = [
  { name: 'agenda', label: 'Agenda' },
  { name: 'deadlines', label: 'Deadlines' },
] as const;

/** Links to the views of the calendar. */
export function Views({ at }: { at: (typeof views)[number]['name'] }) {
  return (
    <nav
      aria-label="Views"
      className="inline-flex h-[34px] rounded-control border border-line-strong bg-surface p-0.5 pointer-coarse:h-11"
    >
      {views.map(({ name, label }) => (
        <Link
          key={name}
          to={`${paths.calendar}?view=${name}`}
          aria-current={name === at ? 'page' : undefined}
          className="flex items-center rounded-small px-3 text-sm font-medium text-ink-2 hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
