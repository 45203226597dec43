// Papers, mails and texts that are in no matter yet.

import '../../core/chips.css';
import '../../core/tray.css';
import Check from 'lucide-react/icons/check';
import InboxIcon from 'lucide-react/icons/inbox';
import Mail from 'lucide-react/icons/mail';
import MessageCircle from 'lucide-react/icons/message-circle';
import ScanLine from 'lucide-react/icons/scan-line';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import UploadIcon from 'lucide-react/icons/upload';
import {
  type CSSProperties,
  type DragEvent,
  type ReactNode,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { TrayItem, TraySource } from '@matterdesk/contract/tray.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { Pending } from '../../core/Pending.tsx';
import { store, useAppSelector } from '../../core/store.ts';
import { anyText, oneOf, useAddress } from '../../core/use-address.ts';
import { BATCH_MS, useResource } from '../../core/use-resource.ts';
import { useScreen } from '../../core/use-screen.ts';
import { counted, formatCount, whenInList } from '../../core/words.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { useToday } from '../../ui/days.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FileInput } from '../../ui/FileInput.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import { Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx';
import { StaleNotice } from '../../ui/StaleNotice.tsx';
import { useRows } from '../../ui/use-rows.ts';
import { calendarWindow } from '../calendar/slice.ts';
import { overviewOfDay } from '../dashboard/slice.ts';
import { boards, lists } from '../tasks/slice.ts';
import { useTrayActions } from './hooks/use-tray-actions.ts';
import { actInWords, noteOf, sourceNames, sources, titleOf } from './rules.ts';
import { countOf, trayList, type TrayPage } from './slice.ts';

const TaskDialog = lazyNamed(() => import('../tasks/components/TaskDialog.tsx'), 'TaskDialog');

const PaperPage = lazyNamed(() => import('./PaperPage.tsx'), 'PaperPage');

const ProblemsDialog = lazyNamed(() => import('./components/ProblemsDialog.tsx'), 'ProblemsDialog');

const UnfiledUploads = lazyNamed(
  () => import('../files/components/UploadList.tsx'),
  'UnfiledUploads',
);

const CaseDropdown = lazyNamed(
  () => import('../cases/components/CaseDropdown.tsx'),
  'CaseDropdown',
);

const schema = { source: oneOf(sources), item: anyText, view: oneOf(['list']) };
const NONE: readonly TrayItem[] = [];
/** Pixels. */
const ROW_HEIGHT = 55;
/** Placeholder rows before the first page. */
const PLACEHOLDERS = 8;

/** The tray: a list of papers, the chosen one, and where it belongs. */
export function ToFilePage() {
  const isBackUndo = useScreen() === 'phone';
  const { address, change } = useAddress(schema, { isBackUndo, isImmediate: true });
  const { source, view } = address;
  const list = useResource(trayList, source, { batchMs: BATCH_MS });
  const { data } = list;
  const items = data?.items ?? NONE;
  const { at, ask } = useChosen(items, address.item);
  const item = items[at];
  const page = useRef<HTMLDivElement>(null);
  const open = (id: string) => {
    ask(id);
    change({ item: id, view: '' });
  };
  const actions = useTrayActions(item, { page, onTasks: tasksChanged, onBack: open });
  const drop = {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      void upload([...event.dataTransfer.files]);
    },
  };
  const isEmpty = items.length === 0 && (data !== null || list.failure !== null);
  return (
    <div ref={page} {...drop} className="tray">
      <title>To file · Matterdesk</title>
      <h1 className="sr-only">To file</h1>
      <div data-view={isEmpty ? 'empty' : view || 'item'} className="tray-panes">
        <TrayList
          page={data}
          failure={list.failure?.message ?? null}
          hasMore={list.cursor !== null}
          source={source}
          open={item?.id ?? null}
          onSource={(chosen) => change({ source: chosen, item: '' })}
          onOpen={open}
          onStep={open}
          onMore={list.grow}
          onRetry={list.refresh}
          onUndo={actions.undo}
          upload={<UploadButton isSmall />}
          sendings={<UnfiledUploads />}
        />
        <div className="tray-item">
          {data === null ? (
            <Pending of={list} what="the papers">
              <TraySkeleton />
            </Pending>
          ) : item ? (
            <PaperPage
              item={item}
              place={`${formatCount(at + 1)} of ${formatCount(data.total)}`}
              actions={actions}
              onList={() => change({ view: 'list' })}
              fallback={<TraySkeleton />}
            />
          ) : (
            <Nothing source={source} onAll={() => change({ source: '' })} />
          )}
        </div>
      </div>
      {actions.dialog && (
        <TaskDialog
          task={null}
          column="intake"
          matter={actions.dialog.to}
          together={{
            subtitle: `With ${titleOf(actions.dialog.item)}, in ${actions.dialog.to.label}`,
            submit: 'File with this task',
            save: actions.fileWithTask,
          }}
          caseField={CaseDropdown}
          onClose={actions.closeDialog}
        />
      )}
    </div>
  );
}

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
function TrayList(props: TrayListProps) {
  const { page, failure, source, onSource, onRetry, upload, sendings } = props;
  return (
    <section aria-label="Papers" className="tray-list">
      <div className="tray-top">
        <div className="mb-2 flex items-center justify-between gap-3">
          <p aria-hidden="true" className="font-serif text-title font-strong max-sm:text-[1.5rem]">
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

const ICONS = { mail: Mail, text: MessageCircle, scan: ScanLine, upload: UploadIcon };
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

function RowSkeleton({ style }: { style: CSSProperties }) {
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
      {isOpen && <ProblemsDialog problems={problems} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

/**
 * Index of the shown item, -1 for an empty list. Follows the requested item as it moves; when it leaves the list, the
 * item in its place is shown.
 */
function useChosen(items: readonly TrayItem[], wanted: string) {
  const [shown, setShown] = useState({ id: '', place: 0, wanted: '', asked: '' });
  const asked = shown.wanted === wanted ? shown.asked : wanted;
  const placeOf = (id: string) => items.findIndex((item) => item.id === id);
  const found = [placeOf(asked), placeOf(shown.id)].find((place) => place !== -1);
  const at = found ?? Math.min(shown.place, items.length - 1);
  const id = items[at]?.id ?? '';
  const isMet = asked !== '' && id === asked;
  const hasChanged = isMet || id !== shown.id || at !== shown.place || wanted !== shown.wanted;
  if (id !== '' && hasChanged) setShown({ id, place: at, wanted, asked: isMet ? '' : asked });
  /** Also for an item that is wanted again, or not in the list yet. */
  const ask = (next: string) => setShown((before) => ({ ...before, asked: next }));
  return { at, ask };
}

/** The server sends its own socket no event. */
function tasksChanged(caseId: string): void {
  store.dispatch(boards.invalidated(caseId));
  store.dispatch(lists.invalidated());
  store.dispatch(overviewOfDay.invalidated());
  store.dispatch(calendarWindow.invalidated());
}

/** The places of the item and of its matters until the list is read. */
function TraySkeleton() {
  return (
    <div className="flex h-full flex-col" aria-busy="true">
      <div className="tray-head">
        <div className="space-y-2 py-1">
          <Skeleton className="h-5 w-64 max-w-full" />
          <Skeleton className="h-3.5 w-48 max-w-full" />
        </div>
      </div>
      <div className="tray-body">
        <div className="tray-paper" />
        <div className="tray-where">
          <SkeletonRows count={3} className="h-20" />
        </div>
      </div>
    </div>
  );
}

interface NothingProps {
  source: keyof typeof sourceNames | '';
  onAll: () => void;
}

function Nothing({ source, onAll }: NothingProps): ReactNode {
  if (source !== '')
    return (
      <EmptyState
        icon={InboxIcon}
        title={`No ${sourceNames[source].toLowerCase()} to file`}
        action={<Button onClick={onAll}>Show all</Button>}
      />
    );
  return (
    <EmptyState icon={InboxIcon} title="Nothing to file" action={<UploadButton />}>
      Mails and texts from people of your matters, papers that you upload without a matter, and
      those from the office scanner wait here until they are filed.
    </EmptyState>
  );
}

async function upload(files: readonly File[]) {
  if (files.length === 0) return;
  const { sendFiles } = await import('../files/api.uploads.ts');
  sendFiles({ caseId: '', folder: '' }, files);
}

/** Files go into the tray. */
function UploadButton({ isSmall = false }: { isSmall?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const choose = () => input.current?.click();
  return (
    <>
      {isSmall ? (
        <IconButton label="Upload" icon={UploadIcon} variant="quiet" onClick={choose} />
      ) : (
        <Button icon={UploadIcon} variant="primary" onClick={choose}>
          Upload papers
        </Button>
      )}
      <FileInput
        ref={input}
        multiple
        aria-label="Papers to upload"
        onFiles={(files) => void upload(files)}
      />
    </>
  );
}
