import { useMemo, useRef, useState } from 'react';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Select } from '../../../ui/Select.tsx';
import { decodeText, MOST_TEXT } from '../rules.ts';
import { useResource } from '../../../core/use-resource.ts';
import { fileReader } from '../api.ts';
import { fileOf } from '../rules.shown.ts';
import { PageSkeleton } from './PageSkeleton.tsx';
import { useFirstFocus } from './use-first-focus.ts';
import { ViewerBar } from './ViewerBar.tsx';
import type { ViewerProps } from '../rules.shown.ts';

const ENCODINGS = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'utf-16le', label: 'UTF-16' },
  { value: 'utf-16be', label: 'UTF-16, big-endian' },
  { value: 'windows-1252', label: 'Western European' },
  { value: 'windows-1250', label: 'Central European' },
  { value: 'windows-1251', label: 'Cyrillic (Windows)' },
  { value: 'koi8-r', label: 'Cyrillic (KOI8-R)' },
  { value: 'windows-1253', label: 'Greek' },
  { value: 'windows-1254', label: 'Turkish' },
  { value: 'windows-1255', label: 'Hebrew' },
  { value: 'windows-1256', label: 'Arabic' },
  { value: 'shift_jis', label: 'Japanese (Shift JIS)' },
  { value: 'euc-jp', label: 'Japanese (EUC)' },
  { value: 'iso-2022-jp', label: 'Japanese (ISO 2022)' },
  { value: 'gb18030', label: 'Chinese, simplified' },
  { value: 'big5', label: 'Chinese, traditional' },
  { value: 'euc-kr', label: 'Korean' },
];

const reader = fileReader(readStart);

/** A plain text file. */
export function PlainTextView({ shown, modes }: ViewerProps) {
  const { data: made, failure, refresh } = useResource(reader, fileOf(shown));
  const [encoding, setEncoding] = useState('');
  const text = useMemo(() => made && decodeText(made.bytes, encoding), [made, encoding]);
  const box = useRef<HTMLDivElement>(null);
  useFirstFocus(box, text !== null);
  return (
    <>
      <ViewerBar modes={modes}>
        {made?.isCut && <p className="text-sm text-ink-2">Only the beginning is shown.</p>}
        <Select
          aria-label="Encoding"
          placeholder="Encoding: automatic"
          options={ENCODINGS}
          value={encoding}
          onChange={(event) => setEncoding(event.target.value)}
          className="w-52"
        />
      </ViewerBar>
      {failure ? (
        <ErrorState title="Couldn’t open the file" detail={failure.message} onRetry={refresh} />
      ) : text !== null ? (
        <div
          ref={box}
          role="region"
          aria-label="Text of the file"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text is scrolled by keys
          tabIndex={0}
          className="min-h-0 flex-1 overflow-auto p-4 -outline-offset-2 sm:p-6"
        >
          <pre className="mx-auto min-h-full max-w-[44rem] border border-line bg-surface px-6 py-8 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
            {text === '' ? 'This file is empty.' : text}
          </pre>
        </div>
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

async function readStart(file: Blob) {
  const bytes = new Uint8Array(await file.slice(0, MOST_TEXT).arrayBuffer());
  return { bytes, isCut: file.size > MOST_TEXT };
}
