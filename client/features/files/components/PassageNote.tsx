import { usePageText } from '../hooks/use-page-text.ts';
import type { Shown } from '../rules.shown.ts';
import { cutAround, markOnPage } from '../rules.ts';

/** The cited text, for a page that is an image. */
export function PassageNote({ shown }: { shown: Shown }) {
  const { text } = usePageText(shown, shown.page ?? 1);
  const outer = text && shown.passage ? markOnPage(shown.passage, text) : null;
  if (!text || !outer) return null;
  const passage = text.text.slice(outer.start, outer.end);
  const inner = shown.sentence ? markOnPage(shown.sentence, text) : null;
  const { before, marked, after } = cutAround(
    passage,
    inner && { start: inner.start - outer.start, end: inner.end - outer.start },
  );
  return (
    <figure
      aria-label="The cited passage"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long passage is scrolled by keys
      tabIndex={0}
      className="max-h-[30%] flex-none overflow-y-auto border-t border-line bg-paper px-4 py-3 -outline-offset-2 sm:px-6"
    >
      <figcaption className="mb-1 text-note text-ink-3">
        The cited words, as they were read from this picture
      </figcaption>
      <blockquote className="font-serif whitespace-pre-wrap">
        {before}
        {marked && <mark>{marked}</mark>}
        {after}
      </blockquote>
    </figure>
  );
}
