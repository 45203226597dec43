import FileSearch from 'lucide-react/icons/file-search';
import FolderPlus from 'lucide-react/icons/folder-plus';
import FolderUp from 'lucide-react/icons/folder-up';
import Folders from 'lucide-react/icons/folders';
import Undo2 from 'lucide-react/icons/undo-2';
import Upload from 'lucide-react/icons/upload';
import X from 'lucide-react/icons/x';
import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { FOLDER_REQUIRED, folderName, type Library } from '@matterdesk/contract/files.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import { CallError } from '../../../api.ts';
import { nameOfUrl } from '../../../core/file-link.ts';
import { actedOnCase } from '../../../core/filed.ts';
import { Pending } from '../../../core/Pending.tsx';
import { useAppDispatch } from '../../../core/store.ts';
import { succeeds, useAttempt } from '../../../core/use-attempt.ts';
import { useResource } from '../../../core/use-resource.ts';
import { counted, formatCount } from '../../../core/words.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { FileInput } from '../../../ui/FileInput.tsx';
import { focusElement, focusRow } from '../../../ui/focus.ts';
import { Marked } from '../../../ui/Marked.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { SearchInput, useSearchText } from '../../../ui/SearchInput.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { caseLibrary, createFolder, deleteFile, foundFiles, restoreFile } from '../api.ts';
import type { PendingUpload } from '../api.uploads.ts';
import { useDrop, useStayOnPage } from '../hooks/use-drop.ts';
import { type LibraryActions, LibraryContext, useLibrary } from '../hooks/use-library.ts';
import { useTraining } from '../hooks/use-training.ts';
import { filesOfDirectory, type DroppedFiles } from '../rules.dropped.ts';
import { batchOf, untrainedUrls } from '../rules.ts';
import { useDropConfirmation, AddFilesDialog } from './AddFilesDialog.tsx';
import { FileRow, Folder, TrainAll } from './Folder.tsx';
import { useUploads } from './UploadList.tsx';

interface CaseFilesProps {
  caseId: string;
  /** Opens the chat about a trained file. */
  onAsk: (at: { folder: string; name: string }) => void;
  /** Opens the preview of a file. */
  onShow: (at: { folder: string; name: string; version?: number }) => void;
}

/** The files of a case by folder. */
export function CaseFiles(props: CaseFilesProps) {
  const { caseId } = props;
  const library = useResource(caseLibrary, caseId);
  return (
    <section aria-labelledby="files-title" className="contain-inline-size">
      <div className="mb-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h2
          id="files-title"
          tabIndex={-1}
          className="py-1.5 outline-none text-heading font-semibold"
        >
          Files
        </h2>
        <AddFolder caseId={caseId} />
      </div>
      {library.data ? (
        <FolderList key={caseId} library={library.data} {...props} />
      ) : (
        <Pending of={library} what="the files">
          <Loading />
        </Pending>
      )}
    </section>
  );
}

function FolderList({ library, caseId, onAsk, onShow }: CaseFilesProps & { library: Library }) {
  const training = useTraining(caseId);
  const top = useRef<HTMLDivElement>(null);
  const [search, setSearch] = useState('');
  const [text, setText] = useSearchText(search, setSearch);
  const count = Object.keys(library.details).length;
  const isSearchable = count > 0 || text !== '';
  const deletion = useDeletion(caseId);
  const uploads = useUploads().filter((upload) => upload.caseId === caseId);
  const [open, setOpen] = useState<Readonly<Record<string, boolean>>>({});
  const show = (some: readonly string[], isOpen: boolean) =>
    setOpen((all) => ({ ...all, ...Object.fromEntries(some.map((folder) => [folder, isOpen])) }));
  // A new folder appears with its first upload.
  const folders = [...new Set([...Object.keys(library.files), ...uploads.map(folderOf)])].toSorted(
    byName,
  );
  const { pending, take, confirm, forget } = useDropConfirmation(caseId, folders, (some) =>
    show(some, true),
  );
  useStayOnPage();
  const actions: LibraryActions = { caseId, onAsk, onShow, ...training, onDelete: deletion.take };
  return (
    <LibraryContext value={actions}>
      <div ref={top} tabIndex={-1} className="outline-none">
        {isSearchable && (
          <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
            <SearchInput
              value={text}
              onChange={setText}
              placeholder="Search names and text"
              className="min-w-48 flex-1"
            />
            <FoundCount search={search} of={count} />
            <TrainAll home={top} />
          </div>
        )}
        <TrainingProgress training={library.training} />
      </div>
      <UndoBar deletion={deletion} />
      {search === '' ? (
        <DropPlace
          onDropped={(dropped) => take(null, dropped)}
          onFiles={(files) => take(DEFAULT_FOLDER, filesOfDirectory(files))}
          isEmpty={folders.length === 0}
        >
          {folders.map((folder, at) => (
            <Folder
              key={folder}
              folder={folder}
              urls={library.files[folder] ?? NONE}
              isOnly={folders.length === 1}
              isOpen={open[folder] ?? at === 0}
              onToggle={(isOpen) => show([folder], isOpen)}
              uploads={uploads.filter((upload) => upload.folder === folder)}
              onDropped={(dropped) => take(folder, dropped)}
            />
          ))}
        </DropPlace>
      ) : (
        <SearchedFiles search={search} hasUntrained={untrainedUrls(library).length > 0} />
      )}
      {pending && (
        <AddFilesDialog pending={pending} folders={folders} onAdd={confirm} onClose={forget} />
      )}
    </LibraryContext>
  );
}

/** The folder of files that were uploaded without choosing one. */
const DEFAULT_FOLDER = 'Documents';

interface DropPlaceProps {
  onDropped: (dropped: DroppedFiles) => void;
  /** Files for the default folder. */
  onFiles: (files: File[]) => void;
  isEmpty: boolean;
  children: ReactNode;
}

/** The list of folders, which takes dropped files. */
function DropPlace({ onDropped, onFiles, isEmpty, children }: DropPlaceProps) {
  const { isOver, ...drop } = useDrop(onDropped);
  const choosers = (
    <span className="flex flex-wrap gap-1">
      <FileChooser onFiles={onFiles} />
      <FolderChooser onChosen={onDropped} />
    </span>
  );
  return (
    <div {...drop} className={cx('transition-colors', isOver && 'rounded-small bg-accent-soft')}>
      <ul className="border-b border-line empty:hidden">{children}</ul>
      {isEmpty ? (
        <EmptyState icon={Folders} title="No folders yet" action={choosers}>
          Upload files to the folder {DEFAULT_FOLDER}, add a folder, or drag documents and folders
          here.
        </EmptyState>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-2 py-2 text-sm text-ink-3">
          <p>Drag files onto a folder to upload.</p>
          {choosers}
        </div>
      )}
    </div>
  );
}

const NONE: readonly string[] = [];
const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' }).compare;
const folderOf = ({ folder }: PendingUpload) => folder;

function Loading() {
  return (
    <div aria-busy="true" className="border-y border-line">
      <span className="sr-only">Loading the files</span>
      {['w-40', 'w-28', 'w-32'].map((width) => (
        <div key={width} className="flex h-10 items-center border-b border-line last:border-b-0">
          <Skeleton className={`h-4 ${width}`} />
        </div>
      ))}
    </div>
  );
}

/** One progress for all files of a case that are being trained. */
function TrainingProgress({ training }: Pick<Library, 'training'>) {
  const [seen, setSeen] = useState(() => ({ training, ...batchOf([], training) }));
  if (seen.training !== training) setSeen({ training, ...batchOf(seen.urls, training) });
  const { batch } = seen;
  // A single file shows its own progress.
  if (!batch || batch.of < 2) return null;
  const { of, trained, failed } = batch;
  return (
    <div className="mb-2">
      <p role="status" className="mb-1 text-sm text-ink-2 tabular-nums">
        {`${formatCount(trained)} of ${formatCount(of)} trained`}
        {failed > 0 && `, ${formatCount(failed)} failed`}
      </p>
      <ProgressBar label="Training" value={trained + failed} max={of} />
    </div>
  );
}

/** Offers to undo a deletion until dismissed, without a time limit. */
function UndoBar({ deletion: { deleted, isBusy, undo, forget } }: { deletion: Deletion }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The pressed button was removed with its file.
    if (deleted) button.current?.focus({ preventScroll: true });
  }, [deleted]);
  return (
    <div role="status">
      {deleted && (
        <div className="mb-2 flex items-center gap-2 rounded-card bg-sunken py-1 pr-1 pl-3">
          <p className="min-w-0 flex-1 truncate">
            Deleted <span className="font-medium">{deleted.name}</span>
          </p>
          <Button ref={button} size="small" icon={Undo2} busy={isBusy} onClick={() => void undo()}>
            Undo
          </Button>
          <IconButton label="Dismiss" icon={X} variant="quiet" size="small" onClick={forget} />
        </div>
      )}
    </div>
  );
}

/** Chooses one file or several, which need no folder first. */
function FileChooser({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="small" variant="quiet" icon={Upload} onClick={() => input.current?.click()}>
        Upload files
      </Button>
      <FileInput
        ref={input}
        multiple
        aria-label={`Files to upload to ${DEFAULT_FOLDER}`}
        onFiles={onFiles}
      />
    </>
  );
}

/** Chooses a whole directory, as an alternative to dragging. */
function FolderChooser({ onChosen }: { onChosen: (dropped: DroppedFiles) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="small" variant="quiet" icon={FolderUp} onClick={() => input.current?.click()}>
        Upload folder
      </Button>
      <FileInput
        directory
        ref={input}
        aria-label="Folder to upload"
        onFiles={(files) => onChosen(filesOfDirectory(files))}
      />
    </>
  );
}

type Deletion = {
  /** The last deleted file. */
  deleted: { url: string; name: string } | null;
  isBusy: boolean;
  take: (at: { folder: string; url: string }) => Promise<void>;
  undo: () => Promise<void>;
  forget: () => void;
};

/** Deletes files, and restores the last one. */
function useDeletion(caseId: string): Deletion {
  const dispatch = useAppDispatch();
  const [deleted, setDeleted] = useState<Deletion['deleted']>(null);
  const { isBusy, attempt } = useAttempt();
  const restored = useRef<string>(undefined);
  useEffect(() => {
    const url = restored.current;
    if (deleted || url === undefined) return;
    // The pressed button was removed with its bar.
    restored.current = undefined;
    void focusRow(url, 'files-title');
  }, [deleted]);
  const take = async ({ folder, url }: { folder: string; url: string }) => {
    // The call shows its own error.
    const isDone = await succeeds(dispatch(deleteFile({ caseId, folder, url })));
    if (isDone) setDeleted({ url, name: nameOfUrl(url) });
  };
  const undo = async () => {
    if (!deleted) return;
    await attempt(deleted.url, async () => {
      const { url } = await restoreFile({ body: { url: deleted.url } });
      dispatch(actedOnCase(caseId));
      await dispatch(caseLibrary.refresh(caseId));
      restored.current = url;
      setDeleted(null);
    });
  };
  const forget = () => {
    setDeleted(null);
    focusElement('files-title');
  };
  return { deleted, isBusy, take, undo, forget };
}

/** Milliseconds during which the news of several files are combined into one fetch. */
const BATCH_MS = 300;

interface SearchedFilesProps {
  search: string;
  /** Only the texts of trained files are searched. */
  hasUntrained: boolean;
}

/** The files that a search found, with what it found in their texts. */
function SearchedFiles({ search, hasUntrained }: SearchedFilesProps) {
  const { caseId } = useLibrary();
  const query = { caseId, search };
  const { data, status, failure, refresh, grow } = useResource(foundFiles, query, {
    batchMs: BATCH_MS,
  });
  const words = searchWords(search);
  if (!data)
    return failure ? (
      <ErrorState title="Couldn’t search the files" detail={failure.message} onRetry={refresh} />
    ) : (
      <div aria-busy="true" className="min-h-40" />
    );
  if (data.files.length === 0)
    return (
      <EmptyState icon={FileSearch} title="No files found">
        {hasUntrained ? 'The text of files is searched once they are trained.' : 'Try fewer words.'}
      </EmptyState>
    );
  return (
    <>
      <ul aria-label="Files found" className="border-y border-line">
        {data.files.map(({ url, folder, excerpt }) => (
          <li key={url} data-row={url} className="border-t border-line first:border-t-0">
            <FileRow folder={folder} url={url} words={words} />
            {excerpt !== null && (
              <p className="mb-2 line-clamp-2 pr-1 pl-7.5 text-sm text-ink-2 wrap-anywhere">
                <Marked text={excerpt} words={words} />
              </p>
            )}
          </li>
        ))}
      </ul>
      {data.nextCursor !== null && (
        <Button size="small" busy={status === 'growing'} onClick={grow} className="my-2">
          Show more
        </Button>
      )}
    </>
  );
}

/** '3 of 31 files', for the case's own count. */
function FoundCount({ search, of }: { search: string; of: number }) {
  const { caseId } = useLibrary();
  const { data } = useResource(foundFiles, search === '' ? null : { caseId, search });
  const found = data ? `${formatCount(data.total, data.totalIsCapped)} of ` : '';
  return (
    <p role="status" className="text-sm whitespace-nowrap text-ink-3 tabular-nums">
      {search === '' || data ? `${found}${counted(of, 'file')}` : ''}
    </p>
  );
}

/** The form of a new folder. */
function AddFolder({ caseId }: { caseId: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { name, change, error, isBusy, submit } = useNewFolder(caseId);
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    // Not after the reply, when the focus may be in another field.
    input.current?.focus();
    void submit();
  };
  return (
    <form noValidate onSubmit={handleSubmit} className="min-w-0 max-sm:w-full">
      <div className="flex gap-2">
        <TextInput
          ref={input}
          aria-label="Folder name"
          placeholder="Folder name"
          autoComplete="off"
          value={name}
          onChange={(event) => change(event.target.value)}
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : id}
          className="sm:w-50"
        />
        <Button type="submit" icon={FolderPlus} busy={isBusy} className="h-9!">
          Add Folder
        </Button>
      </div>
      {error !== null && (
        <p id={id} role="alert" className="mt-1 text-note/[1.125rem] text-red">
          {error}
        </p>
      )}
    </form>
  );
}

function useNewFolder(caseId: string) {
  const dispatch = useAppDispatch();
  const [name, setName] = useState('');
  const [error, setError] = useState<string | null>(null);
  const { isBusy, attempt } = useAttempt();
  const submit = async () => {
    const read = folderName.safeParse(name);
    if (!read.success) {
      setError(read.error.issues[0]?.message ?? FOLDER_REQUIRED);
      return;
    }
    await attempt(read.data, async () => {
      try {
        await dispatch(createFolder(caseId, read.data));
      } catch (failure) {
        if (failure instanceof CallError && failure.status !== 0) setError(failure.message);
        throw failure;
      }
      // Another name may have been begun meanwhile.
      setName((now) => (now === name ? '' : now));
    });
  };
  const change = (text: string) => {
    setName(text);
    setError(null);
  };
  return { name, change, error, isBusy, submit };
}
