import { useState } from 'react';
import { columnTitles, type ColumnId } from '@matterdesk/contract/columns.ts';
import type { Task } from '@matterdesk/contract/tasks.ts';
import type { CaseField } from '../../../core/case-field.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import type { Option } from '../../../ui/option.ts';
import { DeleteTask } from './DeleteTask.tsx';
import { TaskFields } from './TaskFields.tsx';
import { useTaskForm } from './use-task-form.ts';

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
