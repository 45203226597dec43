import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { cx } from '../../../ui/cx.ts';
import { iconOf, icons } from '../rules.icons.ts';
import { groupOf, type Group } from '../rules.ts';

const tones: Record<Group, string> = {
  court: 'bg-blue-soft text-blue',
  adr: 'bg-teal-soft text-teal',
  meeting: 'bg-sunken text-ink-2',
  deadline: 'border border-line-strong text-ink-2',
  task: 'text-ink-2',
  caseDate: 'text-ink-3',
};

/** Icon for an item's kind, next to its words. */
export function KindTile({ item, isOverdue }: { item: CalendarItem; isOverdue: boolean }) {
  const Icon = icons[iconOf(item)];
  const isHard = item.type === 'deadline' && item.hard && item.status === 'open';
  const hard = isOverdue ? 'bg-red text-on-red' : 'bg-ink text-paper';
  return (
    <span
      aria-hidden
      className={cx(
        'grid size-5 flex-none place-items-center rounded-[5px]',
        isHard ? hard : tones[groupOf(item)],
      )}
    >
      <Icon className="size-3" />
    </span>
  );
}
