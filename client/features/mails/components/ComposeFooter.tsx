import Briefcase from 'lucide-react/icons/briefcase-business';
import Paperclip from 'lucide-react/icons/paperclip';
import Send from 'lucide-react/icons/send';
import Signature from 'lucide-react/icons/signature';
import Trash2 from 'lucide-react/icons/trash-2';
import { useRef } from 'react';
import { formatTime } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { FileInput } from '../../../ui/FileInput.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { SaveStatus } from '../hooks/use-draft-keeper.ts';

interface ComposeFooterProps {
  isSending: boolean;
  /** Whether files are being uploaded. */
  isAttaching: boolean;
  keeping: SaveStatus;
  savedAt: string | undefined;
  onFiles: (files: readonly File[]) => void;
  onLibrary: () => void;
  onSignature: () => void;
  onDiscard: () => void;
}

/** Send, attach and discard buttons, and whether the draft is saved. */
export function ComposeFooter(props: ComposeFooterProps) {
  const { isSending, isAttaching, keeping, savedAt, onFiles, onLibrary } = props;
  const { onSignature, onDiscard } = props;
  const files = useRef<HTMLInputElement>(null);
  return (
    <div className="flex flex-none items-center gap-1 border-t border-line px-3 py-2.5">
      <Button
        type="submit"
        variant="primary"
        icon={Send}
        busy={isSending}
        disabled={isAttaching}
        aria-keyshortcuts="Control+Enter"
      >
        Send Email
      </Button>
      <IconButton
        label="Attach files"
        icon={Paperclip}
        variant="quiet"
        onClick={() => files.current?.click()}
      />
      <IconButton label="Attach from a case" icon={Briefcase} variant="quiet" onClick={onLibrary} />
      <IconButton label="Signature" icon={Signature} variant="quiet" onClick={onSignature} />
      <KeepingMark keeping={keeping} savedAt={savedAt} />
      <IconButton label="Discard draft" icon={Trash2} variant="quiet" onClick={onDiscard} />
      <FileInput ref={files} multiple aria-label="Files to attach" onFiles={onFiles} />
    </div>
  );
}

interface KeepingMarkProps {
  keeping: SaveStatus;
  /** When the draft was last saved. */
  savedAt: string | undefined;
}

/** Whether and when the draft was saved to Gmail. Screen readers announce only failures. */
function KeepingMark({ keeping, savedAt }: KeepingMarkProps) {
  return (
    <div className="min-w-0 grow text-right text-note text-ink-3 tabular-nums">
      {keeping === 'saving' && 'Saving'}
      {keeping === 'idle' && savedAt !== undefined && (
        <>
          Saved
          <span className="max-[360px]:hidden">
            {' at '}
            <span className="whitespace-nowrap">{formatTime(savedAt)}</span>
          </span>
        </>
      )}
      <span role="status" className="text-amber">
        {keeping === 'failed' && 'Not saved'}
      </span>
    </div>
  );
}
