import '../../../ui/pdf-page.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import Download from 'lucide-react/icons/download';
import FileX from 'lucide-react/icons/file-x';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import {
  useState,
  type KeyboardEvent,
  useRef,
  type RefObject,
  useEffect,
  useLayoutEffect,
} from 'react';
import { formatCount } from '../../../core/words.ts';
import { buttonClass, Button, IconButton } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Field } from '../../../ui/Field.tsx';
import { findWords } from '../../../ui/find-text.ts';
import { type PassageRanges, scrollToPassage } from '../../../ui/highlight.ts';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { PasswordInput } from '../../../ui/TextInput.tsx';
import { useFirstFocus } from '../hooks/use-first-focus.ts';
import { usePdf, type PasswordPrompt, type PageSize, type Pdf } from '../hooks/use-pdf.ts';
import { useWidth } from '../hooks/use-width.ts';
import { contentOf, type ViewerProps } from '../rules.preview.ts';
import { PageSkeleton } from './PageSkeleton.tsx';
import { useCitedPassage, PassageNote } from './PassageNote.tsx';
import { PdfPage } from './PdfPage.tsx';
import { PageControl, ViewerBar, ZoomControl, zoomed } from './ViewerBar.tsx';

/** A PDF with its original layout. */
export function PdfView(props: ViewerProps) {
  const [attempt, setAttempt] = useState(0);
  return <OpenedPdf key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />;
}

function OpenedPdf({ shown, modes, onRetry }: ViewerProps & { onRetry: () => void }) {
  const { pdf, locked, failure, isStuck } = usePdf(shown);
  if (pdf && !isStuck) return <PdfPages shown={shown} pdf={pdf} modes={modes} />;
  return (
    <>
      <ViewerBar modes={modes} />
      {isStuck ? (
        <Unshown shown={shown} />
      ) : failure !== null ? (
        <ErrorState title="Couldn’t load the PDF" detail={failure} onRetry={onRetry} />
      ) : locked ? (
        <PasswordForm locked={locked} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

/** Shown for a PDF that uses too much time or memory. */
function Unshown({ shown }: Pick<ViewerProps, 'shown'>) {
  return (
    <EmptyState
      icon={FileX}
      title="This file can’t be shown"
      action={
        <a href={contentOf(shown, true)} download className={buttonClass()}>
          <Download /> Download it
        </a>
      }
    >
      This PDF can’t be shown in the browser.
    </EmptyState>
  );
}

/** Asks for the password of a locked document, which never leaves the browser. */
function PasswordForm({ locked }: { locked: PasswordPrompt }) {
  const [password, setPassword] = useState('');
  return (
    <form
      className="mx-auto grid w-full max-w-sm gap-4 px-4 py-16"
      onSubmit={(event) => {
        event.preventDefault();
        locked.open(password);
      }}
    >
      <p className="text-heading font-semibold">This document is locked</p>
      <Field
        label="Document password"
        error={locked.isWrong ? 'This password isn’t right' : undefined}
      >
        <PasswordInput
          autoComplete="off"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Button type="submit" disabled={password === ''} className="justify-self-start">
        Open
      </Button>
    </form>
  );
}

const MIN_SCALE = 0.1;

interface PdfPagesProps extends Pick<ViewerProps, 'shown' | 'modes'> {
  pdf: Pdf;
}

/** The pages of a PDF; only those in view are drawn. */
function PdfPages({ shown, pdf, modes }: PdfPagesProps) {
  const { size } = pdf;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [zoom, setZoom] = useState<number | null>(null);
  // When fitted, each page fills the width, whatever its size.
  const scaleOf = (own: PageSize) =>
    width === 0 ? 0 : (zoom ?? Math.max((width - 2 * MARGIN) / own.width, MIN_SCALE));
  const scale = scaleOf(size);
  const { rows, page, widest, go, handleSize } = usePages(box, pdf, {
    scaleOf,
    first: shown.page ?? 1,
  });
  const find = useFind(pdf, page, go);
  const [isFinding, setIsFinding] = useState(false);
  useFirstFocus(box);
  const cited = useCitedPassage(shown);
  const [isMissing, setIsMissing] = useState(false);
  const hasShown = useRef(false);
  const handleMarked = (place: PassageRanges) => {
    setIsMissing(place.passage.length === 0);
    // Only once, so that zooming does not scroll back to the citation.
    if (!hasShown.current) scrollToPassage(place);
    hasShown.current ||= place.passage.length > 0;
  };
  const closeFind = () => {
    setIsFinding(false);
    box.current?.focus({ preventScroll: true });
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey;
    // The browser's own search would find only drawn pages.
    if (isCommand && event.key === 'f') setIsFinding(true);
    else if (!isCommand && /^[+=]$/.test(event.key)) setZoom(zoomed(scale, 1));
    else if (!isCommand && event.key === '-') setZoom(zoomed(scale, -1));
    else if (!isCommand && event.key === '0') setZoom(null);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <ViewerBar modes={modes}>
        <PageControl page={page} pages={pdf.document.numPages} onChange={go} />
        <IconButton
          label="Find in the document"
          icon={Search}
          variant="quiet"
          size="small"
          aria-expanded={isFinding}
          onClick={() => setIsFinding(!isFinding)}
        />
        <ZoomControl scale={scale} isFitted={zoom === null} onChange={setZoom} />
      </ViewerBar>
      {isFinding && <FindBar find={find} onClose={closeFind} />}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys zoom and find as they do elsewhere */}
      <div
        ref={box}
        role="region"
        aria-label="Pages"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- pages are scrolled by keys
        tabIndex={0}
        onKeyDown={handleKeyDown}
        className="min-h-0 flex-1 overflow-auto -outline-offset-2 [overflow-anchor:none] [scrollbar-gutter:stable]"
      >
        <div
          className="relative min-w-full"
          style={{
            height: rows.getTotalSize(),
            width: zoom === null ? width : Math.round(widest * zoom) + 2 * MARGIN,
          }}
        >
          {rows.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              className="absolute inset-x-0 top-0 flex justify-center"
              style={{ transform: `translateY(${start}px)` }}
            >
              <PdfPage
                pdf={pdf}
                number={index + 1}
                scaleOf={scaleOf}
                cited={cited.get(index + 1)}
                clues={shown.clues}
                onSize={handleSize}
                onMarked={handleMarked}
                wanted={isFinding ? find.words : ''}
                turn={find.hit?.page === index + 1 ? find.hit.turn : null}
              />
            </div>
          ))}
        </div>
      </div>
      {isMissing && <PassageNote shown={shown} />}
    </>
  );
}

interface FindBarProps {
  find: ReturnType<typeof useFind>;
  onClose: () => void;
}

/** Searches the document; Enter goes to the next match, Shift+Enter to the previous. */
function FindBar({ find: { words, type, hit, state, step }, onClose }: FindBarProps) {
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void step(event.shiftKey ? -1 : 1);
    if (event.key === 'Escape') {
      event.stopPropagation();
      onClose();
    }
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of its input
    <div
      role="search"
      onKeyDown={handleKeyDown}
      className="flex flex-none items-center gap-1 border-b border-line bg-paper px-4 py-1.5"
    >
      <SearchInput
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by the user to type
        autoFocus
        value={words}
        onChange={type}
        placeholder="Find in the document"
        className="max-w-72 flex-1"
      />
      <IconButton
        label="Previous match"
        icon={ChevronUp}
        variant="quiet"
        size="small"
        disabled={words.trim() === ''}
        onClick={() => void step(-1)}
      />
      <IconButton
        label="Next match"
        icon={ChevronDown}
        variant="quiet"
        size="small"
        disabled={words.trim() === ''}
        onClick={() => void step(1)}
      />
      <p role="status" className="min-w-0 flex-1 truncate text-sm text-ink-2 tabular-nums">
        {state === 'busy' && 'Looking…'}
        {state === 'missing' && 'No match'}
        {state === 'idle' && hit && `Page ${formatCount(hit.page)}`}
      </p>
      <IconButton label="Close search" icon={X} variant="quiet" size="small" onClick={onClose} />
    </div>
  );
}

/** A match: its page, and its index on the page. */
type Hit = { page: number; turn: number };

/** Searches all pages of a PDF from the one in view, wrapping around. */
function useFind({ document, watch }: Pdf, at: number, go: (page: number) => void) {
  const [words, setWords] = useState('');
  const [hit, setHit] = useState<Hit | null>(null);
  const [state, setState] = useState<'idle' | 'busy' | 'missing'>('idle');
  const texts = useRef(new Map<number, string>());
  const search = useRef(0);
  const type = (wanted: string) => {
    search.current += 1;
    setWords(wanted);
    setHit(null);
    setState('idle');
  };
  const countOn = async (page: number) => {
    const text = texts.current.get(page) ?? (await watch.over(readWords(document, page)));
    texts.current.set(page, text);
    return findWords(text, words).length;
  };
  const step = async (by: 1 | -1) => {
    const mine = (search.current += 1);
    if (words.trim() === '') return;
    setState('busy');
    let page = hit?.page ?? at;
    let turn = hit ? hit.turn + by : null;
    for (let looked = 0; looked <= document.numPages; looked += 1) {
      const count = await countOn(page);
      if (mine !== search.current) return;
      turn ??= by === 1 ? 0 : count - 1;
      if (turn >= 0 && turn < count) {
        setHit({ page, turn });
        setState('idle');
        go(page);
        return;
      }
      turn = null;
      page = ((page - 1 + by + document.numPages) % document.numPages) + 1;
    }
    setState('missing');
  };
  return { words, type, hit, state, step };
}

/** The text as in the page's text layer: lines separated by one character. */
async function readWords(document: Pdf['document'], number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
}

/** Pixels between pages, and around them. */
const GAP = 12;
const MARGIN = 16;

/**
 * The pages of a document in view, and navigation to others.
 * @param first the page shown on opening
 */
function usePages(
  box: RefObject<HTMLElement | null>,
  { document, size }: Pdf,
  { scaleOf, first }: { scaleOf: (page: PageSize) => number; first: number },
) {
  // There is no scale before layout.
  const scale = scaleOf(size);
  const isReady = scale > 0;
  // Pages are assumed to have the first page's size until loaded.
  const sizes = useRef(new Map<number, PageSize>());
  const [widest, setWidest] = useState(size.width);
  const heightOf = (index: number) => {
    const own = sizes.current.get(index + 1) ?? size;
    return Math.round(own.height * scaleOf(own));
  };
  const rows = useVirtualizer({
    count: document.numPages,
    getScrollElement: () => box.current,
    estimateSize: heightOf,
    enabled: isReady,
    gap: GAP,
    paddingStart: MARGIN,
    paddingEnd: MARGIN,
    overscan: 1,
  });
  const page = pageAt(rows);
  const go = (wanted: number) => rows.scrollToIndex(wanted - 1, { align: 'start' });
  useStablePosition(box, rows, { scale, first });
  const handleSize = (number: number, found: PageSize) => {
    if (sizes.current.has(number)) return;
    sizes.current.set(number, found);
    setWidest((width) => Math.max(width, found.width));
    if (found.height !== size.height || found.width !== size.width)
      rows.resizeItem(number - 1, heightOf(number - 1));
  };
  return { rows, page, widest, go, handleSize };
}

type Rows = ReturnType<typeof useVirtualizer<HTMLElement, Element>>;

/** The page that fills the upper part of the box, from 1. */
function pageAt(rows: Rows): number {
  const line = (rows.scrollOffset ?? 0) + (rows.scrollRect?.height ?? 0) / 3;
  const item = rows.getVirtualItems().findLast(({ start }) => start <= line);
  return (item?.index ?? 0) + 1;
}

/** Opens at the first page, and keeps the view in place when pages change size. */
function useStablePosition(
  box: RefObject<HTMLElement | null>,
  rows: Rows,
  { scale, first }: { scale: number; first: number },
) {
  const place = useRef({ index: first - 1, share: 0 });
  const isMoved = useRef(true);
  useEffect(() => {
    if (!box.current || isMoved.current) return;
    // The virtualizer updates one event later, so its offset may refer to the old heights.
    const top = box.current.scrollTop;
    const item = rows.getVirtualItemForOffset(top + GAP);
    if (item) place.current = { index: item.index, share: (top - item.start) / item.size };
  });
  // Runs first, so that it scrolls once the new heights are rendered.
  useLayoutEffect(() => {
    const row = rows.measurementsCache[place.current.index];
    if (scale === 0 || !isMoved.current || !box.current || !row) return;
    isMoved.current = false;
    const top = row.start + (place.current.share || -GAP / row.size) * row.size;
    box.current.scrollTo({ top, behavior: 'instant' });
  });
  const measured = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (measured.current === scale) return;
    measured.current = scale;
    isMoved.current = true;
    rows.measure();
  }, [scale, rows]);
}
