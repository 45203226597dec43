import RotateCw from 'lucide-react/icons/rotate-cw';
import X from 'lucide-react/icons/x';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { percent } from '../rules.ts';
import type { Sending } from '../api.uploads.ts';

interface UploadRowProps {
  sending: Sending;
  onCancel: () => void;
  onRetry: () => void;
}

/** An upload with its progress or failure. */
export function UploadRow({
  sending: { file, share, failure },
  onCancel,
  onRetry,
}: UploadRowProps) {
  return (
    <div className="flex min-h-[38px] items-center gap-3 py-1 pl-1">
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-3">
          <span className="truncate">{file.name}</span>
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
