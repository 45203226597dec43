import { CorrectionSchema, type Deadline } from '@matterdesk/contract/deadlines.ts';
import { DateField, TextAreaField, TimeField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { changeDeadline } from '../api.ts';

/** Corrects a hard date that no one has verified; verification begins anew. */
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
