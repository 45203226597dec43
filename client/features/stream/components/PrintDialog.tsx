import { useId } from 'react';
import { type StreamPrint, StreamPrintSchema } from '@matterdesk/contract/stream.ts';
import { TextField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { printStream } from '../api.ts';

/** The filters under which a stream is shown. */
export type StreamFilters = Omit<StreamPrint, 'folder'>;

const FOLDER = 'Stream';

interface PrintDialogProps {
  caseId: string;
  filters: StreamFilters;
  /** Folders of the matter, from which one is chosen; a new name makes another. */
  folders: readonly string[];
  onClose: () => void;
}

/** 'Save as PDF': the stream, as it is filtered, in a folder of its matter. */
export function PrintDialog({ caseId, filters, folders, onClose }: PrintDialogProps) {
  const listId = useId();
  const saving = useSave(StreamPrintSchema, { ...filters, folder: FOLDER }, async (body) => {
    await printStream({ params: { id: caseId }, body });
    onClose();
  });
  const { form } = saving;
  return (
    <FormDialog
      saving={saving}
      title="Save the stream as PDF"
      subtitle="With the current filters, and only what everyone with access can see."
      submit="Save"
      size="small"
      onClose={onClose}
    >
      <TextField form={form} name="folder" label="Folder" required list={listId} wide />
      <datalist id={listId}>
        {folders.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </FormDialog>
  );
}
