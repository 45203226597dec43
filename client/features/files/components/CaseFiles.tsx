import FolderPlus from 'lucide-react/icons/folder-plus';
import Folders from 'lucide-react/icons/folders';
import { useEffect, useState } from 'react';
import type { Library } from '@matterdesk/contract/files.ts';
import { useAppDispatch, useAppSelector } from '../../../app/store.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { loadLibrary } from '../api.ts';
import { AddFolder } from './AddFolder.tsx';
import { Folder } from './Folder.tsx';
import { UndoBar } from './UndoBar.tsx';
import { LibraryContext, type LibraryActions } from './use-library.ts';
import { useDeletion } from './use-deletion.ts';
import { useTraining } from './use-training.ts';
import { useUploads } from './use-uploads.ts';

interface CaseFilesProps {
  caseId: string;
  /** Chat was pressed on a trained file. */
  onAsk: (at: { folder: string; name: string }) => void;
  /** A file is to be seen beside the list. */
  onShow: (at: { folder: string; name: string }) => void;
}

/** The documents of a case in their folders. */
export function CaseFiles(props: CaseFilesProps) {
  const { caseId } = props;
  const dispatch = useAppDispatch();
  const epoch = useAppSelector((state) => state.socket.epoch);
  useEffect(() => {
    void dispatch(loadLibrary(caseId));
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- what happened while the line was down is asked for afresh
  }, [dispatch, caseId, epoch]);
  const library = useAppSelector(({ files }) => (files.caseId === caseId ? files.library : null));
  const hasFailed = useAppSelector(({ files }) => files.status === 'failed');
  return (
    <section
      aria-labelledby="files-title"
      className="mt-6 contain-inline-size border-t border-line pt-4"
    >
      <div className="mb-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h2 id="files-title" className="py-1.5 text-heading font-semibold">
          Files
        </h2>
        <AddFolder caseId={caseId} />
      </div>
      {library ? (
        <FolderList key={caseId} library={library} {...props} />
      ) : hasFailed ? (
        <ErrorState
          title="The files could not be loaded"
          onRetry={() => void dispatch(loadLibrary(caseId))}
        />
      ) : (
        <Loading />
      )}
    </section>
  );
}

function FolderList({ library, caseId, onAsk, onShow }: CaseFilesProps & { library: Library }) {
  const uploads = useUploads(caseId);
  const train = useTraining(caseId);
  const deletion = useDeletion(caseId);
  const [open, setOpen] = useState<Readonly<Record<string, boolean>>>({});
  const folders = Object.keys(library.files);
  const actions: LibraryActions = { caseId, onAsk, onShow, train, onDelete: deletion.take };
  const show = (folder: string, isOpen: boolean) =>
    setOpen((all) => ({ ...all, [folder]: isOpen }));
  return (
    <LibraryContext value={actions}>
      <UndoBar deletion={deletion} />
      {folders.length === 0 ? (
        <EmptyState icon={Folders} title="No folders yet">
          Add a folder; then drop the documents of the case on it.
        </EmptyState>
      ) : (
        <>
          <ul className="border-b border-line">
            {folders.map((folder, at) => (
              <Folder
                key={folder}
                folder={folder}
                urls={library.files[folder] ?? []}
                isOpen={open[folder] ?? at === 0}
                onToggle={(isOpen) => show(folder, isOpen)}
                uploads={uploads}
              />
            ))}
          </ul>
          <p className="mt-3 flex items-center gap-2 text-sm text-ink-3">
            <FolderPlus /> Drop files on a folder to add them.
          </p>
        </>
      )}
    </LibraryContext>
  );
}

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
