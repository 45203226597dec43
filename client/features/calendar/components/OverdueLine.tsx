import ChevronRight from 'lucide-react/icons/chevron-right';
import Flag from 'lucide-react/icons/flag';
import { Link } from 'react-router';
import type { Deadline } from '@matterdesk/contract/deadlines.ts';
import { paths } from '../../../core/paths.ts';
import { daysBetween } from '../../../ui/days.ts';
import { counted, plural } from '../../../core/words.ts';

interface OverdueLineProps {
  /** The longest overdue deadline first. */
  overdue: readonly Deadline[];
  count: number;
  today: string;
}

/** Late deadlines in one line, whatever days are shown. */
export function OverdueLine({ overdue: [first], count, today }: OverdueLineProps) {
  if (!first || count === 0) return null;
  const days = Math.max(0, daysBetween(first.effectiveDate, today));
  const since = days === 0 ? 'today' : counted(days, 'day');
  const words = [first.title, first.case?.caseName, since].filter(Boolean).join(' · ');
  return (
    <Link
      to={`${paths.calendar}?view=deadlines`}
      className="mx-4 mt-4 flex min-h-11 max-w-[51.5rem] items-center gap-4 rounded-card bg-red-soft px-4 py-2 text-red sm:mx-9"
    >
      <Flag />
      <span className="min-w-0 grow">
        <span className="block font-book">
          {`${counted(count, 'deadline')} ${plural(count, 'is', 'are')} late`}
        </span>
        <span className="block truncate text-note">{words}</span>
      </span>
      <ChevronRight />
    </Link>
  );
}
