import FileUp from 'lucide-react/icons/file-up';
import X from 'lucide-react/icons/x';
import { type DragEvent, useId, useRef, useState } from 'react';
import { formatCount } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { FileInput } from '../../../ui/FileInput.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import type { NewImport } from '../hooks/use-new-import.ts';
import { amountOf, pathOf, sharesOf, withoutSystemFiles } from '../rules.files.ts';

/** The place to drop an export, and the files that it has so far. */
export function FilesField({ state }: { state: NewImport }) {
  const { files, share, error } = state;
  return (
    <>
      <DropPlace state={state} />
      <p role="alert" className="text-note/[1.125rem] text-red">
        {error !== undefined && <span className="mt-1.5 block">{error}</span>}
      </p>
      {share !== null && (
        <div className="pt-4">
          <div className="flex items-baseline justify-between pb-2 text-sm">
            <span className="font-semibold">Uploading</span>
            <span className="text-ink-2 tabular-nums">{`${formatCount(Math.floor(share * 100))}%`}</span>
          </div>
          <ProgressBar label="Upload" value={Math.floor(share * 100)} max={100} />
        </div>
      )}
      {files.length > 0 && <Chosen state={state} />}
    </>
  );
}

function Chosen({ state: { files, share, remove } }: { state: NewImport }) {
  const list = useRef<HTMLUListElement>(null);
  const shares = sharesOf(files, share ?? 0);
  const drop = (file: File, at: number) => {
    remove(file);
    // The button with the focus leaves with its row.
    const buttons = list.current?.querySelectorAll('button') ?? [];
    (buttons[at + 1] ?? buttons[at - 1])?.focus();
  };
  return (
    <>
      <p className="pt-4 pb-1.5 text-note text-ink-3">{amountOf(files)}</p>
      <ul
        ref={list}
        aria-label="Chosen files"
        className="divide-y divide-line border-y border-line"
      >
        {files.map((file, at) => (
          <li key={pathOf(file)} className="flex h-10 items-center gap-3 pointer-coarse:min-h-11">
            <span className="min-w-0 grow truncate">{pathOf(file)}</span>
            <span className="flex-none text-note text-ink-3 tabular-nums">
              {share === null ? sizeInWords(file.size) : sentInWords(shares[at] ?? 0)}
            </span>
            <IconButton
              label={`Remove ${pathOf(file)}`}
              icon={X}
              variant="quiet"
              size="small"
              disabled={share !== null}
              onClick={() => drop(file, at)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function sentInWords(share: number): string {
  if (share >= 1) return 'Sent';
  return share > 0 ? `${Math.floor(share * 100)}%` : 'Waiting';
}

function DropPlace({ state: { share, add, error } }: { state: NewImport }) {
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const id = useId();
  const isSending = share !== null;
  const handleDrag = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(event.type === 'dragover' && !isSending);
  };
  const handleDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    if (isSending) return;
    const items = [...event.dataTransfer.items];
    const folders = items.filter((item) => item.webkitGetAsEntry()?.isDirectory === true);
    const files = items.filter((item) => !folders.includes(item)).map((item) => item.getAsFile());
    add(
      files.filter((file) => file !== null),
      folders.length,
    );
  };
  return (
    <div
      data-drop=""
      onDragOver={handleDrag}
      onDragLeave={handleDrag}
      onDrop={handleDrop}
      className={cx(
        'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-dashed px-4 py-4 transition-colors',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-strong',
        error !== undefined && 'border-red',
      )}
    >
      <FileUp className="size-5! text-ink-3" />
      <div className="min-w-0 grow basis-48">
        <p className="font-medium">Drop the files of the export here</p>
        <p id={`${id}-hint`} className="text-note text-ink-3">
          CSV, Excel, vCard, iCalendar, mail, or zip; 1 to 100 files
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          disabled={isSending}
          aria-describedby={`${id}-hint`}
          onClick={() => input.current?.click()}
        >
          Choose files
        </Button>
        <Button disabled={isSending} onClick={() => folder.current?.click()}>
          Choose folder
        </Button>
      </div>
      <FileInput ref={input} multiple aria-label="Files of the export" onFiles={add} />
      <FileInput
        directory
        ref={folder}
        aria-label="Folder of the export"
        onFiles={(files) => add(withoutSystemFiles(files))}
      />
    </div>
  );
}
