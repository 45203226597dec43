import ChevronRight from 'lucide-react/icons/chevron-right';
import FolderClosed from 'lucide-react/icons/folder';
import FolderOpen from 'lucide-react/icons/folder-open';
import Upload from 'lucide-react/icons/upload';
import { useId, useMemo, useRef } from 'react';
import { formatCount, plural } from '../../../core/words.ts';
import { cx } from '../../../ui/cx.ts';
import { FileInput } from '../../../ui/FileInput.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { useRows } from '../../../ui/use-rows.ts';
import type { PendingUpload } from '../api.uploads.ts';
import { useDrop } from '../hooks/use-drop.ts';
import { useLibrary } from '../hooks/use-library.ts';
import { chosen, type Dropped } from '../rules.dropped.ts';
import { inOrder } from '../rules.ts';
import { FileRow } from './FileRow.tsx';
import { TrainAll } from './TrainAll.tsx';
import { UploadList } from './UploadList.tsx';

interface FolderProps {
  folder: string;
  urls: readonly string[];
  /** The case has no other folder. */
  isOnly: boolean;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  /** The uploads to this folder. */
  uploads: readonly PendingUpload[];
  onDropped: (dropped: Dropped) => void;
}

/** A folder that expands, and accepts dropped files. */
export function Folder(props: FolderProps) {
  const { folder, urls, isOnly, isOpen, onToggle, uploads, onDropped } = props;
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
            {formatCount(urls.length)}
            <span className="sr-only">{` ${plural(urls.length, 'file')}`}</span>
          </span>
        </button>
        {!isOnly && <TrainAll folder={folder} home={toggle} />}
        <UploadButton label={`Upload to ${folder}`} onFiles={(files) => onDropped(chosen(files))} />
      </div>
      {isOpen && (
        <div id={id} className="pb-1.5 pl-6 max-sm:pl-2">
          <UploadList uploads={uploads} />
          {ordered.length > 0 && <FileList folder={folder} urls={ordered} />}
          {ordered.length === 0 && uploads.length === 0 && (
            <p className="py-2 pl-1 text-sm text-ink-3">This folder is empty.</p>
          )}
        </div>
      )}
    </li>
  );
}

interface UploadButtonProps {
  label: string;
  onFiles: (files: readonly File[]) => void;
}

/** Opens the browser's file chooser. */
function UploadButton({ label, onFiles }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Tooltip text={label}>
        <IconButton
          label={label}
          icon={Upload}
          variant="quiet"
          size="small"
          onClick={() => input.current?.click()}
        />
      </Tooltip>
      <FileInput ref={input} multiple onFiles={onFiles} />
    </>
  );
}

const ROW_HEIGHT = 38;
/** A longer list scrolls by itself. */
const SHORT = 100;

interface FileListProps {
  folder: string;
  urls: readonly string[];
}

/** The files of an open folder. */
function FileList({ folder, urls }: FileListProps) {
  const { caseId } = useLibrary();
  const { items, measure, rowsProps } = useRows<HTMLUListElement>({
    list: `files ${caseId} ${folder}`,
    ids: urls,
    rowHeight: ROW_HEIGHT,
  });
  return (
    <div data-scroller className={cx(urls.length > SHORT && 'max-h-[60vh] overflow-y-auto')}>
      <ul {...rowsProps} aria-label={`Files in ${folder}`} className="relative">
        {items.map(({ id, index, offset }) =>
          id === undefined ? null : (
            <li
              key={id}
              ref={measure}
              data-index={index}
              data-row={id}
              aria-setsize={urls.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${offset}px)` }}
              className="absolute inset-x-0 top-0"
            >
              <FileRow folder={folder} url={id} />
            </li>
          ),
        )}
      </ul>
    </div>
  );
}
