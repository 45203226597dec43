import { contentUrl } from '@matterdesk/contract/files.ts';
import Download from 'lucide-react/icons/download';
import ExternalLink from 'lucide-react/icons/external-link';
import X from 'lucide-react/icons/x';
import { useEffect, useId, useRef, useState } from 'react';
import { useAppDispatch, useAppSelector } from '../../../app/store.ts';
import { buttonClass } from '../../../ui/button-class.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { type FileAt, loadLibrary } from '../api.ts';
import { PageSkeleton } from './PageSkeleton.tsx';
import { Viewer } from './Viewer.tsx';

/** What is to be seen: a file, a page of it, and a passage in offsets of its whole text. */
export type Shown = FileAt & { page?: number; passage?: Span; sentence?: Span };
export type Span = { start: number; end: number };

interface PreviewProps {
  /** Give another key for another one. */
  shown: Shown;
  onClose: () => void;
}

/** A file, beside the list and the chat. */
export function Preview({ shown, onClose }: PreviewProps) {
  const titleId = useId();
  const panel = useRef<HTMLElement>(null);
  const [opener] = useState(() => document.activeElement);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const close = () => {
    onClose();
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  };
  const url = contentUrl(shown.caseId, shown.folder, shown.name);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it hears Escape for what stands in it
    <section
      ref={panel}
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
      className="fixed inset-0 z-40 flex animate-appear flex-col border-line-strong bg-sunken outline-none lg:inset-y-4 lg:right-6 lg:left-auto lg:z-20 lg:w-[min(46rem,calc(100vw-25rem))] lg:in-[:root:has([data-chat=narrow])]:right-[22.5rem] lg:in-[:root:has([data-chat=wide])]:right-[calc(50vw+2.5rem)] lg:in-[:root:has([data-chat=wide])]:w-[min(46rem,calc(50vw-4rem))] lg:overflow-clip lg:rounded-pop lg:border lg:shadow-float"
    >
      <header className="flex flex-none items-center gap-2 border-b border-line px-4 py-2">
        <div className="min-w-0 flex-1">
          <p className="truncate text-note text-ink-3">{shown.folder}</p>
          <h2 id={titleId} className="truncate font-serif text-brand font-semibold">
            <bdi>{shown.name}</bdi>
          </h2>
        </div>
        <a
          href={url}
          target="_blank"
          rel="noopener"
          aria-label="Open in a new tab"
          className={buttonClass({ size: 'small', iconOnly: true, variant: 'quiet' })}
        >
          <ExternalLink />
        </a>
        <a href={`${url}?download=1`} download className={buttonClass({ size: 'small' })}>
          <Download /> Download
        </a>
        <IconButton label="Close preview" icon={X} variant="quiet" size="small" onClick={close} />
      </header>
      <Body shown={shown} url={url} />
    </section>
  );
}

/** What is known of the file decides how it is shown. */
function Body({ shown, url }: { shown: Shown; url: string }) {
  const dispatch = useAppDispatch();
  const detail = useAppSelector(({ files }) => files.library?.details[url]);
  const status = useAppSelector(({ files }) => files.status);
  if (detail) return <Viewer shown={shown} detail={detail} />;
  if (status === 'failed')
    return (
      <ErrorState
        title="The file could not be opened"
        onRetry={() => void dispatch(loadLibrary(shown.caseId))}
      />
    );
  if (status !== 'ready') return <PageSkeleton />;
  return (
    <EmptyState icon={X} title="This file is not here any more">
      Somebody has deleted it.
    </EmptyState>
  );
}
