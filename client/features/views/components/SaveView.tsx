import { NewViewSchema, type ViewPage } from '@matterdesk/contract/views.ts';
import { TextField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { saveView } from '../api.ts';

interface SaveViewProps {
  page: ViewPage;
  query: string;
  onClose: () => void;
}

/** Names the filters of a list, so that they can be chosen again. */
export function SaveView({ page, query, onClose }: SaveViewProps) {
  const saving = useSave(NewViewSchema, { page, name: '', query }, async (body) => {
    await saveView({ body });
    onClose();
  });
  return (
    <FormDialog
      saving={saving}
      size="small"
      title="Save this view"
      subtitle="Its search, filters and order, for you alone."
      submit="Save view"
      onClose={onClose}
    >
      <TextField form={saving.form} name="name" label="Name" required />
    </FormDialog>
  );
}
