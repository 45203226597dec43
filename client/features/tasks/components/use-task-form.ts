import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { TaskFormSchema, type Task, type TaskForm } from '@matterdesk/contract/tasks.ts';
import { CallError } from '../../../api.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { toast } from '../../../ui/toast-store.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import type { ColumnId } from '@matterdesk/contract/columns.ts';
import { addTask, changeTask, moveTask } from '../api.ts';
import { changesOf, proposedTimes, toInstant, toLocalInput } from '../rules.ts';
import { taskSaved } from '../slice.ts';

/** The values of the inputs: times in the reader's time zone, ids of the case and the assignee. */
export type TaskInputs = z.input<typeof TaskFormSchema>;

interface TaskFormOptions {
  task: Task | null;
  caseId: string | null;
  /** Where a new task goes once it is added. */
  column: ColumnId;
}

const empty = {
  name: '',
  description: '',
  startTime: '',
  endTime: '',
  case: '',
  assignedTo: '',
};

/** The form of a task. `save` resolves with whether it was saved; refusals appear under their fields. */
export function useTaskForm({ task, caseId, column }: TaskFormOptions) {
  const dispatch = useAppDispatch();
  const me = useAppSelector((state) => state.user.current?.id);
  // Others may change the task meanwhile: what was opened is what the changes are counted from.
  const [opened] = useState(task);
  const [proposed] = useState(() => proposedTimes(new Date()));
  const withKey = useClickKey();
  const form = useForm<TaskInputs, unknown, TaskForm>({
    defaultValues: opened
      ? inInputs(opened)
      : { ...empty, ...proposed, case: caseId ?? '', assignedTo: me ?? '' },
    resolver: resolverFor(opened),
  });

  /** New tasks start in intake, so one for another column is moved there at once. */
  const arrive = async (added: Task) => {
    if (column === 'intake') return added;
    dispatch(taskSaved(added));
    try {
      return await moveTask(added.id, { type: column });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      toast.error(`Couldn’t move the new task out of Intake: ${error.message}`);
      return added;
    }
  };

  const send = (values: TaskForm) => {
    if (opened) {
      const changes = changesOf(opened, values);
      return Object.keys(changes).length === 0 ? opened : changeTask(opened.id, changes);
    }
    const body = { ...values, type: 'intake' as const, ...(me !== undefined && { assignee: me }) };
    return withKey(body, (key) => addTask(body, key)).then(({ tasks }) => arrive(tasks));
  };

  const save = async (values: TaskForm): Promise<boolean> => {
    try {
      const saved = await send(values);
      if (saved !== opened) dispatch(taskSaved(saved));
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      for (const [index, { path, message }] of error.errors.entries())
        if (path in empty)
          form.setError(path as keyof TaskForm, { message }, { shouldFocus: index === 0 });
      return false;
    }
  };
  return { form, save };
}

function inInputs({ name, description, startTime, endTime, case: caseId, assignedTo }: Task) {
  return {
    name,
    description,
    startTime: toLocalInput(startTime),
    endTime: toLocalInput(endTime),
    case: caseId,
    assignedTo: assignedTo.id,
  };
}

/** Validates what will be sent: instants, not the local times of the inputs. */
function resolverFor(task: Task | null): Resolver<TaskInputs, unknown, TaskForm> {
  const resolve = zodResolver(TaskFormSchema);
  return (values, context, options) =>
    resolve(
      {
        ...values,
        startTime: toInstant(values.startTime, task?.startTime),
        endTime: toInstant(values.endTime, task?.endTime),
      },
      context,
      options,
    );
}
