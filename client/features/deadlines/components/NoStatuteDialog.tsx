import { NoStatuteSchema } from '@matterdesk/contract/cases.ts';
import { TextAreaField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { declineStatute } from '../api.ts';

interface NoStatuteDialogProps {
  matter: { id: string; caseName: string };
  onClose: () => void;
}

/** Asks why no statute of limitations applies to a matter. */
export function NoStatuteDialog({ matter, onClose }: NoStatuteDialogProps) {
  const saving = useSave(NoStatuteSchema, { reason: '' }, async (body) => {
    await declineStatute({ params: { id: matter.id }, body });
    onClose();
  });
  return (
    <FormDialog
      saving={saving}
      title="No statute applies"
      subtitle={matter.caseName}
      submit="Save reason"
      size="small"
      onClose={onClose}
    >
      <TextAreaField
        form={saving.form}
        name="reason"
        label="Reason"
        hint="Kept in the record. Entering an SOL later ends it."
        required
        rows={3}
      />
    </FormDialog>
  );
}
