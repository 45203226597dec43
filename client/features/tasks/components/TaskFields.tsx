import { Controller, type UseFormReturn } from 'react-hook-form';
import type { Task, TaskForm } from '@matterdesk/contract/tasks.ts';
import type { CaseField } from '../../../core/case-field.ts';
import { Field } from '../../../ui/Field.tsx';
import type { Option } from '../../../ui/option.ts';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { AssigneeSelect } from './AssigneeSelect.tsx';
import { CaseSelect } from './CaseSelect.tsx';
import type { TaskInputs } from './use-task-form.ts';

/** The last minute with a four-digit year. */
const LATEST = '9999-12-31T23:59';

interface TaskFieldsProps {
  form: UseFormReturn<TaskInputs, unknown, TaskForm>;
  task: Task | null;
  matter: Option | null;
  caseField: CaseField;
}

/** The fields of a task in their order; the times are those of the reader's own clock. */
export function TaskFields({ form, task, matter, caseField }: TaskFieldsProps) {
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
