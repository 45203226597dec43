import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import {
  type ChangeAction,
  type Deadline,
  NewChangeSchema,
  CorrectionSchema,
  DeadlineDetailsSchema,
} from '@matterdesk/contract/deadlines.ts';
import { changedMembers } from '../../../core/changed-members.ts';
import {
  DateField,
  SelectField,
  TextAreaField,
  TextField,
  TimeField,
  FormField,
  PersonSelect,
} from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { fullName } from '../../../core/full-name.ts';
import { useOthersChanges } from '../../../core/others-changes.ts';
import { TextInput } from '../../../ui/TextInput.tsx';
import { proposeChange, changeDeadline } from '../api.ts';
import { daysOfText } from '../rules.ts';

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

/** Corrects a hard date that no one has verified; verification starts over. */
export function CorrectDialog({ deadline, onClose }: { deadline: Deadline; onClose: () => void }) {
  const blank = { date: '', time: deadline.time, reason: '' };
  const saving = useSave(CorrectionSchema, blank, async (values) => {
    await changeDeadline({ params: { id: deadline.id }, body: values });
    onClose();
  });
  const { form } = saving;
  return (
    <FormDialog
      saving={saving}
      title="Correct the date"
      subtitle="It changes at once, and another person verifies the new date."
      submit="Correct date"
      onClose={onClose}
    >
      <DateField form={form} name="date" label="Correct date" />
      <TimeField form={form} name="time" label="Time" />
      <TextAreaField form={form} name="reason" label="Reason" wide />
    </FormDialog>
  );
}

const asDays = {
  setValueAs: (value: string | number[]) => (typeof value === 'string' ? daysOfText(value) : value),
};

function toDetails({ title, note, workingDate, owner, second, warnDays }: Deadline) {
  const people = { owner: owner?.id ?? '', second: second?.id ?? null };
  return { title, note, workingDate, warnDays, ...people };
}

/** Everything about a deadline except its date. */
export function EditDialog({ deadline, onClose }: { deadline: Deadline; onClose: () => void }) {
  const { id, owner, second, warnDays, hard } = deadline;
  const now = useMemo(() => toDetails(deadline), [deadline]);
  const saving = useSave(DeadlineDetailsSchema, now, async (values) => {
    const body = changedMembers(now, values);
    if (Object.keys(body).length > 0) await changeDeadline({ params: { id }, body });
    onClose();
  });
  const { form } = saving;
  useOthersChanges(form, now, {
    ...(owner && { owner: fullName(owner) }),
    ...(second && { second: fullName(second) }),
    warnDays: warnDays.join(', '),
  });
  return (
    <FormDialog saving={saving} title="Edit deadline" submit="Save deadline" onClose={onClose}>
      <TextField form={form} name="title" label="Title" wide />
      <PersonSelect form={form} name="owner" label="Owner" />
      <PersonSelect form={form} name="second" label="Second" nullable />
      <DateField form={form} name="workingDate" label="Working date" nullable />
      <FormField
        form={form}
        name="warnDays"
        label="Warn days before"
        hint={hard ? 'A hard deadline can gain days but not lose them' : 'Such as 3, 0'}
      >
        <TextInput
          inputMode="numeric"
          {...form.register('warnDays', asDays)}
          defaultValue={warnDays.join(', ')}
        />
      </FormField>
      <TextAreaField form={form} name="note" label="Note" wide />
    </FormDialog>
  );
}
