import { useWatch } from 'react-hook-form';
import {
  type ChangeAction,
  type Deadline,
  NewChangeSchema,
} from '@matterdesk/contract/deadlines.ts';
import {
  DateField,
  SelectField,
  TextAreaField,
  TextField,
  TimeField,
} from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { proposeChange } from '../api.ts';

const labels: Record<ChangeAction, string> = {
  move: 'Move the date',
  complete: 'Complete',
  vacate: 'Vacate',
  reopen: 'Reopen',
};

interface ChangeDialogProps {
  deadline: Deadline;
  /** The change that is chosen at first. */
  action?: ChangeAction;
  onClose: () => void;
}

/** A change with its reason; a change of a hard deadline waits for another person. */
export function ChangeDialog({ deadline, action: asked, onClose }: ChangeDialogProps) {
  const { id, hard, status, verified, time } = deadline;
  // A date that no one has verified is corrected instead.
  const isMovable = !hard || verified !== null;
  const choices: ChangeAction[] =
    status === 'open'
      ? [...(isMovable ? (['move'] as const) : []), 'complete', 'vacate']
      : ['reopen'];
  const first = asked ?? choices[0] ?? 'reopen';
  const blank = { action: first, date: null, time, reason: '', proof: '' };
  const saving = useSave(NewChangeSchema, blank, async (values) => {
    const body = values.action === 'move' ? values : { ...values, date: null };
    await proposeChange({ params: { id }, body });
    onClose();
  });
  const { form } = saving;
  const action = useWatch({ control: form.control, name: 'action' });
  return (
    <FormDialog
      saving={saving}
      title={hard ? 'Propose a change' : 'Change the deadline'}
      subtitle={
        hard ? 'Another person decides. Until then, the earlier date stays in effect.' : undefined
      }
      submit={hard ? 'Propose change' : 'Save change'}
      onClose={onClose}
    >
      <SelectField
        form={form}
        name="action"
        label="Change"
        placeholder="Select a change"
        options={choices.map((value) => ({ value, label: labels[value] }))}
        wide
      />
      {action === 'move' && (
        <>
          <DateField form={form} name="date" label="New date" nullable />
          <TimeField form={form} name="time" label="Time" />
        </>
      )}
      <TextAreaField form={form} name="reason" label="Reason" wide />
      {action === 'complete' && hard && (
        <TextField
          form={form}
          name="proof"
          label="Proof"
          hint="Proof of filing, such as a link to the stamped copy"
          wide
        />
      )}
    </FormDialog>
  );
}
