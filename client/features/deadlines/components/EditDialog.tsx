import { type Deadline, DeadlineDetailsSchema } from '@matterdesk/contract/deadlines.ts';
import {
  DateField,
  FormField,
  PersonSelect,
  TextAreaField,
  TextField,
} from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { changeDeadline } from '../api.ts';
import { daysOfText } from '../rules.ts';

const asDays = {
  setValueAs: (value: string | number[]) => (typeof value === 'string' ? daysOfText(value) : value),
};

/** Everything about a deadline except its date. */
export function EditDialog({ deadline, onClose }: { deadline: Deadline; onClose: () => void }) {
  const { id, title, note, workingDate, owner, second, warnDays, hard } = deadline;
  const details = { title, note, workingDate, warnDays };
  const saving = useSave(
    DeadlineDetailsSchema,
    { ...details, owner: owner?.id ?? '', second: second?.id ?? null },
    async (values, _, { formState }) => {
      const changed = Object.entries(values).filter(([name]) => name in formState.dirtyFields);
      if (changed.length > 0)
        await changeDeadline({ params: { id }, body: Object.fromEntries(changed) });
      onClose();
    },
  );
  const { form } = saving;
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
