import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { cx } from '../../../ui/cx.ts';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import { dueInWords, type OwnTask } from '../rules.ts';
import { LongList } from './LongList.tsx';

const TONES = {
  overdue: 'text-red font-medium',
  soon: 'text-amber font-medium',
  later: '',
} as const;

/** The user's tasks by due date; each links to the board of its case. */
export function MyTasks({ tasks, today }: { tasks: readonly OwnTask[]; today: string }) {
  return (
    <>
      <SectionHeading
        aside={
          <Link to={paths.myTasks} className="text-accent hover:underline">
            All tasks
          </Link>
        }
      >
        My tasks
      </SectionHeading>
      {tasks.length === 0 ? (
        <p className="text-ink-2">No tasks are assigned to you.</p>
      ) : (
        <LongList items={tasks} most={10}>
          {(task) => {
            const due = dueInWords(task, today);
            return (
              <li key={task.id}>
                <Link
                  to={paths.cardOf(task.case.id, task.id)}
                  className="grid min-h-[46px] grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-6 border-b border-line py-1.5 hover:bg-hover @xl:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_minmax(7rem,1fr)]"
                >
                  <span className="truncate font-medium">{task.name}</span>
                  <span className="truncate text-ink-2 @max-xl:order-last @max-xl:col-span-2 @max-xl:text-note">
                    {task.case.caseName}
                  </span>
                  <span className={cx('text-right whitespace-nowrap', TONES[due.tone])}>
                    {due.words}
                  </span>
                </Link>
              </li>
            );
          }}
        </LongList>
      )}
    </>
  );
}
