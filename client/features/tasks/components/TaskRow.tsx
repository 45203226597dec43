import ChevronRight from 'lucide-react/icons/chevron-right';
import { Link } from 'react-router';
import { columnTitles } from '@matterdesk/contract/columns.ts';
import type { ListedTask } from '@matterdesk/contract/task-lists.ts';
import { paths } from '../../../core/paths.ts';
import { Chip } from '../../../ui/Chip.tsx';
import { cx } from '../../../ui/cx.ts';
import { formatMoment } from '../rules.ts';
import { endingInWords } from '../rules.lists.ts';
import { DoneBox } from './DoneBox.tsx';

const TONES = { late: 'text-red', soon: 'text-amber', later: '' } as const;

/** A task in the list: its box, and a link to its card on the board. */
export function TaskRow({ task, now }: { task: ListedTask; now: Date }) {
  const { words, distance, tone } = endingInWords(task.endTime, now);
  return (
    <li className="flex min-h-[46px] items-center gap-2 border-b border-line hover:bg-hover">
      <DoneBox task={task} />
      <Link
        to={paths.cardOf(task.case, task.id)}
        data-row={task.id}
        className="grid min-h-11 min-w-0 grow grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 py-1 lg:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_9.5rem_7.5rem]"
      >
        <span dir="auto" className={cx('truncate font-medium', task.doneAt && 'line-through')}>
          {task.name}
          <span className="ml-1.5 text-note font-normal text-ink-3">{task.description}</span>
        </span>
        <span
          dir="auto"
          className="truncate text-ink-2 max-lg:order-last max-lg:col-span-2 max-lg:text-note"
        >
          {task.caseName} <span className="text-note text-ink-3 tabular-nums">{task.caseNo}</span>
        </span>
        <span className="max-lg:hidden">
          <Chip>{columnTitles[task.type]}</Chip>
        </span>
        <span className="text-right whitespace-nowrap">
          <time dateTime={task.endTime} title={formatMoment(task.endTime)} className="block">
            {words}
          </time>
          {!task.doneAt && distance !== '' && (
            <span className={cx('block text-note font-medium', TONES[tone])}>{distance}</span>
          )}
        </span>
      </Link>
      <ChevronRight className="flex-none text-ink-3 max-sm:hidden" />
    </li>
  );
}
