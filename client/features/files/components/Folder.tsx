import ChevronRight from 'lucide-react/icons/chevron-right';
import FolderClosed from 'lucide-react/icons/folder';
import FolderOpen from 'lucide-react/icons/folder-open';
import { type DragEvent, useId, useMemo, useState } from 'react';
import { cx } from '../../../ui/cx.ts';
import { inOrder } from '../rules.ts';
import { FileList } from './FileList.tsx';
import { UploadButton } from './UploadButton.tsx';
import { UploadRow } from './UploadRow.tsx';
import type { useUploads } from './use-uploads.ts';

interface FolderProps {
  folder: string;
  urls: readonly string[];
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  uploads: ReturnType<typeof useUploads>;
}

/** A folder that opens, and takes what is dropped on it. */
export function Folder({ folder, urls, isOpen, onToggle, uploads }: FolderProps) {
  const id = useId();
  const ordered = useMemo(() => (isOpen ? inOrder(urls) : []), [isOpen, urls]);
  const sendings = uploads.sendings.filter((one) => one.folder === folder);
  const send = (files: readonly File[]) => {
    uploads.add(folder, files);
    onToggle(true);
  };
  const { isOver, ...drop } = useDrop(send);
  const Icon = isOpen ? FolderOpen : FolderClosed;
  return (
    <li
      {...drop}
      className={cx(
        'border-t border-line transition-colors',
        isOver && 'rounded-small bg-accent-soft',
      )}
    >
      <div className="flex items-center gap-2">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => onToggle(!isOpen)}
          className="flex h-10 min-w-0 flex-1 items-center gap-2 rounded-small pl-0.5 text-left pointer-coarse:h-11"
        >
          <ChevronRight className={cx('text-ink-2 transition-transform', isOpen && 'rotate-90')} />
          <Icon className="text-ink-2" />
          <span className="truncate font-medium">{folder}</span>
          <span className="text-sm text-ink-3">
            {urls.length.toLocaleString()}
            <span className="sr-only">{urls.length === 1 ? ' file' : ' files'}</span>
          </span>
        </button>
        <UploadButton label={`Upload to ${folder}`} onFiles={send} />
      </div>
      {isOpen && (
        <div id={id} className="pb-1.5 pl-6 max-sm:pl-2">
          {sendings.map((sending) => (
            <UploadRow
              key={sending.id}
              sending={sending}
              onCancel={() => uploads.cancel(sending.id)}
              onRetry={() => uploads.retry(sending)}
            />
          ))}
          {ordered.length > 0 && <FileList folder={folder} urls={ordered} />}
          {ordered.length === 0 && sendings.length === 0 && (
            <p className="py-2 pl-1 text-sm text-ink-3">This folder is empty.</p>
          )}
        </div>
      )}
    </li>
  );
}

function useDrop(onFiles: (files: readonly File[]) => void) {
  const [isOver, setIsOver] = useState(false);
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return {
    isOver,
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      const to = event.relatedTarget;
      if (!(to instanceof Node) || !event.currentTarget.contains(to)) setIsOver(false);
    },
    onDrop: (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setIsOver(false);
      const files = [...event.dataTransfer.files];
      if (files.length > 0) onFiles(files);
    },
  };
}
