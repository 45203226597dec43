import RotateCw from 'lucide-react/icons/rotate-cw';
import X from 'lucide-react/icons/x';
import { useSyncExternalStore } from 'react';
import { counted } from '../../../core/words.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import {
  dropUploads,
  sendAgain,
  type PendingUpload,
  allUploads,
  onUploads,
} from '../api.uploads.ts';
import { percent } from '../rules.ts';

/** Maximum rows; the rest are counted. */
const MAX_SHOWN = 12;

/** Uploads: failed ones first, then those in progress. */
export function UploadList({ uploads }: { uploads: readonly PendingUpload[] }) {
  const failed = uploads.filter(({ failure }) => failure !== null);
  const going = uploads.filter(({ failure }) => failure === null);
  const hidden = uploads.length - MAX_SHOWN;
  return (
    <>
      {[...failed, ...going].slice(0, MAX_SHOWN).map((upload) => (
        <UploadRow
          key={upload.id}
          upload={upload}
          onCancel={() => dropUploads([upload])}
          onRetry={() => sendAgain([upload])}
        />
      ))}
      {uploads.length > 1 && (
        <div className="flex min-h-[38px] flex-wrap items-center justify-end gap-2 pl-1 text-sm text-ink-2">
          {hidden > 0 && <span className="mr-auto">{`and ${counted(hidden, 'file')} more`}</span>}
          {failed.length > 1 && (
            <Button size="small" icon={RotateCw} onClick={() => sendAgain(failed)}>
              Try all again
            </Button>
          )}
          <Button size="small" variant="quiet" onClick={() => dropUploads(uploads)}>
            {going.length > 0 ? 'Cancel all' : 'Clear all'}
          </Button>
        </div>
      )}
    </>
  );
}

interface UploadRowProps {
  upload: PendingUpload;
  onCancel: () => void;
  onRetry: () => void;
}

/** An upload with its progress or failure. */
function UploadRow({ upload, onCancel, onRetry }: UploadRowProps) {
  const { file, name, share, failure } = upload;
  return (
    <div className="flex min-h-[38px] items-center gap-3 py-1 pl-1">
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-3">
          <span className="truncate">
            {name === undefined ? file.name : `${name}: new version`}
          </span>
          <span className="ml-auto flex-none text-sm text-ink-3 tabular-nums">
            {failure === null ? percent(share) : sizeInWords(file.size)}
          </span>
        </div>
        {failure === null ? (
          <div className="mt-1">
            <ProgressBar
              label={`Uploading ${file.name}`}
              value={Math.round(share * 100)}
              max={100}
            />
          </div>
        ) : (
          <p role="alert" className="text-note text-red">
            {failure}
          </p>
        )}
      </div>
      {failure !== null && (
        <Button
          size="small"
          icon={RotateCw}
          aria-label={`Upload ${file.name} again`}
          onClick={onRetry}
        >
          Try again
        </Button>
      )}
      <IconButton
        label={failure === null ? `Cancel upload of ${file.name}` : `Forget ${file.name}`}
        icon={X}
        variant="quiet"
        size="small"
        onClick={onCancel}
      />
    </div>
  );
}

/** Uploads without a case. */
export function UnfiledUploads() {
  const uploads = useUploads().filter(({ caseId }) => caseId === '');
  if (uploads.length === 0) return null;
  return (
    <div className="border-t border-line px-4 py-2">
      <UploadList uploads={uploads} />
    </div>
  );
}

/** The files on their way, as they stand. */
export function useUploads(): readonly PendingUpload[] {
  return useSyncExternalStore(onUploads, allUploads);
}
