import { type ComponentProps, type SubmitEvent, useState, useMemo } from 'react';
import type { Library } from '@matterdesk/contract/files.ts';
import { Pending } from '../../../core/Pending.tsx';
import type { CaseField } from '../../../core/slots.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import type { Option } from '../../../ui/option.ts';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import type { DraftAttachment } from '../rules.draft.ts';

type LibraryRead = ComponentProps<typeof Pending>['of'] & { data: Library | null };

interface LibraryPickerProps {
  caseField: CaseField;
  /** The case whose files are shown. */
  matter: Option | null;
  library: LibraryRead;
  onMatter: (matter: Option | null) => void;
  onClose: () => void;
  onPick: (files: DraftAttachment[]) => void;
}

/** Chooses files of a case to attach to a mail. */
export function LibraryPicker(props: LibraryPickerProps) {
  const { matter, library, onMatter, onClose, onPick } = props;
  const [picked, setPicked] = useState<ReadonlyMap<string, DraftAttachment>>(new Map());
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    onPick([...picked.values()]);
    onClose();
  };
  const toggle = (file: Extract<DraftAttachment, { url: string }>) => {
    const next = new Map(picked);
    if (!next.delete(file.url)) next.set(file.url, file);
    setPicked(next);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Attach from a case"
      onSubmit={handleSubmit}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" disabled={picked.size === 0}>
            {picked.size > 1 ? `Attach ${picked.size} files` : 'Attach'}
          </Button>
        </>
      }
    >
      <Field label="Case">
        <props.caseField
          value={matter}
          onChange={(option) => {
            onMatter(option);
            setPicked(new Map());
          }}
        />
      </Field>
      {matter && <Files library={library} picked={picked} onToggle={toggle} />}
    </Dialog>
  );
}

interface FilesProps {
  library: LibraryRead;
  picked: ReadonlyMap<string, DraftAttachment>;
  onToggle: (file: Extract<DraftAttachment, { url: string }>) => void;
}

function Files({ library, picked, onToggle }: FilesProps) {
  const folders = useMemo(() => library.data && foldersOf(library.data), [library.data]);
  if (!folders)
    return (
      <Pending of={library} what="the files">
        <div className="mt-5 flex flex-col gap-3">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-4 w-2/3" />
        </div>
      </Pending>
    );
  if (folders.length === 0) return <p className="mt-5 text-ink-2">This case has no files yet.</p>;
  return folders.map(({ name, files }) => (
    <fieldset key={name} className="mt-5 min-w-0">
      <legend className="mb-1 text-sm font-medium">
        <bdi>{name}</bdi>
      </legend>
      {files.map((file) => (
        <Checkbox
          key={file.url}
          checked={picked.has(file.url)}
          onChange={() => onToggle(file)}
          label={
            <span className="wrap-anywhere">
              <bdi>{file.name}</bdi>{' '}
              <span className="text-sm text-ink-3 tabular-nums">{sizeInWords(file.size)}</span>
            </span>
          }
        />
      ))}
    </fieldset>
  ));
}

/** The non-empty folders of a case. */
function foldersOf({ files, details }: Library) {
  return Object.entries(files)
    .map(([name, urls]) => ({
      name,
      files: urls.flatMap((url) => {
        const detail = details[url];
        return detail ? [{ url, name: detail.name, size: detail.size }] : [];
      }),
    }))
    .filter(({ files: held }) => held.length > 0);
}
