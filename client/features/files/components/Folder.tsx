import ChevronRight from 'lucide-react/icons/chevron-right';
import FolderClosed from 'lucide-react/icons/folder';
import FolderOpen from 'lucide-react/icons/folder-open';
import { useId, useMemo, useRef } from 'react';
import { cx } from '../../../ui/cx.ts';
import type { Sending } from '../api.uploads.ts';
import { inOrder } from '../rules.ts';
import { chosen, type Dropped } from '../rules.dropped.ts';
import { FileList } from './FileList.tsx';
import { TrainAll } from './TrainAll.tsx';
import { UploadButton } from './UploadButton.tsx';
import { UploadList } from './UploadList.tsx';
import { useDrop } from './use-drop.ts';

interface FolderProps {
  folder: string;
  urls: readonly string[];
  /** The case has no other folder. */
  isOnly: boolean;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  /** The uploads to this folder. */
  sendings: readonly Sending[];
  onDropped: (dropped: Dropped) => void;
}

/** A folder that expands, and accepts dropped files. */
export function Folder(props: FolderProps) {
  const { folder, urls, isOnly, isOpen, onToggle, sendings, onDropped } = props;
  const id = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const ordered = useMemo(() => (isOpen ? inOrder(urls) : []), [isOpen, urls]);
  const { isOver, ...drop } = useDrop(onDropped);
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
          ref={toggle}
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
        {!isOnly && <TrainAll folder={folder} home={toggle} />}
        <UploadButton label={`Upload to ${folder}`} onFiles={(files) => onDropped(chosen(files))} />
      </div>
      {isOpen && (
        <div id={id} className="pb-1.5 pl-6 max-sm:pl-2">
          <UploadList sendings={sendings} />
          {ordered.length > 0 && <FileList folder={folder} urls={ordered} />}
          {ordered.length === 0 && sendings.length === 0 && (
            <p className="py-2 pl-1 text-sm text-ink-3">This folder is empty.</p>
          )}
        </div>
      )}
    </li>
  );
}
