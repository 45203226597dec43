import { formatUrl } from '@lexical/link';
import * as z from 'zod/mini';
import { TextField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { Button } from '../../../ui/Button.tsx';
import { isAddressOfLink } from '../rules.formatting.ts';

/** The words of a link and where it leads; `isLink` when it is there already. */
export type LinkedWords = { text: string; address: string; isLink: boolean };

const LinkSchema = z.object({
  text: z.string().check(z.trim()),
  address: z.string().check(
    z.trim(),
    z.refine((address) => isAddressOfLink(formatUrl(address)), 'Enter a web or email address'),
  ),
});

interface LinkDialogProps {
  words: LinkedWords;
  /** An empty address removes the link. */
  onLink: (words: LinkedWords) => void;
  onClose: () => void;
}

/** Asks where a link leads, and for its words where none are selected. */
export function LinkDialog({ words, onLink, onClose }: LinkDialogProps) {
  const { text, address, isLink } = words;
  const saving = useSave(LinkSchema, { text, address }, async (link) => {
    onLink({ ...link, isLink });
  });
  return (
    <FormDialog
      saving={saving}
      size="small"
      title="Link"
      submit={isLink ? 'Change link' : 'Add link'}
      actions={
        isLink && <Button onClick={() => onLink({ text, address: '', isLink })}>Remove link</Button>
      }
      onClose={onClose}
    >
      {text === '' && <TextField form={saving.form} name="text" label="Text" optional />}
      <TextField form={saving.form} name="address" label="Address" />
    </FormDialog>
  );
}
