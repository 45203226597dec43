import * as z from 'zod/mini';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { FormField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { toLocalInput } from '../../../ui/local-input.ts';
import { TextInput } from '../../../ui/TextInput.tsx';
import { changeIntake } from '../api.ts';
import { fromLocalInput } from '../rules.ts';

const ConsultationSchema = z.object({
  consultAt: z.string('Please enter the day and the time'),
});

interface ConsultationDialogProps {
  intake: Intake;
  onClose: () => void;
}

/** Moves an intake to its consultation, which has a day and a time. */
export function ConsultationDialog({ intake, onClose }: ConsultationDialogProps) {
  const { id, name, consultAt } = intake;
  const start = { consultAt: toLocalInput(consultAt) };
  const saving = useSave(ConsultationSchema, start, async (body) => {
    await changeIntake({ params: { id }, body: { stage: 'consultScheduled', ...body } });
    onClose();
  });
  const { form } = saving;
  return (
    <FormDialog
      saving={saving}
      title={`Consultation with ${name}`}
      submit="Move to Consultation"
      onClose={onClose}
    >
      <FormField form={form} name="consultAt" label="Consultation">
        <TextInput
          type="datetime-local"
          {...form.register('consultAt', { setValueAs: fromLocalInput })}
        />
      </FormField>
    </FormDialog>
  );
}
