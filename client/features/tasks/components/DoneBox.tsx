import { useState } from 'react';
import type { Task } from '@matterdesk/contract/tasks.ts';
import { cx } from '../../../ui/cx.ts';
import { markDone } from '../hooks/use-moves.ts';

interface DoneBoxProps {
  task: Pick<Task, 'id' | 'name' | 'doneAt'>;
  tabIndex?: number;
  className?: string;
}

/** The box that marks a task as done. */
export function DoneBox({ task, tabIndex, className }: DoneBoxProps) {
  const [wanted, setWanted] = useState<boolean | null>(null);
  const isDone = Boolean(task.doneAt);
  return (
    <label
      className={cx('grid size-6 flex-none place-items-center pointer-coarse:size-11', className)}
    >
      <input
        type="checkbox"
        aria-label={`${task.name} is done`}
        tabIndex={tabIndex}
        checked={wanted ?? isDone}
        aria-busy={wanted !== null || undefined}
        onChange={(event) => {
          if (wanted !== null) return;
          setWanted(event.target.checked);
          void markDone(task, event.target.checked).finally(() => setWanted(null));
        }}
        className="size-4 accent-accent"
      />
    </label>
  );
}
