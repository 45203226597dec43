import type { Deadline } from '@matterdesk/contract/deadlines.ts';
import { AvatarStack } from '../../../ui/AvatarStack.tsx';
import { cx } from '../../../ui/cx.ts';
import { daysBetween, distanceInWords, formatDay } from '../../../ui/days.ts';
import {
  nameOf,
  type Reader,
  type Standing,
  standingOf,
  timeInWords,
  waitsForDate,
} from '../rules.ts';
import { DeadlineMark } from './DeadlineMark.tsx';

const SOON = 14;
const THIS_YEAR = 300;

interface DeadlineRowProps {
  deadline: Deadline;
  reader: Reader;
  today: string;
  isOpen: boolean;
  /** It waits for the reader. */
  isWaiting: boolean;
  onOpen: (id: string) => void;
}

const tones: Record<Standing['tone'], string> = {
  act: 'font-medium text-ink',
  green: 'text-green',
  plain: 'text-ink-2',
};

/** A deadline in two lines; the state column says what to do. */
export function DeadlineRow({ deadline, reader, today, isOpen, ...props }: DeadlineRowProps) {
  const { id, kind, title, owner, second } = deadline;
  const days = daysBetween(today, deadline.effectiveDate);
  const isOverdue = days < 0 && deadline.status === 'open';
  const isLimitation = kind === 'limitation';
  const caseName = deadline.case?.caseName ?? 'The firm';
  const standing = standingOf(deadline, reader, props.isWaiting);
  const people = [owner, second].filter((person) => person !== null).map(nameOf);
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-pressed={isOpen}
        onClick={() => props.onOpen(id)}
        className={cx(
          '-mx-2.5 grid min-h-11 w-[calc(100%+1.25rem)] grid-cols-[1.25rem_minmax(0,1fr)_auto] items-center gap-x-3.5 rounded-control px-2.5 py-1 text-left sm:grid-cols-[1.25rem_minmax(0,1fr)_11rem_7.5rem_3rem]',
          isOpen ? 'bg-accent-soft' : 'hover:bg-hover',
        )}
      >
        <DeadlineMark deadline={deadline} isOverdue={isOverdue} />
        <span className="min-w-0">
          <span className="block truncate font-medium">{isLimitation ? caseName : title}</span>
          <span className="block truncate text-note text-ink-2">
            {isLimitation ? title : caseName}
          </span>
        </span>
        <span className={cx('truncate text-sm max-sm:hidden', tones[standing.tone])}>
          {standing.words}
        </span>
        <DateColumn deadline={deadline} days={days} isHidden={waitsForDate(deadline, reader)} />
        <span className="flex justify-end max-sm:hidden">
          <AvatarStack names={people} limit={2} />
          <span className="sr-only">{people.join(', ')}</span>
        </span>
      </button>
    </li>
  );
}

function DateColumn(props: { deadline: Deadline; days: number; isHidden: boolean }) {
  const { deadline, days, isHidden } = props;
  if (isHidden)
    return <span className="text-right text-note text-ink-3">Hidden until verified</span>;
  const { effectiveDate, time } = deadline;
  const isOpen = deadline.status === 'open';
  const distance = days === 0 ? timeInWords(time) : distanceInWords(days);
  return (
    <span className="text-right tabular-nums">
      <span className="block">
        {days === 0
          ? 'Today'
          : formatDay(effectiveDate, Math.abs(days) > THIS_YEAR ? 'list' : 'weekday')}
      </span>
      {isOpen && (
        <span
          className={cx(
            'block text-note',
            days < 0 ? 'text-red' : days <= SOON ? 'text-amber' : 'text-ink-2',
          )}
        >
          {distance}
        </span>
      )}
    </span>
  );
}
