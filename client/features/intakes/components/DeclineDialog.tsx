import { useState } from 'react';
import { declineReasons, DeclineSchema, type Intake } from '@matterdesk/contract/intakes.ts';
import { FormField, SelectField, TextAreaField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import type { ContactField } from '../../../core/slots.ts';
import type { Option } from '../../../ui/option.ts';
import { declineIntake } from '../api.ts';
import { reasonNames } from '../rules.ts';

const reasons = declineReasons.map((value) => ({ value, label: reasonNames[value] }));

export interface DeclineDialogProps {
  intake: Intake;
  /** Whether another lawyer takes it on. */
  isReferral: boolean;
  contactField: ContactField;
  onClose: () => void;
}

/** 'Decline' or 'Refer': to whom, why, and what to remember. */
export function DeclineDialog({ intake, isReferral, contactField, onClose }: DeclineDialogProps) {
  const [chosen, setChosen] = useState<Option | null>(null);
  const blank = { note: '', referredTo: null };
  const saving = useSave(DeclineSchema, blank, async (values, _, { setError }) => {
    if (isReferral && !values.referredTo)
      return setError('referredTo', { message: 'Select a contact' });
    await declineIntake({ params: { id: intake.id }, body: values });
    return onClose();
  });
  const { form } = saving;
  const title = isReferral ? 'Refer' : 'Decline';
  const Contacts = contactField;
  return (
    <FormDialog
      saving={saving}
      title={title}
      subtitle={`${intake.name} · intake ${intake.number}`}
      submit={title}
      size="small"
      onClose={onClose}
    >
      {isReferral && (
        <FormField
          form={form}
          name="referredTo"
          label="Referred to"
          hint="One of the firm’s contacts."
        >
          <Contacts
            value={chosen}
            onChange={(option) => {
              setChosen(option);
              form.setValue('referredTo', option?.id ?? null, { shouldDirty: true });
              form.clearErrors('referredTo');
            }}
          />
        </FormField>
      )}
      <SelectField
        form={form}
        name="reason"
        label="Reason"
        placeholder="Select a reason"
        options={reasons}
      />
      <TextAreaField
        form={form}
        name="note"
        label="Note"
        hint="Only your firm sees this. It is erased with the intake."
      />
    </FormDialog>
  );
}
