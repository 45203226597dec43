import type { Deadline } from '@matterdesk/contract/deadlines.ts';
import Flag from 'lucide-react/icons/flag';
import Hourglass from 'lucide-react/icons/hourglass';
import { cx } from '../../../ui/cx.ts';

/** Ink for what cannot be passed over silently, red once it is overdue, an outline for the rest. */
export function DeadlineMark({ deadline, isOverdue }: { deadline: Deadline; isOverdue: boolean }) {
  const Icon = deadline.kind === 'limitation' ? Hourglass : Flag;
  return (
    <span
      aria-hidden="true"
      className={cx(
        'grid size-5 flex-none place-items-center rounded-[5px] border',
        !deadline.hard && 'border-line-strong text-ink-2',
        deadline.hard && !isOverdue && 'border-ink bg-ink text-paper',
        deadline.hard && isOverdue && 'border-red bg-red text-on-red',
      )}
    >
      <Icon className="size-3" />
    </span>
  );
}
