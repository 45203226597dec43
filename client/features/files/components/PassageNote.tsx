import { useMemo, useState } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import type { Cited } from '../../../ui/highlight.ts';
import { citedPassage, pageText } from '../api.ts';
import type { PreviewTarget, FileAt, PageText } from '../rules.preview.ts';
import { cutAround, markOnPage } from '../rules.ts';

/** The cited text, for a page that is an image. */
export function PassageNote({ shown }: { shown: PreviewTarget }) {
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

/**
 * The cited passage by page. Empty when it fails to load: the document is then shown without the mark,
 * and the user can switch to its text.
 */
export function useCitedPassage(shown: PreviewTarget): ReadonlyMap<number, Cited> {
  const { caseId, folder, name, version, page, passage, sentence } = shown;
  const { data } = useResource(
    citedPassage,
    passage && page !== undefined
      ? { caseId, folder, name, version, page, passage, sentence }
      : null,
  );
  return useMemo(() => new Map(data), [data]);
}

/** A page of a file's text; the previous page is shown while it loads. */
export function usePageText({ caseId, folder, name, version }: FileAt, page: number) {
  const { data, failure, refresh } = useResource(pageText, { caseId, folder, name, version, page });
  const [last, setLast] = useState<PageText | null>(data);
  if (data && data !== last) setLast(data);
  return { text: data ?? last, failure: failure?.message ?? null, retry: refresh };
}
