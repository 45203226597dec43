import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo, useState } from 'react';
import { Controller, type RefCallBack, type Resolver } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { Person } from '@matterdesk/contract/cases.ts';
import { columnTitles, type ColumnId } from '@matterdesk/contract/columns.ts';
import { type Task, type TaskForm, TaskFormSchema } from '@matterdesk/contract/tasks.ts';
import { CallError } from '../../../api.ts';
import { FormField, MatterField, TextAreaField, TextField } from '../../../core/fields.tsx';
import { type Form, renameFieldErrors, useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { fullName } from '../../../core/full-name.ts';
import { useOthersChanges } from '../../../core/others-changes.ts';
import { usePeople } from '../../../core/people.ts';
import type { CaseField, SourceText } from '../../../core/slots.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { Button } from '../../../ui/Button.tsx';
import { Combobox } from '../../../ui/Combobox.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { LAST_DAY } from '../../../ui/days.ts';
import { toLocalInput } from '../../../ui/local-input.ts';
import type { Option } from '../../../ui/option.ts';
import { toast } from '../../../ui/toast-store.ts';
import { addTask, changeTask, changeTaskQuietly, deleteTask } from '../api.ts';
import { removeCard } from '../hooks/use-moves.ts';
import { changesOf, proposedTimes, toInstant } from '../rules.ts';
import { selectCards, taskSaved } from '../slice.ts';

interface TaskDialogProps {
  /** The task to change; null for a new one. */
  task: Task | null;
  /** The column whose placeholder asked for a new one. */
  column: ColumnId;
  /** The case of the board. */
  matter: Option | null;
  /** A text from which a new task is made. */
  about?: SourceText;
  /** Saves a new task of the matter together with something else. */
  together?: {
    subtitle: string;
    submit: string;
    save: (values: TaskForm, key: string) => Promise<unknown>;
  };
  caseField: CaseField;
  onClose: () => void;
}

/** The values of the inputs: times in the reader's time zone, ids of the case and the assignee. */
type TaskInputs = Omit<z.input<typeof TaskFormSchema>, 'case'> & { case: string | null };

/** 'Add New Task' and 'Edit Task'. */
export function TaskDialog(props: TaskDialogProps) {
  const { task, column, matter, about, together, caseField, onClose } = props;
  const dispatch = useAppDispatch();
  const me = useAppSelector((state) => state.user.current?.id);
  const opened = useLatest(task);
  const [start] = useState(() =>
    task ? inInputs(task) : { ...emptyInputs(matter, me), ...fromText(about) },
  );
  const saving = useSave<TaskInputs, TaskForm>(resolverFor(opened), start, async (values, key) => {
    if (opened) {
      const changes = changesOf(opened, values);
      if (Object.keys(changes).length > 0)
        dispatch(taskSaved(await changeTask({ params: { id: opened.id }, body: changes })));
    } else if (together) await together.save(values, key).catch(asOwn);
    else {
      const body = {
        ...values,
        type: 'intake' as const,
        ...(me !== undefined && { assignee: me }),
        // An entry makes tasks for its own matter only.
        ...(about?.source && values.case === matter?.id && { source: about.source }),
      };
      const { tasks: added } = await addTask({ body, idempotencyKey: key });
      dispatch(taskSaved(added));
      // New tasks start in intake.
      if (column !== 'intake') dispatch(taskSaved(await moveToColumn(added, column)));
    }
    onClose();
  });
  const now = useMemo(() => (opened ? inInputs(opened) : null), [opened]);
  useOthersChanges(saving.form, now, opened ? { assignedTo: fullName(opened.assignedTo) } : {});
  const place = column === 'intake' ? undefined : `In ${columnTitles[column]}`;
  return (
    <FormDialog
      saving={saving}
      title={opened ? 'Edit Task' : 'Add New Task'}
      subtitle={opened ? undefined : (together?.subtitle ?? place)}
      submit={together?.submit ?? 'Save'}
      actions={opened && <DeleteTask task={opened} onDeleted={onClose} />}
      onClose={onClose}
    >
      <TaskFields
        form={saving.form}
        task={opened}
        matter={matter}
        caseField={together ? null : caseField}
      />
    </FormDialog>
  );
}

/** The task as it is now; one that was deleted, as it was last known. */
function useLatest(task: Task | null): Task | null {
  const [latest, setLatest] = useState(task);
  const held = useAppSelector(({ tasks }) => (task ? selectCards(tasks)[task.id] : undefined));
  if (held && held !== latest) setLatest(held);
  return latest;
}

/** The fields of a task that is a member of something else. */
const asOwn = renameFieldErrors((path) => path.replace(/^task\./, ''));

/** A task that is added to another column than intake is moved there at once. */
async function moveToColumn(added: Task, column: ColumnId): Promise<Task> {
  try {
    return await changeTaskQuietly({ params: { id: added.id }, body: { type: column } });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    toast.error(`Couldn’t move the new task out of Intake: ${error.message}`);
    return added;
  }
}

/** Deletes a task, after asking. */
function DeleteTask({ task, onDeleted }: { task: Task; onDeleted: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, attempt } = useAttempt();
  const handleConfirm = async () => {
    await attempt(task.id, async () => {
      await deleteTask({ params: { id: task.id } });
      onDeleted();
      removeCard(task);
    });
    setIsAsking(false);
  };
  return (
    <>
      <Button
        variant="quiet"
        className="text-red not-disabled:hover:text-red"
        onClick={() => setIsAsking(true)}
      >
        Delete
      </Button>
      <ConfirmDialog
        open={isAsking}
        title="Delete this task?"
        confirmLabel="Delete"
        busy={isBusy}
        onClose={() => setIsAsking(false)}
        onConfirm={() => void handleConfirm()}
      >
        {`${task.name} will be deleted for everyone.`}
      </ConfirmDialog>
    </>
  );
}

const LATEST = `${LAST_DAY}T23:59`;

interface TaskFieldsProps {
  form: Form<TaskInputs, TaskForm>;
  task: Task | null;
  matter: Option | null;
  /** Null where the matter cannot be changed. */
  caseField: CaseField | null;
}

/** The fields of a task in their order; the times are those of the reader's own clock. */
function TaskFields({ form, task, matter, caseField }: TaskFieldsProps) {
  return (
    <>
      <TextField form={form} name="name" label="Name" wide />
      <TextAreaField form={form} name="description" label="Description" wide />
      <TextField
        form={form}
        name="startTime"
        label="Start Time"
        type="datetime-local"
        max={LATEST}
      />
      <TextField form={form} name="endTime" label="End Time" type="datetime-local" max={LATEST} />
      {caseField && (
        <MatterField
          form={form}
          name="case"
          label="Case"
          picker={caseField}
          initial={matter?.id === form.getValues('case') ? matter : null}
        />
      )}
      <Controller
        control={form.control}
        name="assignedTo"
        render={({ field }) => (
          <FormField form={form} name="assignedTo" label="Assigned To">
            <AssigneeSelect {...field} now={task?.assignedTo ?? null} />
          </FormField>
        )}
      />
    </>
  );
}

interface AssigneeSelectProps {
  ref: RefCallBack;
  value: string;
  onChange: (id: string) => void;
  onBlur: () => void;
  /** The current assignee, who stays a choice even when deactivated since. */
  now: Person | null;
}

/** Assigns a task to one of the firm's active people. */
function AssigneeSelect({ ref, value, onChange, onBlur, now }: AssigneeSelectProps) {
  const { people, status, failure } = usePeople();
  const options = useMemo(() => {
    const active = people.filter((person) => person.active).map(assigneeOption);
    const isListed = now === null || active.some(({ id }) => id === now.id);
    return isListed ? active : [...active, assigneeOption(now)];
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

function assigneeOption(person: Person): Option {
  return { id: person.id, label: fullName(person) };
}

function emptyInputs(matter: Option | null, me: string | undefined): TaskInputs {
  const blank = { name: '', description: '', case: matter?.id ?? null, assignedTo: me ?? '' };
  return { ...blank, ...proposedTimes(new Date()) };
}

function fromText(about: TaskDialogProps['about']) {
  return about && { name: about.title, description: about.text };
}

function inInputs(task: Task): TaskInputs {
  const { name, description, startTime, endTime, case: caseId, assignedTo } = task;
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
        case: values.case ?? '',
        startTime: toInstant(values.startTime, task?.startTime),
        endTime: toInstant(values.endTime, task?.endTime),
      },
      context,
      options as never,
    );
}
