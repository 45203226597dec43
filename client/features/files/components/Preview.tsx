import { contentUrl } from '@matterdesk/contract/files.ts';
import ArrowLeft from 'lucide-react/icons/chevron-left';
import ArrowRight from 'lucide-react/icons/chevron-right';
import ExternalLink from 'lucide-react/icons/external-link';
import X from 'lucide-react/icons/x';
import { useEffect, useId, useRef, useState } from 'react';
import { buttonClass } from '../../../ui/button-class.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { FileAt } from '../api.ts';
import { PreviewText } from './PreviewText.tsx';
import { usePageText } from './use-page-text.ts';

/** What is to be seen: a file, a page of it, and a passage in offsets of its whole text. */
export type Shown = FileAt & { page?: number; passage?: Span; sentence?: Span };
export type Span = { start: number; end: number };

interface PreviewProps {
  /** Give another key for another one. */
  shown: Shown;
  onClose: () => void;
}

/** What was read out of a file, page by page, beside the chat. */
export function Preview({ shown, onClose }: PreviewProps) {
  const titleId = useId();
  const panel = useRef<HTMLElement>(null);
  const [opener] = useState(() => document.activeElement);
  const [page, setPage] = useState(shown.page ?? 1);
  const { text, failure, retry } = usePageText(shown, page);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const close = () => {
    onClose();
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  };
  const pages = text?.pages ?? page;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it hears Escape for what stands in it
    <section
      ref={panel}
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
      className="fixed inset-0 z-40 flex animate-appear flex-col border-line-strong bg-sunken outline-none lg:inset-y-4 lg:right-6 lg:left-auto lg:z-20 lg:w-[min(46rem,calc(100vw-25rem))] lg:in-[:root:has([data-chat=narrow])]:right-[22.5rem] lg:in-[:root:has([data-chat=wide])]:right-[calc(50vw+2.5rem)] lg:in-[:root:has([data-chat=wide])]:w-[min(46rem,calc(50vw-4rem))] lg:rounded-pop lg:border lg:shadow-float"
    >
      <header className="flex flex-none flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-4 py-2">
        <div className="min-w-0 flex-1 basis-48 max-sm:basis-[calc(100%-4rem)]">
          <p className="truncate text-note text-ink-3">{shown.folder}</p>
          <h2 id={titleId} className="truncate font-serif text-brand font-semibold">
            <bdi>{shown.name}</bdi>
          </h2>
        </div>
        <IconButton
          label="Close preview"
          icon={X}
          variant="quiet"
          size="small"
          onClick={close}
          className="sm:order-last"
        />
        <IconButton
          label="Previous page"
          icon={ArrowLeft}
          size="small"
          disabled={page <= 1}
          onClick={() => setPage(page - 1)}
        />
        <p role="status" className="text-sm text-ink-2 tabular-nums">
          Page {page.toLocaleString()} of {pages.toLocaleString()}
        </p>
        <IconButton
          label="Next page"
          icon={ArrowRight}
          size="small"
          disabled={page >= pages}
          onClick={() => setPage(page + 1)}
        />
        <a
          href={contentUrl(shown.caseId, shown.folder, shown.name)}
          target="_blank"
          rel="noopener"
          className={buttonClass({ size: 'small' })}
        >
          <ExternalLink /> Open the file
        </a>
      </header>
      <PreviewText
        text={text}
        failure={failure}
        onRetry={retry}
        passage={shown.passage}
        sentence={shown.sentence}
      />
    </section>
  );
}
