import { type RefObject, useEffect, useRef } from 'react';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useFirstFocus } from '../hooks/use-first-focus.ts';
import type { PageText, Span } from '../rules.shown.ts';
import { cutAround, markOnPage } from '../rules.ts';

interface TextPageProps {
  text: PageText | null;
  failure: string | null;
  onRetry: () => void;
  passage: Span | undefined;
  /** The key sentence of the passage. */
  sentence: Span | undefined;
}

/** The text of a page, with the passage marked and in view. */
export function TextPage({ text, failure, onRetry, passage, sentence }: TextPageProps) {
  const mark = useRef<HTMLElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useFirstFocus(box);
  const page = text?.page;
  const placed = useRef<number>(undefined);
  useEffect(() => {
    // Each page starts at its passage or its top.
    if (placed.current === page) return;
    placed.current = page;
    if (mark.current) mark.current.scrollIntoView({ block: 'center' });
    else box.current?.scrollTo(0, 0);
  }, [page]);
  if (failure !== null)
    return <ErrorState title="Couldn’t load the page" detail={failure} onRetry={onRetry} />;
  return (
    <div
      ref={box}
      role="region"
      aria-label="Text of the page"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long page is scrolled by keys
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto p-4 -outline-offset-2 sm:p-6"
    >
      {text ? (
        <p className="mx-auto min-h-full max-w-[38rem] border border-line bg-surface px-6 py-8 font-serif text-heading/[1.5rem] whitespace-pre-wrap wrap-anywhere sm:px-10">
          <Marked text={text} passage={passage} sentence={sentence} mark={mark} />
          {text.text.trim() === '' && 'No text on this page.'}
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

interface MarkedProps extends Pick<TextPageProps, 'passage' | 'sentence'> {
  text: PageText;
  mark: RefObject<HTMLElement | null>;
}

/** Underlines the passage, and marks its key sentence, or all of it without one. */
function Marked({ text, passage, sentence, mark }: MarkedProps) {
  const outer = passage ? markOnPage(passage, text) : null;
  const { before, marked, after } = cutAround(text.text, outer);
  if (!outer) return before;
  const place = sentence ? markOnPage(sentence, text) : outer;
  const inner = place && { start: place.start - outer.start, end: place.end - outer.start };
  const highlighted = cutAround(marked, inner);
  return (
    <>
      {before}
      <span className="underline decoration-mark decoration-2 underline-offset-4">
        {highlighted.before}
        <mark ref={mark}>{highlighted.marked}</mark>
        {highlighted.after}
      </span>
      {after}
    </>
  );
}
