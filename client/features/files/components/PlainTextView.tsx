import { ErrorState } from '../../../ui/ErrorState.tsx';
import { decodeText, MOST_TEXT } from '../rules.ts';
import { PageSkeleton } from './PageSkeleton.tsx';
import { useFileBytes } from './use-file-bytes.ts';
import type { ViewerProps } from './Viewer.tsx';
import { ViewerBar } from './ViewerBar.tsx';

/** A text file as it is. */
export function PlainTextView({ shown, modes }: ViewerProps) {
  const { made, failure, retry } = useFileBytes(shown, readStart);
  return (
    <>
      <ViewerBar modes={modes}>
        {made?.isCut && <p className="text-sm text-ink-2">Only its beginning is shown.</p>}
      </ViewerBar>
      {failure !== null ? (
        <ErrorState title="The file could not be opened" detail={failure} onRetry={retry} />
      ) : made ? (
        <div
          role="region"
          aria-label="Text of the file"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text is scrolled by keys
          tabIndex={0}
          className="min-h-0 flex-1 overflow-auto p-4 -outline-offset-2 sm:p-6"
        >
          <pre className="mx-auto min-h-full max-w-[44rem] border border-line bg-surface px-6 py-8 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
            {made.text === '' ? 'This file is empty.' : made.text}
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
  return { text: decodeText(bytes), isCut: file.size > MOST_TEXT };
}
