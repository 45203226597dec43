import { type PDFPageProxy, TextLayer } from 'pdfjs-dist';
import { type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react';
import { formatCount } from '../../../core/words.ts';
import {
  type Cited,
  findPassage,
  findRanges,
  mark,
  highlightPassage,
  type PassageRanges,
  scrollToRange,
} from '../../../ui/highlight.ts';
import type { PageSize, Pdf } from '../hooks/use-pdf.ts';
import type { Watchdog } from '../rules.watchdog.ts';

/** Maximum pixels of a canvas; larger pages are drawn at a lower resolution. */
const MAX_PIXELS = 12_000_000;
/** Maximum canvas side in any browser. */
const MAX_SIDE = 16_384;

interface PdfPageProps {
  pdf: Pdf;
  /** From 1. */
  number: number;
  /** Pixels per point for a page of this size. */
  scaleOf: (size: PageSize) => number;
  cited: Cited | undefined;
  /** Texts that are marked on it. */
  clues: readonly string[] | undefined;
  onSize: (number: number, size: PageSize) => void;
  /** Receives the place of the cited text on the page. */
  onMarked: (place: PassageRanges) => void;
  /** The searched text, and the index of its current match on this page. */
  wanted: string;
  turn: number | null;
}

/** A page as an image, with a layer of selectable text. */
export function PdfPage(props: PdfPageProps) {
  const { pdf, number, scaleOf, cited, clues, onSize, onMarked, wanted, turn } = props;
  const paper = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const { page, hasFailed, fail } = usePage(pdf, number);
  const handlers = useRef({ onSize, onMarked, fail });
  useEffect(() => {
    handlers.current = { onSize, onMarked, fail };
  });
  const size = page ? sizeOf(page) : pdf.size;
  const scale = scaleOf(size);
  useEffect(() => {
    if (page) handlers.current.onSize(number, sizeOf(page));
  }, [page, number]);
  useEffect(
    () =>
      page && paper.current
        ? draw(page, { scale, paper: paper.current, handlers, watch: pdf.watch })
        : undefined,
    [page, scale, pdf.watch],
  );
  const hasWords = useTextLayer(page, words, pdf.watch);
  useEffect(() => {
    if (!hasWords || !words.current || !cited) return undefined;
    const place = findPassage(words.current, cited);
    handlers.current.onMarked(place);
    return highlightPassage(place);
  }, [hasWords, cited]);
  useEffect(() => {
    const { current } = words;
    if (!hasWords || !current || !clues) return undefined;
    return mark(
      'passage',
      clues.flatMap((clue) => findRanges(current, clue)),
    );
  }, [hasWords, clues]);
  useMatchHighlights(words, { hasWords, wanted, turn });
  const style = {
    width: Math.round(size.width * scale),
    height: Math.round(size.height * scale),
    '--total-scale-factor': scale,
    '--scale-round-x': '1px',
    '--scale-round-y': '1px',
  } as CSSProperties;
  return (
    <section
      aria-label={`Page ${formatCount(number)}`}
      style={style}
      className="relative flex-none bg-white shadow-[0_0_0_1px_var(--color-line)]"
    >
      {hasFailed && <p className="p-10 text-[#1c1a17]">Couldn’t draw this page.</p>}
      <div ref={paper} className="size-full" />
      <div ref={words} className="pdf-text" />
    </section>
  );
}

/** Marks the matches of the search, and scrolls to the current one. */
function useMatchHighlights(
  words: RefObject<HTMLElement | null>,
  { hasWords, wanted, turn }: { hasWords: boolean; wanted: string; turn: number | null },
) {
  useEffect(() => {
    if (!hasWords || !words.current || wanted.trim() === '') return undefined;
    const ranges = findRanges(words.current, wanted);
    const current = turn === null ? undefined : ranges[turn];
    if (current) scrollToRange(current);
    const clears = [mark('found', ranges), mark('current', current ? [current] : [])];
    return () => {
      for (const clear of clears) clear();
    };
  }, [words, hasWords, wanted, turn]);
}

function sizeOf(page: PDFPageProxy): PageSize {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}

function usePage({ document, watch }: Pdf, number: number) {
  const [page, setPage] = useState<PDFPageProxy | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    let found: PDFPageProxy | undefined;
    let isCanceled = false;
    const open = async () => {
      found = await watch.over(document.getPage(number));
      if (!isCanceled) setPage(found);
    };
    open().catch(() => {
      if (!isCanceled) setHasFailed(true);
    });
    return () => {
      isCanceled = true;
      found?.cleanup();
    };
  }, [document, watch, number]);
  return { page, hasFailed, fail: () => setHasFailed(true) };
}

type Drawing = {
  scale: number;
  paper: HTMLElement;
  handlers: RefObject<{ fail: () => void }>;
  watch: Watchdog;
};

/** Draws offscreen, so that resizing does not flicker. */
function draw(page: PDFPageProxy, { scale, paper, handlers, watch }: Drawing) {
  const { width, height } = page.getViewport({ scale });
  const sharp = Math.min(
    window.devicePixelRatio,
    Math.sqrt(MAX_PIXELS / (width * height)),
    MAX_SIDE / Math.max(width, height),
  );
  const viewport = page.getViewport({ scale: scale * sharp });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(Math.floor(viewport.width), 1);
  canvas.height = Math.max(Math.floor(viewport.height), 1);
  canvas.className = 'size-full';
  canvas.ariaHidden = 'true';
  const task = page.render({ canvas, viewport });
  const step = watch.counted();
  task.onContinue = (goOn: () => void) => {
    step();
    goOn();
  };
  let isCanceled = false;
  watch
    .over(task.promise)
    .then(() => {
      if (!isCanceled) paper.replaceChildren(canvas);
    })
    .catch(() => {
      if (!isCanceled) handlers.current.fail();
    });
  return () => {
    isCanceled = true;
    task.cancel();
  };
}

/** Renders the text layer of a page. @returns whether it is rendered */
function useTextLayer(
  page: PDFPageProxy | null,
  box: RefObject<HTMLElement | null>,
  watch: Watchdog,
): boolean {
  const [hasWords, setHasWords] = useState(false);
  useEffect(() => {
    const container = box.current;
    if (!page || !container) return undefined;
    const layer = new TextLayer({
      textContentSource: page.streamTextContent({ includeMarkedContent: true }),
      container,
      viewport: page.getViewport({ scale: 1 }),
    });
    let isCanceled = false;
    const lay = async () => {
      await watch.over(layer.render());
      if (!isCanceled) setHasWords(true);
    };
    // Without the text layer, the page is still shown as an image.
    lay().catch(() => undefined);
    return () => {
      isCanceled = true;
      layer.cancel();
      container.replaceChildren();
      setHasWords(false);
    };
  }, [page, box, watch]);
  return hasWords;
}
