import FileUp from 'lucide-react/icons/file-up';
import { type DragEvent, useId, useState } from 'react';
import { cx } from './cx.ts';
import { sizeInWords } from './size-in-words.ts';

interface FileDropProps {
  /** Such as 'CSV file', and what the browser offers to choose. */
  what: string;
  accept: string;
  /** The last chosen file. */
  file: File | null;
  /** Why it was refused or failed. */
  error: string | undefined;
  onFile: (file: File) => void;
}

/** Accepts one file, chosen or dropped. */
export function FileDrop({ what, accept, file, error, onFile }: FileDropProps) {
  const [isOver, setIsOver] = useState(false);
  const id = useId();
  const handleDrag = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(event.type === 'dragover');
  };
  const handleDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) onFile(dropped);
  };
  return (
    <div>
      <div
        onDragOver={handleDrag}
        onDragLeave={handleDrag}
        onDrop={handleDrop}
        className={cx(
          'relative flex items-center gap-3 rounded-card border border-dashed px-4 py-4 transition-colors has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-accent',
          isOver ? 'border-accent bg-accent-soft' : 'border-line-strong hover:bg-hover',
          error !== undefined && 'border-red',
        )}
      >
        <FileUp className="size-5! text-ink-3" />
        <span className="min-w-0">
          <label htmlFor={id} className="block font-medium">
            {`Choose ${file ? 'another' : 'a'} ${what}`}
          </label>
          <span className="block truncate text-note text-ink-3">
            {file ? `${file.name} · ${sizeInWords(file.size)}` : 'or drop it here'}
          </span>
        </span>
        <input
          id={id}
          type="file"
          accept={accept}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            // So that the same file can be chosen again after a correction.
            event.target.value = '';
            if (chosen) onFile(chosen);
          }}
          className="absolute inset-0 cursor-pointer opacity-0"
        />
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="mt-1.5 text-note/[1.125rem] text-red">
          {error}
        </p>
      )}
    </div>
  );
}
