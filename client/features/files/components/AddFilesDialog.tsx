import FolderClosed from 'lucide-react/icons/folder';
import { useState } from 'react';
import { counted, formatCount } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { sendFiles } from '../api.uploads.ts';
import {
  type DroppedFiles,
  MAX_ADDED,
  isObvious,
  type FolderBatch,
  toFolderBatches,
} from '../rules.dropped.ts';

interface AddFilesDialogProps {
  pending: PendingDrop;
  folders: readonly string[];
  /** Receives the folder for the files dropped outside of folders. */
  onAdd: (folder: string) => void;
  onClose: () => void;
}

/** Proposed when the case has no folders. */
const FIRST_FOLDER = 'Documents';

/** Asks before uploading many files or whole directories, and lists their folders. */
export function AddFilesDialog({ pending, folders, onAdd, onClose }: AddFilesDialogProps) {
  const { dropped } = pending;
  const isRefused = isTooMany(dropped) || dropped.found.length === 0;
  const names = folders.length > 0 ? folders : [FIRST_FOLDER];
  const [folder, setFolder] = useState(names[0] ?? FIRST_FOLDER);
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={isRefused ? 'Nothing was added' : `Add ${counted(dropped.found.length, 'file')}?`}
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(folder);
      }}
      footer={
        <>
          <DialogClose>{isRefused ? 'Close' : 'Cancel'}</DialogClose>
          {!isRefused && (
            <Button type="submit" variant="primary">
              Add files
            </Button>
          )}
        </>
      }
    >
      {isRefused ? (
        <p>{refusalOf(dropped)}</p>
      ) : (
        <Places pending={pending} names={names} folder={folder} onFolder={setFolder} />
      )}
    </Dialog>
  );
}

function refusalOf(dropped: DroppedFiles): string {
  return isTooMany(dropped)
    ? `It has more than ${formatCount(MAX_ADDED)} files. Add them in smaller groups.`
    : `It has no readable files. ${asideOf(dropped)}`.trim();
}

interface PlacesProps {
  pending: PendingDrop;
  names: readonly string[];
  folder: string;
  onFolder: (folder: string) => void;
}

function Places({ pending: { batches, dropped }, names, folder, onFolder }: PlacesProps) {
  const loose = batches.find((batch) => batch.folder === null);
  const bytes = dropped.found.reduce((sum, { file }) => sum + file.size, 0);
  return (
    <div className="grid gap-4">
      {loose && (
        <Field label={`Folder for ${counted(loose.files.length, 'file')}`}>
          <Select
            placeholder="Select a folder"
            options={names}
            value={folder}
            required
            onChange={(event) => onFolder(event.target.value || folder)}
          />
        </Field>
      )}
      <ul aria-label="Folders" className="max-h-60 overflow-y-auto">
        {batches.map((batch) => (
          <li key={batch.folder} className="flex items-center gap-2 py-1.5">
            <FolderClosed className="text-ink-2" />
            <bdi className="min-w-0 flex-1 wrap-anywhere">{batch.folder ?? folder}</bdi>
            <span className="flex-none text-sm text-ink-3 tabular-nums">
              {counted(batch.files.length, 'file')}
            </span>
          </li>
        ))}
      </ul>
      <p className="text-sm text-ink-2">
        {`${sizeInWords(bytes)} in total. Subfolders become “Folder - Subfolder”. ${asideOf(dropped)}`}
      </p>
    </div>
  );
}

/** The files left out, and why. */
function asideOf({ leftOut, unreadable }: DroppedFiles): string {
  return [
    leftOut > 0 ? `Skipped: ${counted(leftOut, 'file')} made by the operating system.` : '',
    unreadable > 0 ? `Couldn’t read: ${counted(unreadable, 'file')}.` : '',
  ].join(' ');
}

/** Files waiting for confirmation. */
type PendingDrop = { batches: readonly FolderBatch[]; dropped: DroppedFiles };

/**
 * Uploads dropped and chosen files to their folders, asking first when the result is not obvious.
 * @param onSent receives the folders
 */
export function useDropConfirmation(
  caseId: string,
  known: readonly string[],
  onSent: (folders: readonly string[]) => void,
) {
  const [pending, setPending] = useState<PendingDrop | null>(null);
  const send = (batches: readonly FolderBatch[], folder: string) => {
    for (const batch of batches) sendFiles({ caseId, folder: batch.folder ?? folder }, batch.files);
    onSent(batches.map((batch) => batch.folder ?? folder));
  };
  return {
    pending,
    /** `target` is null outside of folders. */
    take: (target: string | null, dropped: DroppedFiles) => {
      const batches = toFolderBatches(dropped.found, { target, known });
      if (target !== null && isObvious(batches, target)) send(batches, target);
      else setPending({ batches, dropped });
    },
    /** `folder` is for the files dropped outside of folders. */
    confirm: (folder: string) => {
      if (pending) send(pending.batches, folder);
      setPending(null);
    },
    forget: () => setPending(null),
  };
}

function isTooMany({ found }: DroppedFiles): boolean {
  return found.length > MAX_ADDED;
}
