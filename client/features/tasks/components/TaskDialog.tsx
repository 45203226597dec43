import { useState, useMemo } from 'react';
import { columnTitles, type ColumnId } from '@matterdesk/contract/columns.ts';
import { type Task, type TaskForm, TaskFormSchema } from '@matterdesk/contract/tasks.ts';
import type { CaseField } from '../../../core/case-field.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import type { Option } from '../../../ui/option.ts';
import { CallError } from '../../../api.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { deleteTask, addTask, changeTask, moveTask } from '../api.ts';
import { removeCard } from '../hooks/use-moves.ts';
import {
  Controller,
  type UseFormReturn,
  type RefCallBack,
  type Resolver,
  useForm,
} from 'react-hook-form';
import { Field } from '../../../ui/Field.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import type { Person } from '@matterdesk/contract/cases.ts';
import { usePeople } from '../../../core/people.ts';
import { Combobox } from '../../../ui/Combobox.tsx';
import { zodResolver } from '@hookform/resolvers/zod';
import type * as z from 'zod/mini';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { toast } from '../../../ui/toast-store.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import { changesOf, proposedTimes, toInstant, toLocalInput } from '../rules.ts';
import { taskSaved } from '../slice.ts';

interface TaskDialogProps {
  /** The task to change; null for a new one. */
  task: Task | null;
  /** The column whose placeholder asked for a new one. */
  column: ColumnId;
  /** The case of the board. */
  matter: Option | null;
  caseField: CaseField;
  onClose: () => void;
}

/** 'Add New Task' and 'Edit Task'. */
export function TaskDialog(props: TaskDialogProps) {
  const { task, column, matter, onClose } = props;
  const [opened] = useState(task);
  const { form, save } = useTaskForm({ task: opened, caseId: matter?.id ?? null, column });
  const { isDirty, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    if (await save(values)) onClose();
  });
  const place = `In ${columnTitles[column]}`;
  return (
    <Dialog
      open
      onClose={onClose}
      title={opened ? 'Edit Task' : 'Add New Task'}
      {...(!opened && column !== 'intake' && { subtitle: place })}
      isDirty={isDirty}
      onSubmit={(event) => void submit(event)}
      footer={
        <>
          <span className="flex gap-2">
            <DialogClose />
            {opened && <DeleteTask task={opened} onDeleted={onClose} />}
          </span>
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Save
          </Button>
        </>
      }
    >
      <TaskFields form={form} task={opened} matter={matter} caseField={props.caseField} />
    </Dialog>
  );
}

/** Deletes a task, after asking. */
function DeleteTask({ task, onDeleted }: { task: Task; onDeleted: () => void }) {
  const [state, setState] = useState<'idle' | 'asking' | 'deleting'>('idle');
  const handleConfirm = async () => {
    setState('deleting');
    try {
      await deleteTask(task.id);
      onDeleted();
      removeCard(task);
    } catch (error) {
      setState('idle');
      if (!(error instanceof CallError)) throw error;
    }
  };
  return (
    <>
      <Button
        variant="quiet"
        className="text-red not-disabled:hover:text-red"
        onClick={() => setState('asking')}
      >
        Delete
      </Button>
      <ConfirmDialog
        open={state !== 'idle'}
        title="Delete this task?"
        confirmLabel="Delete"
        busy={state === 'deleting'}
        onClose={() => setState('idle')}
        onConfirm={() => void handleConfirm()}
      >
        {`${task.name} goes from the board, for everybody.`}
      </ConfirmDialog>
    </>
  );
}

/** The last minute with a four-digit year. */
const LATEST = '9999-12-31T23:59';

interface TaskFieldsProps {
  form: UseFormReturn<TaskInputs, unknown, TaskForm>;
  task: Task | null;
  matter: Option | null;
  caseField: CaseField;
}

/** The fields of a task in their order; the times are those of the reader's own clock. */
function TaskFields({ form, task, matter, caseField }: TaskFieldsProps) {
  const { control, register, formState } = form;
  const { errors } = formState;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Name" error={errors.name?.message} className="sm:col-span-2">
        <TextInput autoComplete="off" {...register('name')} />
      </Field>
      <Field label="Description" error={errors.description?.message} className="sm:col-span-2">
        <TextArea {...register('description')} />
      </Field>
      <Field label="Start Time" error={errors.startTime?.message}>
        <TextInput type="datetime-local" max={LATEST} {...register('startTime')} />
      </Field>
      <Field label="End Time" error={errors.endTime?.message}>
        <TextInput type="datetime-local" max={LATEST} {...register('endTime')} />
      </Field>
      <Controller
        control={control}
        name="case"
        render={({ field, fieldState }) => (
          <Field label="Case" error={fieldState.error?.message}>
            <CaseSelect {...field} matter={matter} caseField={caseField} />
          </Field>
        )}
      />
      <Controller
        control={control}
        name="assignedTo"
        render={({ field, fieldState }) => (
          <Field label="Assigned To" error={fieldState.error?.message}>
            <AssigneeSelect {...field} now={task?.assignedTo ?? null} />
          </Field>
        )}
      />
    </div>
  );
}

interface CaseSelectProps {
  ref: RefCallBack;
  value: string;
  onChange: (id: string) => void;
  onBlur: () => void;
  /** The case that is proposed, whose name is known already. */
  matter: Option | null;
  caseField: CaseField;
}

/** The case of a task, as a field of its form: the form holds the id, and this its name. */
function CaseSelect(props: CaseSelectProps) {
  const { ref, value, onChange, onBlur, matter } = props;
  const [chosen, setChosen] = useState<Option | null>(null);
  return (
    <props.caseField
      ref={ref}
      value={[chosen, matter].find((option) => option?.id === value) ?? null}
      onBlur={onBlur}
      onChange={(option) => {
        setChosen(option);
        onChange(option?.id ?? '');
      }}
    />
  );
}

// Components of the board: columns, cards, the task dialog.

interface AssigneeSelectProps {
  ref: RefCallBack;
  value: string;
  onChange: (id: string) => void;
  onBlur: () => void;
  /** Who has the task now: stays a choice, even when deactivated since. */
  now: Person | null;
}

/** Whom a task is assigned to: the active people of the firm. */
function AssigneeSelect({ ref, value, onChange, onBlur, now }: AssigneeSelectProps) {
  const { people, status, failure } = usePeople();
  const options = useMemo(() => {
    const active = people.filter((person) => person.active).map(personOption);
    const isListed = now === null || active.some(({ id }) => id === now.id);
    return isListed ? active : [...active, personOption(now)];
  }, [people, now]);
  return (
    <Combobox
      ref={ref}
      placeholder="Select any user"
      options={options}
      loading={status === 'loading' && options.length === 0}
      failure={failure && options.length === 0 ? 'Couldn’t load the users' : undefined}
      value={options.find(({ id }) => id === value) ?? null}
      onBlur={onBlur}
      onChange={(option) => onChange(option?.id ?? '')}
    />
  );
}

function personOption({ id, firstName, lastName }: Person): Option {
  return { id, label: `${firstName} ${lastName}` };
}

/** The values of the inputs: times in the reader's time zone, ids of the case and the assignee. */
type TaskInputs = z.input<typeof TaskFormSchema>;

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
function useTaskForm({ task, caseId, column }: TaskFormOptions) {
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
