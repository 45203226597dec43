import '../../../ui/pdf-page.css';
import { useRef, useState } from 'react';
import { type Place, scrollToPlace } from '../../../ui/highlight.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { PageControl } from './PageControl.tsx';
import { PageSkeleton } from './PageSkeleton.tsx';
import { PassageNote } from './PassageNote.tsx';
import { PdfPage } from './PdfPage.tsx';
import { useCited } from './use-cited.ts';
import { MARGIN, usePages } from './use-pages.ts';
import { type Pdf, usePdf } from './use-pdf.ts';
import { useWidth } from './use-width.ts';
import type { ViewerProps } from './Viewer.tsx';
import { ViewerBar } from './ViewerBar.tsx';
import { ZoomControl } from './ZoomControl.tsx';

const LEAST_SCALE = 0.1;

/** A PDF as it is printed; only the pages in sight are drawn. */
export function PdfView({ shown, modes }: ViewerProps) {
  const { pdf, failure, retry } = usePdf(shown);
  if (pdf) return <Pages shown={shown} pdf={pdf} modes={modes} />;
  return (
    <>
      <ViewerBar modes={modes} />
      {failure === null ? (
        <PageSkeleton />
      ) : (
        <ErrorState title="The PDF could not be opened" detail={failure} onRetry={retry} />
      )}
    </>
  );
}

function Pages({ shown, pdf, modes }: Pick<ViewerProps, 'shown' | 'modes'> & { pdf: Pdf }) {
  const { document, size } = pdf;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [zoom, setZoom] = useState<number | null>(null);
  const scale =
    width === 0 ? 0 : (zoom ?? Math.max((width - 2 * MARGIN) / size.width, LEAST_SCALE));
  const { rows, page, go, handleSize } = usePages(box, pdf, { scale, first: shown.page ?? 1 });
  const cited = useCited(shown);
  const [isMissing, setIsMissing] = useState(false);
  const hasShown = useRef(false);
  const handleMarked = (place: Place) => {
    setIsMissing(place.passage.length === 0);
    // Once: another zoom is not another citation.
    if (!hasShown.current) scrollToPlace(place);
    hasShown.current ||= place.passage.length > 0;
  };
  return (
    <>
      <ViewerBar modes={modes}>
        <PageControl page={page} pages={document.numPages} onChange={go} />
        <ZoomControl scale={scale} isFitted={zoom === null} onChange={setZoom} />
      </ViewerBar>
      <div
        ref={box}
        role="region"
        aria-label="Pages"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- pages are scrolled by keys
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto -outline-offset-2 [overflow-anchor:none] [scrollbar-gutter:stable]"
      >
        <div
          className="relative min-w-full"
          style={{
            height: rows.getTotalSize(),
            width: Math.round(size.width * scale) + 2 * MARGIN,
          }}
        >
          {rows.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              className="absolute inset-x-0 top-0 flex justify-center"
              style={{ transform: `translateY(${start}px)` }}
            >
              <PdfPage
                document={document}
                number={index + 1}
                assumed={size}
                scale={scale}
                cited={cited.get(index + 1)}
                onSize={handleSize}
                onMarked={handleMarked}
              />
            </div>
          ))}
        </div>
      </div>
      {isMissing && <PassageNote shown={shown} />}
    </>
  );
}
