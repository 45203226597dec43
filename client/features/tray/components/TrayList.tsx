import '../../../core/chips.css';
import '../../../core/tray.css';
import Check from 'lucide-react/icons/check';
import Mail from 'lucide-react/icons/mail';
import MessageCircle from 'lucide-react/icons/message-circle';
import ScanLine from 'lucide-react/icons/scan-line';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import Upload from 'lucide-react/icons/upload';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import type { TrayItem, TraySource } from '@matterdesk/contract/tray.ts';
import { useAppSelector } from '../../../core/store.ts';
import { counted, formatCount, whenInList } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { useToday } from '../../../ui/days.ts';
import { Kbd } from '../../../ui/Kbd.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { StaleNotice } from '../../../ui/StaleNotice.tsx';
import { useRows } from '../../../ui/use-rows.ts';
import { actInWords, noteOf, sourceNames, sources, titleOf } from '../rules.ts';
import { countOf, type TrayPage } from '../slice.ts';

const ProblemsDialog = lazy(async () => ({
  default: (await import('./ProblemsDialog.tsx')).ProblemsDialog,
}));

/** Pixels. */
const ROW_HEIGHT = 55;
/** Placeholder rows before the first page. */
const PLACEHOLDERS = 8;
const NONE: readonly TrayItem[] = [];

interface TrayListProps {
  page: TrayPage | null;
  /** Why the rows may be out of date. */
  failure: string | null;
  hasMore: boolean;
  source: TraySource | '';
  /** The item beside the list. */
  open: string | null;
  onSource: (source: TraySource | '') => void;
  onOpen: (id: string) => void;
  /** Opens a neighbor, by a key. */
  onStep: (id: string) => void;
  onMore: () => void;
  onRetry: () => void;
  onUndo: () => void;
  /** The button that uploads, and the uploads on their way. */
  upload: ReactNode;
  sendings: ReactNode;
}

/** Items to file, oldest first, with their sources above and the last act below. */
export function TrayList(props: TrayListProps) {
  const { page, failure, source, onSource, onRetry, upload, sendings } = props;
  return (
    <section aria-label="Papers" className="tray-list">
      <div className="tray-top">
        <div className="mb-2 flex items-center justify-between gap-3">
          <p aria-hidden="true" className="font-serif text-title font-strong">
            To file
          </p>
          {upload}
        </div>
        <Sources counts={page?.counts} source={source} onSource={onSource} />
      </div>
      {page && failure !== null && (
        <StaleNotice onRetry={onRetry} className="border-b border-line">
          {failure}
        </StaleNotice>
      )}
      <div data-scroller className="min-h-0 grow overflow-y-auto overscroll-contain">
        <Rows {...props} />
      </div>
      {sendings}
      <Foot page={page} onUndo={props.onUndo} />
    </section>
  );
}

interface SourcesProps {
  counts: TrayPage['counts'] | undefined;
  source: TraySource | '';
  onSource: (source: TraySource | '') => void;
}

function Sources({ counts, source, onSource }: SourcesProps) {
  const shown = counts && { '': countOf(counts), ...counts };
  return (
    <div role="group" aria-label="Sources" className="chips">
      {(['', ...sources] as const).map((one) => (
        <button key={one} type="button" aria-pressed={one === source} onClick={() => onSource(one)}>
          {one === '' ? 'All' : sourceNames[one]}
          <span>{shown && formatCount(shown[one])}</span>
        </button>
      ))}
    </div>
  );
}

function Rows({ page, failure, hasMore, source, open, onOpen, onStep, onMore }: TrayListProps) {
  const today = useToday();
  const items = page?.items ?? NONE;
  const ids = useMemo(() => items.map(({ id }) => id), [items]);
  const waiting = failure === null ? PLACEHOLDERS : 0;
  const {
    items: rows,
    tabStop,
    rowsProps,
  } = useRows<HTMLUListElement>({
    list: page ? `tray ${source}` : '',
    ids,
    count: page ? ids.length + (hasMore ? 1 : 0) : waiting,
    rowHeight: ROW_HEIGHT,
    open,
    onOpen: onStep,
    isPageWide: true,
    onReach: (last) => {
      if (hasMore && last >= ids.length - 1) onMore();
    },
  });
  return (
    <ul
      {...rowsProps}
      aria-label="Papers"
      aria-busy={(!page && failure === null) || undefined}
      className="relative"
    >
      {rows.map(({ index, offset }) => {
        const item = items[index];
        const style = { height: ROW_HEIGHT, transform: `translateY(${offset}px)` };
        if (!item) return <RowSkeleton key={`soon ${index}`} style={style} />;
        const { id } = item;
        return (
          <li
            key={id}
            data-row={id}
            aria-setsize={hasMore ? -1 : ids.length}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0 border-b border-line"
            style={style}
          >
            <button
              type="button"
              tabIndex={index === tabStop ? 0 : -1}
              aria-current={id === open || undefined}
              onClick={() => onOpen(id)}
              className={cx(
                'flex h-full w-full gap-3 px-4 pt-2 text-left -outline-offset-2',
                id === open ? 'bg-accent-soft' : 'hover:bg-hover',
              )}
            >
              <SourceMark source={item.source} />
              <span className="min-w-0 grow">
                <span className="flex items-baseline gap-2">
                  <bdi className="min-w-0 grow truncate font-book">{titleOf(item)}</bdi>
                  <time dateTime={item.at} className="flex-none text-xs text-ink-2 tabular-nums">
                    {whenInList(item.at, today)}
                  </time>
                </span>
                <bdi className="block truncate text-note text-ink-2">{noteOf(item)}</bdi>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const ICONS = { mail: Mail, text: MessageCircle, scan: ScanLine, upload: Upload };
const KINDS = { mail: 'Email', text: 'Text', scan: 'Scan', upload: 'Upload' };

function SourceMark({ source }: { source: TraySource }) {
  const Icon = ICONS[source];
  return (
    <span className="mt-0.5 grid size-6 flex-none place-items-center rounded-small bg-sunken text-ink-2">
      <Icon className="size-3.5" />
      <span className="sr-only">{KINDS[source]}</span>
    </span>
  );
}

function RowSkeleton({ style }: { style: React.CSSProperties }) {
  return (
    <li
      aria-hidden="true"
      className="absolute inset-x-0 top-0 flex gap-3 border-b border-line px-4 pt-2.5"
      style={style}
    >
      <Skeleton className="size-6" />
      <span className="grow space-y-2">
        <Skeleton className="h-3 w-3/5" />
        <Skeleton className="h-2.5 w-2/5" />
      </span>
    </li>
  );
}

/** Papers that could not be taken, and the last act with its way back. */
function Foot({ page, onUndo }: Pick<TrayListProps, 'page' | 'onUndo'>) {
  const last = useAppSelector(({ tray }) => tray.last);
  const [isOpen, setIsOpen] = useState(false);
  const problems = page?.problems ?? [];
  return (
    <div className="tray-foot border-t border-line px-4 py-2 text-sm">
      {problems.length > 0 && (
        <div className="flex items-center gap-2 text-amber">
          <TriangleAlert className="flex-none" />
          <span className="min-w-0 grow">{`${counted(problems.length, 'scanned file')} can’t be read`}</span>
          <Button size="small" variant="quiet" onClick={() => setIsOpen(true)}>
            Show
          </Button>
        </div>
      )}
      <p role="status" className="flex items-center gap-2 empty:hidden">
        {last && (
          <>
            <Check className="flex-none text-ink-3" />
            <bdi className="min-w-0 grow truncate" title={actInWords(last)}>
              {actInWords(last)}
            </bdi>
            <Button size="small" variant="quiet" aria-keyshortcuts="u" onClick={onUndo}>
              Undo
              <span aria-hidden="true" className="ml-1.5">
                <Kbd>U</Kbd>
              </span>
            </Button>
          </>
        )}
      </p>
      <Suspense>
        {isOpen && <ProblemsDialog problems={problems} onClose={() => setIsOpen(false)} />}
      </Suspense>
    </div>
  );
}
