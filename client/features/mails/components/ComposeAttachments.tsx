import Briefcase from 'lucide-react/icons/briefcase-business';
import Mail from 'lucide-react/icons/mail';
import Paperclip from 'lucide-react/icons/paperclip';
import X from 'lucide-react/icons/x';
import { IconButton } from '../../../ui/IconButton.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import type { Attached } from '../rules.writing.ts';
import type { PendingUpload } from './use-attaching.ts';

interface ComposeAttachmentsProps {
  attachments: readonly Attached[];
  pending: readonly PendingUpload[];
  /** Whether the whole forwarded mail is attached. */
  isForward: boolean;
  onRemoveOriginal: () => void;
  onRemove: (attached: Attached) => void;
  onCancel: (id: number) => void;
}

/** The attachments of the mail, and the uploads in progress. */
export function ComposeAttachments(props: ComposeAttachmentsProps) {
  const { attachments, pending, isForward, onRemoveOriginal, onRemove, onCancel } = props;
  if (attachments.length + pending.length === 0 && !isForward) return null;
  return (
    <ul aria-label="Attachments" className="max-h-36 flex-none overflow-y-auto px-3 pb-1">
      {isForward && (
        <li className="flex items-center gap-2">
          <Mail className="text-ink-3" />
          <span className="min-w-0 grow truncate">The original email, with its attachments</span>
          <IconButton
            label="Remove the original mail"
            icon={X}
            variant="quiet"
            size="small"
            onClick={onRemoveOriginal}
          />
        </li>
      )}
      {attachments.map((file) => (
        <li key={'upload' in file ? file.upload : file.url} className="flex items-center gap-2">
          {'upload' in file ? (
            <Paperclip className="text-ink-3" />
          ) : (
            <Briefcase className="text-ink-3" />
          )}
          <bdi className="min-w-0 grow truncate">{file.name}</bdi>
          <span className="flex-none text-sm text-ink-3 tabular-nums">
            {sizeInWords(file.size)}
          </span>
          <IconButton
            label={`Remove ${file.name}`}
            icon={X}
            variant="quiet"
            size="small"
            onClick={() => onRemove(file)}
          />
        </li>
      ))}
      {pending.map(({ id, name, size, share, failure }) => (
        <li key={id} className="flex items-center gap-2">
          <Paperclip className="text-ink-3" />
          <div className="min-w-0 grow">
            <div className="flex gap-2">
              <bdi className="min-w-0 grow truncate">{name}</bdi>
              <span className="flex-none text-sm text-ink-3 tabular-nums">{sizeInWords(size)}</span>
            </div>
            {failure === null ? (
              <ProgressBar label={`Uploading ${name}`} value={Math.round(share * 100)} max={100} />
            ) : (
              <p role="alert" className="text-note text-red">
                {failure}
              </p>
            )}
          </div>
          <IconButton
            label={failure === null ? `Cancel upload of ${name}` : `Forget ${name}`}
            icon={X}
            variant="quiet"
            size="small"
            onClick={() => onCancel(id)}
          />
        </li>
      ))}
    </ul>
  );
}
