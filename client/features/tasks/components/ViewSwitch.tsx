import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { cx } from '../../../ui/cx.ts';

const views = [
  { to: paths.myTasks, label: 'My tasks', isList: true },
  { to: paths.tasks, label: 'Board', isList: false },
];

/** Switches between the list of tasks and the board. */
export function ViewSwitch({ isList }: { isList: boolean }) {
  return (
    <nav
      aria-label="Views of tasks"
      className="flex rounded-control border border-line-strong bg-surface p-0.5"
    >
      {views.map((view) => (
        <Link
          key={view.label}
          to={view.to}
          aria-current={view.isList === isList ? 'true' : undefined}
          className={cx(
            'grid h-7 place-items-center rounded-[5px] px-2.5 text-sm font-medium pointer-coarse:h-10',
            view.isList === isList ? 'bg-accent-soft text-accent-ink' : 'text-ink-2 hover:bg-hover',
          )}
        >
          {view.label}
        </Link>
      ))}
    </nav>
  );
}
