import '../../../ui/pdf-page.css';
import Search from 'lucide-react/icons/search';
import { type KeyboardEvent, useRef, useState } from 'react';
import { type Place, scrollToPlace } from '../../../ui/highlight.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { FindBar } from './FindBar.tsx';
import { PageControl } from './PageControl.tsx';
import { PassageNote } from './PassageNote.tsx';
import { PdfPage } from './PdfPage.tsx';
import { useCited } from './use-cited.ts';
import { useFind } from './use-find.ts';
import { useFirstFocus } from './use-first-focus.ts';
import { MARGIN, usePages } from './use-pages.ts';
import type { PageSize, Pdf } from './use-pdf.ts';
import { useWidth } from './use-width.ts';
import { ViewerBar } from './ViewerBar.tsx';
import { ZoomControl, zoomed } from './ZoomControl.tsx';
import type { ViewerProps } from '../rules.shown.ts';

const LEAST_SCALE = 0.1;

interface PdfPagesProps extends Pick<ViewerProps, 'shown' | 'modes'> {
  pdf: Pdf;
}

/** The pages of a PDF; only those in view are drawn. */
export function PdfPages({ shown, pdf, modes }: PdfPagesProps) {
  const { size } = pdf;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [zoom, setZoom] = useState<number | null>(null);
  // When fitted, each page fills the width, whatever its size.
  const scaleOf = (own: PageSize) =>
    width === 0 ? 0 : (zoom ?? Math.max((width - 2 * MARGIN) / own.width, LEAST_SCALE));
  const scale = scaleOf(size);
  const { rows, page, widest, go, handleSize } = usePages(box, pdf, {
    scaleOf,
    first: shown.page ?? 1,
  });
  const find = useFind(pdf, page, go);
  const [isFinding, setIsFinding] = useState(false);
  useFirstFocus(box);
  const cited = useCited(shown);
  const [isMissing, setIsMissing] = useState(false);
  const hasShown = useRef(false);
  const handleMarked = (place: Place) => {
    setIsMissing(place.passage.length === 0);
    // Only once, so that zooming does not scroll back to the citation.
    if (!hasShown.current) scrollToPlace(place);
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
