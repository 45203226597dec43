import Folders from 'lucide-react/icons/folders';
import { type ReactNode, useRef, useState } from 'react';
import type { Library } from '@matterdesk/contract/files.ts';
import { useResource } from '../../../core/use-resource.ts';
import { cx } from '../../../ui/cx.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useSearchText } from '../../../ui/use-search-text.ts';
import { caseLibrary } from '../api.ts';
import type { Sending } from '../api.uploads.ts';
import { untrainedUrls } from '../rules.ts';
import type { Dropped } from '../rules.dropped.ts';
import { AddFilesDialog } from './AddFilesDialog.tsx';
import { AddFolder } from './AddFolder.tsx';
import { Folder } from './Folder.tsx';
import { FolderChooser } from './FolderChooser.tsx';
import { FoundCount, SearchedFiles } from './SearchedFiles.tsx';
import { TrainAll } from './TrainAll.tsx';
import { TrainingProgress } from './TrainingProgress.tsx';
import { UndoBar } from './UndoBar.tsx';
import { LibraryContext, type LibraryActions } from './use-library.ts';
import { useAdding } from './use-adding.ts';
import { useDeletion } from './use-deletion.ts';
import { useDrop, useStayOnPage } from './use-drop.ts';
import { useTraining } from './use-training.ts';
import { useUploads } from './use-uploads.ts';

interface CaseFilesProps {
  caseId: string;
  /** Opens the chat about a trained file. */
  onAsk: (at: { folder: string; name: string }) => void;
  /** Opens the preview of a file. */
  onShow: (at: { folder: string; name: string }) => void;
}

/** The files of a case by folder. */
export function CaseFiles(props: CaseFilesProps) {
  const { caseId } = props;
  const { data: library, failure, refresh } = useResource(caseLibrary, caseId);
  return (
    <section
      aria-labelledby="files-title"
      className="mt-6 contain-inline-size border-t border-line pt-4"
    >
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
      {library ? (
        <FolderList key={caseId} library={library} {...props} />
      ) : failure ? (
        <ErrorState title="Couldn’t load the files" onRetry={refresh} />
      ) : (
        <Loading />
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
  const sendings = useUploads().filter((sending) => sending.caseId === caseId);
  const [open, setOpen] = useState<Readonly<Record<string, boolean>>>({});
  const show = (some: readonly string[], isOpen: boolean) =>
    setOpen((all) => ({ ...all, ...Object.fromEntries(some.map((folder) => [folder, isOpen])) }));
  // A new folder appears with its first upload.
  const folders = [...new Set([...Object.keys(library.files), ...sendings.map(folderOf)])].toSorted(
    byName,
  );
  const { adding, take, confirm, forget } = useAdding(caseId, folders, (some) => show(some, true));
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
        <DropPlace onDropped={(dropped) => take(null, dropped)} isEmpty={folders.length === 0}>
          {folders.map((folder, at) => (
            <Folder
              key={folder}
              folder={folder}
              urls={library.files[folder] ?? NONE}
              isOnly={folders.length === 1}
              isOpen={open[folder] ?? at === 0}
              onToggle={(isOpen) => show([folder], isOpen)}
              sendings={sendings.filter((sending) => sending.folder === folder)}
              onDropped={(dropped) => take(folder, dropped)}
            />
          ))}
        </DropPlace>
      ) : (
        <SearchedFiles search={search} hasUntrained={untrainedUrls(library).length > 0} />
      )}
      {adding && (
        <AddFilesDialog adding={adding} folders={folders} onAdd={confirm} onClose={forget} />
      )}
    </LibraryContext>
  );
}

interface DropPlaceProps {
  onDropped: (dropped: Dropped) => void;
  isEmpty: boolean;
  children: ReactNode;
}

/** The list of folders, which takes dropped files. */
function DropPlace({ onDropped, isEmpty, children }: DropPlaceProps) {
  const { isOver, ...drop } = useDrop(onDropped);
  return (
    <div {...drop} className={cx('transition-colors', isOver && 'rounded-small bg-accent-soft')}>
      <ul className="border-b border-line empty:hidden">{children}</ul>
      {isEmpty ? (
        <EmptyState
          icon={Folders}
          title="No folders yet"
          action={<FolderChooser onChosen={onDropped} />}
        >
          Add a folder, or drag documents and folders here.
        </EmptyState>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-2 py-2 text-sm text-ink-3">
          <p>Drag files onto a folder to upload.</p>
          <FolderChooser onChosen={onDropped} />
        </div>
      )}
    </div>
  );
}

const NONE: readonly string[] = [];
const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' }).compare;
const folderOf = ({ folder }: Sending) => folder;

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
