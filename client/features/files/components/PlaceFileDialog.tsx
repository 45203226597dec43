import { useId } from 'react';
import { FilePatchSchema } from '@matterdesk/contract/files.ts';
import { TextField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { placeFile } from '../api.ts';
import { useLibrary } from '../hooks/use-library.ts';
import { libraryOf } from '../slice.ts';

interface PlaceFileDialogProps {
  folder: string;
  name: string;
  onClose: () => void;
}

/** 'Rename or move': another name, or another folder, which may be new. */
export function PlaceFileDialog({ folder, name, onClose }: PlaceFileDialogProps) {
  const { caseId } = useLibrary();
  const dispatch = useAppDispatch();
  const folders = useAppSelector(({ files }) => libraryOf(files, caseId)?.files);
  const listId = useId();
  const saving = useSave(FilePatchSchema, { name, folder }, async (patch) => {
    await dispatch(placeFile({ caseId, folder, name }, patch));
    onClose();
  });
  const { form } = saving;
  return (
    <FormDialog
      saving={saving}
      title="Rename or move"
      subtitle={name}
      submit="Save"
      size="small"
      onClose={onClose}
    >
      <TextField form={form} name="name" label="File name" required />
      <TextField form={form} name="folder" label="Folder" required list={listId} />
      <datalist id={listId}>
        {Object.keys(folders ?? {}).map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </FormDialog>
  );
}
