import Bell from 'lucide-react/icons/bell';
import CalendarRange from 'lucide-react/icons/calendar-range';
import Check from 'lucide-react/icons/check';
import Flag from 'lucide-react/icons/flag';
import Gavel from 'lucide-react/icons/gavel';
import Handshake from 'lucide-react/icons/handshake';
import Hourglass from 'lucide-react/icons/hourglass';
import Landmark from 'lucide-react/icons/landmark';
import Lock from 'lucide-react/icons/lock';
import Mic from 'lucide-react/icons/mic';
import Square from 'lucide-react/icons/square';
import Users from 'lucide-react/icons/users';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { cx } from '../../../ui/cx.ts';
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

/** Icons of the groups of kinds, and of those that have their own. */
export const icons = {
  court: Gavel,
  adr: Mic,
  meeting: Users,
  deadline: Flag,
  task: Square,
  caseDate: CalendarRange,
  trial: Landmark,
  mediation: Handshake,
  reminder: Bell,
  limitation: Hourglass,
  private: Lock,
  done: Check,
} as const;

const own = ['trial', 'mediation', 'reminder', 'limitation'] as const;

/** The name of an item's icon: its own, or that of its group. */
export function iconOf(item: CalendarItem): keyof typeof icons {
  if (item.private) return 'private';
  if (item.type === 'deadline' && item.status === 'done') return 'done';
  return own.find((kind) => kind === item.kind) ?? groupOf(item);
}
