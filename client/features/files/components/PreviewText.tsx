import { useEffect, useRef } from 'react';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { cutAround, markOnPage } from '../rules.ts';
import type { PageText } from './use-page-text.ts';

interface PreviewTextProps {
  text: PageText | null;
  failure: string | null;
  onRetry: () => void;
  passage: { start: number; end: number } | undefined;
}

/** The words of a page, the passage marked and in sight. */
export function PreviewText({ text, failure, onRetry, passage }: PreviewTextProps) {
  const mark = useRef<HTMLElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const page = text?.page;
  useEffect(() => {
    if (mark.current) mark.current.scrollIntoView({ block: 'center' });
    else box.current?.scrollTo(0, 0);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another page begins at its own place
  }, [page]);
  if (failure !== null)
    return <ErrorState title="The page could not be read" detail={failure} onRetry={onRetry} />;
  const place = text && passage ? markOnPage(passage, text) : null;
  const parts = text && cutAround(text.text, place);
  return (
    <div
      ref={box}
      role="region"
      aria-label="Text of the page"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long page is scrolled by keys
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto p-4 -outline-offset-2 sm:p-6"
    >
      {parts ? (
        <p className="mx-auto min-h-full max-w-[38rem] border border-line bg-surface px-6 py-8 font-serif text-heading/[1.5rem] whitespace-pre-wrap wrap-anywhere sm:px-10">
          {parts.before}
          {parts.marked !== '' && <mark ref={mark}>{parts.marked}</mark>}
          {parts.after}
          {text.text.trim() === '' && 'There is no text on this page.'}
        </p>
      ) : (
        <div aria-busy="true" className="mx-auto grid max-w-[38rem] gap-3 bg-surface p-10">
          {['w-1/2', 'w-full', 'w-11/12', 'w-full', 'w-3/4'].map((width) => (
            <Skeleton key={width} className={`h-4 ${width}`} />
          ))}
        </div>
      )}
    </div>
  );
}
