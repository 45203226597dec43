import CalendarRange from 'lucide-react/icons/calendar-range';
import Gavel from 'lucide-react/icons/gavel';
import Lock from 'lucide-react/icons/lock';
import Mic from 'lucide-react/icons/mic';
import Square from 'lucide-react/icons/square';
import Users from 'lucide-react/icons/users';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { cx } from '../../../ui/cx.ts';
import { groupOf, type Group } from '../rules.ts';

/** The icon of each group of kinds. */
export const icons = {
  court: Gavel,
  adr: Mic,
  meeting: Users,
  task: Square,
  caseDate: CalendarRange,
} as const;

const tones: Record<Group, string> = {
  court: 'bg-blue-soft text-blue',
  adr: 'bg-teal-soft text-teal',
  meeting: 'bg-sunken text-ink-2',
  task: 'text-ink-2',
  caseDate: 'text-ink-3',
};

/** What an item is, as a small picture beside its words. */
export function KindTile({ item }: { item: Pick<CalendarItem, 'type' | 'kind' | 'private'> }) {
  const group = groupOf(item);
  const Icon = item.private ? Lock : icons[group];
  return (
    <span
      aria-hidden
      className={cx('grid size-6 flex-none place-items-center rounded-small', tones[group])}
    >
      <Icon className="size-3.5" />
    </span>
  );
}
