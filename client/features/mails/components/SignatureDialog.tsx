import { SignatureSchema } from '@matterdesk/contract/mails.ts';
import { TextAreaField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { changeSignature } from '../api.signature.ts';

interface SignatureDialogProps {
  signature: string;
  onSaved: (signature: string) => void;
  onClose: () => void;
}

/** The text that new mails and answers end with, above what they quote. */
export function SignatureDialog({ signature, onSaved, onClose }: SignatureDialogProps) {
  const saving = useSave(SignatureSchema, { signature }, async (body) => {
    onSaved((await changeSignature({ body })).signature);
    onClose();
  });
  return (
    <FormDialog
      saving={saving}
      size="small"
      title="Signature"
      subtitle="Added to new emails and replies, including this one."
      submit="Save signature"
      onClose={onClose}
    >
      <TextAreaField form={saving.form} name="signature" label="Signature" rows={5} />
    </FormDialog>
  );
}
