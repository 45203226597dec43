import { useMemo } from 'react';
import { ENTRY_FILES_MAX } from '@matterdesk/contract/stream.ts';
import { fileOfLink } from '../../../core/file-link.ts';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { MultiSelect } from '../../../ui/MultiSelect.tsx';
import type { AttachProps } from './Composer.tsx';

interface AttachDialogProps extends AttachProps {
  /** Null while they load. */
  urls: readonly string[] | null;
}

/** Chooses files of the matter for an entry. */
export function AttachDialog({ urls, value, onChange, onClose }: AttachDialogProps) {
  const options = useMemo(
    () =>
      (urls ?? []).map((url) => {
        const { name = url, folder = '' } = fileOfLink(url) ?? {};
        return { id: url, label: name, note: folder };
      }),
    [urls],
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title="Attach files"
      size="small"
      footer={<DialogClose>Done</DialogClose>}
    >
      <Field label="Files of this matter" hint={`At most ${ENTRY_FILES_MAX} files`}>
        <MultiSelect
          options={options}
          value={value}
          loading={urls === null}
          placeholder="Search files"
          onChange={(files) => onChange(files.slice(0, ENTRY_FILES_MAX))}
        />
      </Field>
    </Dialog>
  );
}
