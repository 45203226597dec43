import type { ListedTask } from '@matterdesk/contract/task-lists.ts';
import type { TaskPatch } from '@matterdesk/contract/tasks.ts';
import { AssignSelect, changeEach } from '../../../core/selection.tsx';
import { store } from '../../../core/store.ts';
import { counted } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { changeTaskQuietly } from '../api.ts';
import { taskSaved } from '../slice.ts';

interface BulkTasksProps {
  ids: ReadonlySet<string>;
  /** Whether the user may assign; everyone may mark tasks as done. */
  canEdit: boolean;
  /** Ends the selection after an act. */
  onDone: () => void;
}

/** The acts on the selected tasks: mark them as done, or assign them to someone. */
export function BulkTasks({ ids, canEdit, onDone }: BulkTasksProps) {
  const isNone = ids.size === 0;
  const finish = () => {
    const open = selected(ids).filter((task) => task.doneAt === null);
    onDone();
    void changeEach(open, {
      change: (task) => save(task, { done: true }),
      restore: (task) => save(task, { done: false }),
      done: (count) => `${counted(count, 'task')} done`,
    });
  };
  const assign = (id: string, name: string) => {
    const others = selected(ids).filter((task) => task.assignedTo.id !== id);
    onDone();
    void changeEach(others, {
      change: (task) => save(task, { assignedTo: id }),
      restore: (task) => save(task, { assignedTo: task.assignedTo.id }),
      done: (count) => `${counted(count, 'task')} assigned to ${name}`,
    });
  };
  return (
    <>
      {canEdit && <AssignSelect label="Assign to" disabled={isNone} onAssign={assign} />}
      <Button disabled={isNone} onClick={finish}>
        Mark as done
      </Button>
    </>
  );
}

/** The selected tasks as the lists show them before the act. */
function selected(ids: ReadonlySet<string>): ListedTask[] {
  const pages = Object.values(store.getState().tasks.lists);
  const shown = pages.flatMap((page) => page?.data?.tasks ?? []);
  const found = new Map(shown.map((task) => [task.id, task]));
  return [...ids].map((id) => found.get(id)).filter((task) => task !== undefined);
}

async function save({ id }: ListedTask, body: TaskPatch): Promise<void> {
  store.dispatch(taskSaved(await changeTaskQuietly({ params: { id }, body })));
}
