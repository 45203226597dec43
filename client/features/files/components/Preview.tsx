import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Download from 'lucide-react/icons/download';
import ExternalLink from 'lucide-react/icons/external-link';
import History from 'lucide-react/icons/history';
import X from 'lucide-react/icons/x';
import { type RefObject, useEffect, useId, useMemo, useRef } from 'react';
import { contentUrl } from '@matterdesk/contract/files.ts';
import { nameOfUrl } from '../../../core/file-link.ts';
import { Pending } from '../../../core/Pending.tsx';
import { useAppSelector } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { buttonClass, Button, IconButton } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { focusRow, isFocusLost } from '../../../ui/focus.ts';
import { caseLibrary, fileVersions, pageText } from '../api.ts';
import { contentOf, fileOf, type PreviewTarget, versionToShow } from '../rules.preview.ts';
import { inOrder, placeOf } from '../rules.ts';
import { libraryOf } from '../slice.ts';
import { PageSkeleton } from './PageSkeleton.tsx';
import { Viewer } from './Viewer.tsx';

interface PreviewProps {
  shown: PreviewTarget;
  onShow: (at: { folder: string; name: string }) => void;
  onClose: () => void;
}

/** The preview of a file, beside the list and the chat. */
export function Preview({ shown, onShow, onClose }: PreviewProps) {
  const titleId = useId();
  const panel = useRef<HTMLElement>(null);
  const focusedFor = useRef<PreviewTarget>(null);
  const url = contentUrl(shown.caseId, shown.folder, shown.name);
  const newest = useAppSelector(
    ({ files }) => libraryOf(files, shown.caseId)?.details[url]?.version ?? 1,
  );
  const version = versionToShow(shown, newest);
  const opened = useMemo(() => ({ ...shown, version }), [shown, version]);
  const marked = useQuoted(opened);
  const opener = useRef<Element>(null);
  useFocusOnReturn(url, opener);
  useEffect(() => {
    // Each citation moves the focus to the preview.
    if (focusedFor.current === shown) return;
    focusedFor.current = shown;
    const { activeElement } = document;
    // Going to the next file keeps the focus on the button.
    if (panel.current?.contains(activeElement)) return;
    opener.current = activeElement;
    panel.current?.focus({ preventScroll: true });
  }, [shown]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles Escape for its content
    <section
      ref={panel}
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
      className="fixed inset-0 z-40 flex animate-appear flex-col border-line-strong bg-sunken outline-none lg:inset-y-4 lg:right-6 lg:left-auto lg:z-20 lg:w-[min(46rem,calc(100vw-25rem))] lg:in-[:root:has([data-chat=narrow])]:right-[22.5rem] lg:in-[:root:has([data-chat=wide])]:right-[calc(50vw+1rem)] lg:in-[:root:has([data-chat=wide])]:w-[min(46rem,calc(50vw-2rem))] lg:overflow-clip lg:rounded-pop lg:border lg:shadow-float"
    >
      <header className="flex flex-none items-center gap-2 border-b border-line px-4 py-2">
        <div className="min-w-0 flex-1">
          <p className="truncate text-note text-ink-3">{shown.folder}</p>
          <h2 id={titleId} className="truncate font-serif text-brand font-semibold">
            <bdi>{shown.name}</bdi>
          </h2>
        </div>
        <Neighbors shown={shown} url={url} onShow={onShow} />
        <a
          href={contentOf(opened)}
          target="_blank"
          rel="noopener"
          aria-label="Open in a new tab"
          className={buttonClass({ size: 'small', iconOnly: true, variant: 'quiet' })}
        >
          <ExternalLink />
        </a>
        <a href={contentOf(opened, true)} download className={buttonClass({ size: 'small' })}>
          <Download /> <span className="max-sm:sr-only">Download</span>
        </a>
        <IconButton label="Close preview" icon={X} variant="quiet" size="small" onClick={onClose} />
      </header>
      {version !== undefined && version < newest && (
        <EarlierNotice
          version={version}
          newest={newest}
          onNewest={() => onShow({ folder: shown.folder, name: shown.name })}
        />
      )}
      {marked ? <Body key={JSON.stringify(marked)} shown={marked} url={url} /> : <PageSkeleton />}
    </section>
  );
}

/** Returns the focus when the preview closes, also by Back: to what opened it, or to the row of the file. */
function useFocusOnReturn(url: string, opener: RefObject<Element | null>) {
  const shownLast = useRef(url);
  useEffect(() => {
    shownLast.current = url;
  }, [url]);
  useEffect(
    () => () => {
      // The preview is removed from the document only after this.
      queueMicrotask(() => {
        if (!isFocusLost()) return;
        const { current } = opener;
        if (current instanceof HTMLElement && !current.closest('[data-row]')) current.focus();
        if (isFocusLost()) void focusRow(shownLast.current, 'files-title');
      });
    },
    [opener],
  );
}

const NONE: readonly string[] = [];

/** Buttons to the previous and next file of the folder. */
function Neighbors({ shown, url, onShow }: Omit<PreviewProps, 'onClose'> & { url: string }) {
  const { folder } = shown;
  const urls = useAppSelector(({ files }) => libraryOf(files, shown.caseId)?.files[folder] ?? NONE);
  const ordered = useMemo(() => inOrder(urls), [urls]);
  const at = ordered.indexOf(url);
  const [before, after] = [ordered[at - 1], at === -1 ? undefined : ordered[at + 1]];
  if (ordered.length < 2) return null;
  return (
    <>
      <IconButton
        label="Previous file"
        icon={ChevronLeft}
        variant="quiet"
        size="small"
        aria-disabled={before === undefined}
        onClick={() => before !== undefined && onShow({ folder, name: nameOfUrl(before) })}
      />
      <IconButton
        label="Next file"
        icon={ChevronRight}
        variant="quiet"
        size="small"
        aria-disabled={after === undefined}
        onClick={() => after !== undefined && onShow({ folder, name: nameOfUrl(after) })}
      />
    </>
  );
}

interface EarlierNoticeProps {
  version: number;
  newest: number;
  onNewest: () => void;
}

/** Says that this is not the newest version. */
function EarlierNotice({ version, newest, onNewest }: EarlierNoticeProps) {
  return (
    <div
      role="status"
      className="flex flex-none flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-amber-soft px-4 py-1.5 text-sm text-amber"
    >
      <History className="size-4" />
      <span className="min-w-0 flex-1">{`Version ${version}. The newest is version ${newest}.`}</span>
      <Button size="small" onClick={onNewest}>
        Show the newest
      </Button>
    </div>
  );
}

/** The file's details, which choose its viewer, come from the library. */
function Body({ shown, url }: { shown: PreviewTarget; url: string }) {
  const library = useResource(caseLibrary, shown.caseId);
  const detail = library.data?.details[url];
  if (detail && shown.version !== undefined && shown.version < detail.version)
    return <EarlierBody shown={shown} version={shown.version} />;
  if (detail) return <Viewer shown={shown} detail={detail} />;
  if (!library.data)
    return (
      <Pending of={library} what="the file">
        <PageSkeleton />
      </Pending>
    );
  return (
    <EmptyState icon={X} title="This file was deleted">
      It’s no longer in this case.
    </EmptyState>
  );
}

interface EarlierBodyProps {
  shown: PreviewTarget;
  version: number;
}

/** An earlier version, whose kind and size are its own. */
function EarlierBody({ shown, version }: EarlierBodyProps) {
  const at = { ...fileOf(shown), version: undefined };
  const versions = useResource(fileVersions, at);
  const earlier = versions.data?.find(({ n }) => n === version);
  if (earlier) {
    const { size, mimeType, trained } = earlier;
    const training = { ...WITHOUT_TRAINING, status: trained ? 'trained' : 'not trained' } as const;
    return <Viewer shown={shown} detail={{ size, mimeType, training }} />;
  }
  if (!versions.data)
    return (
      <Pending of={versions} what="the file">
        <PageSkeleton />
      </Pending>
    );
  return (
    <EmptyState icon={X} title="This version was not found">
      Open the newest version of this file.
    </EmptyState>
  );
}

const WITHOUT_TRAINING = { progress: null, error: null };

/**
 * A quotation as a cited passage, unmarked if the page's text has changed since.
 * @returns null while its page loads
 */
function useQuoted(shown: PreviewTarget): PreviewTarget | null {
  const { caseId, folder, name, version, page = 1, quotation } = shown;
  const { data, failure } = useResource(
    pageText,
    quotation === undefined ? null : { caseId, folder, name, version, page },
  );
  return useMemo(() => {
    if (quotation === undefined) return shown;
    if (!data) return failure ? shown : null;
    const passage = placeOf(quotation, data);
    return passage ? { ...shown, passage, sentence: passage } : shown;
  }, [shown, quotation, data, failure]);
}
