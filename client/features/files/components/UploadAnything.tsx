import Upload from 'lucide-react/icons/upload';
import { useRef, useState } from 'react';
import type { CaseField } from '../../../core/slots.ts';
import { useResource } from '../../../core/use-resource.ts';
import { counted } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { FileInput } from '../../../ui/FileInput.tsx';
import type { Option } from '../../../ui/option.ts';
import { caseLibrary } from '../api.ts';
import { sendFiles } from '../api.uploads.ts';
import { useDrop } from '../hooks/use-drop.ts';
import { FolderField } from './FolderField.tsx';
import { useUploads, UploadList } from './UploadList.tsx';

/** The default folder. */
const FIRST_FOLDER = 'Messages';

interface UploadAnythingProps {
  /** Identifies what is open beside it; each keeps its own chosen case and waiting files. */
  place: string;
  /** The case of the current page. */
  proposed: Option | null;
  caseField: CaseField;
}

/** Uploads any files to a folder of a case, chosen before or after dropping them. */
export function UploadAnything({ place, proposed, caseField: CaseField }: UploadAnythingProps) {
  const [picked, setPicked] = useState<Readonly<Record<string, Option | null>>>({});
  const own = picked[place];
  const matter = own === undefined ? proposed : own;
  const { folder, setFolder, folders } = useFolder(matter?.id ?? null);
  const [waiting, setWaiting] = useState<Readonly<Record<string, readonly File[]>>>({});
  const held = waiting[place] ?? [];
  const uploads = useUploads();
  const send = (files: readonly File[]) => {
    if (matter) sendFiles({ caseId: matter.id, folder }, files);
    else setWaiting((all) => ({ ...all, [place]: [...(all[place] ?? []), ...files] }));
  };
  const forget = () => setWaiting((all) => ({ ...all, [place]: [] }));
  return (
    <section aria-label="Upload anything">
      <DropZone onFiles={send}>{matter ? `Save to ${matter.label}` : 'Choose a case'}</DropZone>
      <div className="mt-2 flex flex-col gap-2">
        <CaseField
          aria-label="Case of the files"
          withIcon
          value={matter}
          onChange={(option) => setPicked((all) => ({ ...all, [place]: option }))}
        />
        {matter && (
          <FolderField
            aria-label="Folder of the files"
            folder={folder}
            folders={folders}
            first={FIRST_FOLDER}
            onChange={setFolder}
          />
        )}
      </div>
      {held.length > 0 && (
        <HeldFiles
          count={held.length}
          isReady={matter !== null}
          onSend={() => {
            send(held);
            forget();
          }}
          onForget={forget}
        />
      )}
      <UploadList uploads={uploads} />
    </section>
  );
}

/** The folders of a case, and the chosen one. */
function useFolder(caseId: string | null) {
  const { data: library } = useResource(caseLibrary, caseId);
  const [chosen, setChosen] = useState<{ caseId: string | null; folder: string } | null>(null);
  const folders = library ? Object.keys(library.files) : [];
  const folder = chosen?.caseId === caseId && chosen ? chosen.folder : (folders[0] ?? FIRST_FOLDER);
  const setFolder = (name: string) => setChosen({ caseId, folder: name });
  return { folder, setFolder, folders };
}

interface HeldFilesProps {
  count: number;
  isReady: boolean;
  onSend: () => void;
  onForget: () => void;
}

function HeldFiles({ count, isReady, onSend, onForget }: HeldFilesProps) {
  const files = counted(count, 'file');
  return (
    <div role="status" className="mt-2 rounded-control bg-amber-soft px-3 py-2 text-sm text-amber">
      {isReady ? `${files} ready to be filed.` : `Choose a case for ${files}.`}
      <span className="mt-1.5 flex gap-2">
        <Button size="small" disabled={!isReady} onClick={onSend}>
          {`Upload ${files}`}
        </Button>
        <Button size="small" variant="quiet" onClick={onForget}>
          Cancel
        </Button>
      </span>
    </div>
  );
}

interface DropZoneProps {
  onFiles: (files: readonly File[]) => void;
  children: string;
}

function DropZone({ onFiles, children }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = (files: readonly File[]) => {
    if (files.length > 0) onFiles(files);
  };
  const { isOver, ...drop } = useDrop(({ found }) => take(found.map(({ file }) => file)));
  return (
    <>
      <button
        type="button"
        onClick={() => input.current?.click()}
        {...drop}
        className={cx(
          'flex w-full flex-col items-center rounded-lane border border-dashed px-3 py-4 text-center transition-colors',
          isOver ? 'border-accent bg-accent-soft' : 'border-line-strong hover:bg-hover',
        )}
      >
        <Upload className="pointer-events-none mb-0.5 text-ink-2" />
        <span className="pointer-events-none font-book">Upload anything</span>
        <span className="pointer-events-none max-w-full truncate text-sm text-ink-2">
          {children}
        </span>
      </button>
      <FileInput ref={input} multiple aria-label="Files to upload" onFiles={take} />
    </>
  );
}
