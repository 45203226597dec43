import ChevronRight from 'lucide-react/icons/chevron-right';
import Download from 'lucide-react/icons/download';
import Ellipsis from 'lucide-react/icons/ellipsis';
import ExternalLink from 'lucide-react/icons/external-link';
import FileImage from 'lucide-react/icons/file-image';
import FileText from 'lucide-react/icons/file-text';
import FileUp from 'lucide-react/icons/file-up';
import FolderClosed from 'lucide-react/icons/folder';
import FolderInput from 'lucide-react/icons/folder-input';
import FolderOpen from 'lucide-react/icons/folder-open';
import History from 'lucide-react/icons/history';
import Mail from 'lucide-react/icons/mail';
import MessageSquareText from 'lucide-react/icons/message-square-text';
import Sparkles from 'lucide-react/icons/sparkles';
import Trash2 from 'lucide-react/icons/trash-2';
import Upload from 'lucide-react/icons/upload';
import {
  useId,
  useMemo,
  useRef,
  memo,
  type MouseEvent,
  useState,
  type RefObject,
  useLayoutEffect,
} from 'react';
import { Link } from 'react-router';
import type { FileDetail } from '@matterdesk/contract/files.ts';
import { CallError } from '../../../api.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { nameOfUrl } from '../../../core/file-link.ts';
import { paths } from '../../../core/paths.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { formatCount, plural, counted } from '../../../core/words.ts';
import { IconButton, Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { FileInput } from '../../../ui/FileInput.tsx';
import { Marked } from '../../../ui/Marked.tsx';
import { type MenuEntry, MenuButton } from '../../../ui/Menu.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { Spinner } from '../../../ui/Spinner.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { useRows } from '../../../ui/use-rows.ts';
import { checkTraining } from '../api.ts';
import { type PendingUpload, sendFiles } from '../api.uploads.ts';
import { useDrop } from '../hooks/use-drop.ts';
import { useLibrary } from '../hooks/use-library.ts';
import { filesOfDirectory, type DroppedFiles } from '../rules.dropped.ts';
import { inOrder, extensionOf, mayDelete, percent, untrainedUrls } from '../rules.ts';
import { libraryOf } from '../slice.ts';
import { UploadList } from './UploadList.tsx';

interface FolderProps {
  folder: string;
  urls: readonly string[];
  /** The case has no other folder. */
  isOnly: boolean;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  /** The uploads to this folder. */
  uploads: readonly PendingUpload[];
  onDropped: (dropped: DroppedFiles) => void;
}

/** A folder that expands, and accepts dropped files. */
export function Folder(props: FolderProps) {
  const { folder, urls, isOnly, isOpen, onToggle, uploads, onDropped } = props;
  const id = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const ordered = useMemo(() => (isOpen ? inOrder(urls) : []), [isOpen, urls]);
  const { isOver, ...drop } = useDrop(onDropped);
  const Icon = isOpen ? FolderOpen : FolderClosed;
  return (
    <li
      {...drop}
      className={cx(
        'border-t border-line transition-colors',
        isOver && 'rounded-small bg-accent-soft',
      )}
    >
      <div className="flex items-center gap-2">
        <button
          ref={toggle}
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => onToggle(!isOpen)}
          className="flex h-10 min-w-0 flex-1 items-center gap-2 rounded-small pl-0.5 text-left pointer-coarse:h-11"
        >
          <ChevronRight className={cx('text-ink-2 transition-transform', isOpen && 'rotate-90')} />
          <Icon className="text-ink-2" />
          <span className="truncate font-medium">{folder}</span>
          <span className="text-sm text-ink-3">
            {formatCount(urls.length)}
            <span className="sr-only">{` ${plural(urls.length, 'file')}`}</span>
          </span>
        </button>
        {!isOnly && <TrainAll folder={folder} home={toggle} />}
        <UploadButton
          label={`Upload to ${folder}`}
          onFiles={(files) => onDropped(filesOfDirectory(files))}
        />
      </div>
      {isOpen && (
        <div id={id} className="pb-1.5 pl-6 max-sm:pl-2">
          <UploadList uploads={uploads} />
          {ordered.length > 0 && <FileList folder={folder} urls={ordered} />}
          {ordered.length === 0 && uploads.length === 0 && (
            <p className="py-2 pl-1 text-sm text-ink-3">This folder is empty.</p>
          )}
        </div>
      )}
    </li>
  );
}

interface UploadButtonProps {
  label: string;
  onFiles: (files: readonly File[]) => void;
}

/** Opens the browser's file chooser. */
function UploadButton({ label, onFiles }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Tooltip text={label}>
        <IconButton
          label={label}
          icon={Upload}
          variant="quiet"
          size="small"
          onClick={() => input.current?.click()}
        />
      </Tooltip>
      <FileInput ref={input} multiple onFiles={onFiles} />
    </>
  );
}

const ROW_HEIGHT = 38;
/** A longer list scrolls by itself. */
const SHORT = 100;

interface FileListProps {
  folder: string;
  urls: readonly string[];
}

/** The files of an open folder. */
function FileList({ folder, urls }: FileListProps) {
  const { caseId } = useLibrary();
  const { items, measure, rowsProps } = useRows<HTMLUListElement>({
    list: `files ${caseId} ${folder}`,
    ids: urls,
    rowHeight: ROW_HEIGHT,
  });
  return (
    <div data-scroller className={cx(urls.length > SHORT && 'max-h-[60vh] overflow-y-auto')}>
      <ul {...rowsProps} aria-label={`Files in ${folder}`} className="relative">
        {items.map(({ id, index, offset }) =>
          id === undefined ? null : (
            <li
              key={id}
              ref={measure}
              data-index={index}
              data-row={id}
              aria-setsize={urls.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${offset}px)` }}
              className="absolute inset-x-0 top-0"
            >
              <FileRow folder={folder} url={id} />
            </li>
          ),
        )}
      </ul>
    </div>
  );
}

const PlaceFileDialog = lazyNamed(() => import('./PlaceFileDialog.tsx'), 'PlaceFileDialog');

const VersionsDialog = lazyNamed(() => import('./VersionsDialog.tsx'), 'VersionsDialog');

interface FileRowProps {
  folder: string;
  url: string;
  /** In a search: its words, which are marked; the row then names its folder. */
  words?: readonly string[];
}

/** A file in one line: its preview, details, training, and the rest in a menu. */
export const FileRow = memo(function FileRow({ folder, url, words }: FileRowProps) {
  const { caseId, onShow } = useLibrary();
  const detail = useAppSelector(({ files }) => libraryOf(files, caseId)?.details[url]);
  const me = useAppSelector(({ user }) => user.current);
  const name = detail?.name ?? nameOfUrl(url);
  const facts = detail
    ? [detail.pages === null ? '' : counted(detail.pages, 'page'), sizeInWords(detail.size)]
    : [];
  const { training } = detail ?? {};
  const handleClick = (event: MouseEvent) => {
    // The browser opens a new tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onShow({ folder, name });
  };
  return (
    <div className="group flex h-[38px] items-center gap-x-2.5 rounded-small pl-1 hover:bg-hover pointer-coarse:h-11">
      <FileIcon name={name} />
      <Link
        to={paths.fileOf(caseId, folder, name)}
        onClick={handleClick}
        className="min-w-0 flex-1 truncate py-1.5 underline-offset-3 hover:underline"
      >
        <bdi>
          <Marked text={name} words={words ?? NONE} />
        </bdi>
      </Link>
      {detail && detail.version > 1 && (
        <span
          title={`Version ${detail.version}`}
          className="flex-none rounded-full bg-sunken px-1.5 text-xs font-medium text-ink-2 tabular-nums"
        >
          v{detail.version}
        </span>
      )}
      {training?.status === 'error' && (
        <span
          title={reasonOf(training.error)}
          className="min-w-0 flex-1 truncate text-right text-note text-red"
        >
          {reasonOf(training.error)}
        </span>
      )}
      <span className="max-w-2/5 flex-none truncate text-sm text-ink-3 tabular-nums max-sm:hidden">
        {(words ? [folder] : facts).filter(Boolean).join(' · ')}
      </span>
      <TrainingControl folder={folder} url={url} name={name} training={training} />
      <RowMenu
        folder={folder}
        url={url}
        name={name}
        mayDelete={detail !== undefined && mayDelete(me, detail)}
        facts={[folder, ...facts, training?.error ?? ''].filter(Boolean)}
      />
    </div>
  );
});

const NONE: readonly string[] = [];
const reasonOf = (error: string | null) => error ?? 'Training failed';

interface RowMenuProps {
  folder: string;
  url: string;
  name: string;
  facts: readonly string[];
  mayDelete: boolean;
}

function RowMenu({ folder, url, name, facts, mayDelete: isOffered }: RowMenuProps) {
  const { caseId, onDelete } = useLibrary();
  const [dialog, setDialog] = useState<'place' | 'versions' | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const close = () => setDialog(null);
  const deletion: MenuEntry[] = [
    'line',
    {
      label: 'Delete',
      icon: Trash2,
      tone: 'red',
      onSelect: () => void onDelete({ folder, url }),
    },
  ];
  return (
    <>
      <MenuButton
        label={`More for ${name}`}
        heading={facts.join(' · ')}
        icon={Ellipsis}
        variant="quiet"
        size="small"
        entries={[
          {
            label: 'Open in a new tab',
            icon: ExternalLink,
            onSelect: () => window.open(url, '_blank', 'noopener'),
          },
          {
            label: 'Download',
            icon: Download,
            onSelect: () => window.location.assign(`${url}?download=1`),
          },
          {
            label: 'Rename or move',
            icon: FolderInput,
            onSelect: () => setDialog('place'),
          },
          {
            label: 'Upload new version',
            icon: FileUp,
            onSelect: () => input.current?.click(),
          },
          { label: 'Versions', icon: History, onSelect: () => setDialog('versions') },
          ...(isOffered ? deletion : []),
        ]}
      />
      <FileInput
        ref={input}
        accept={extensionOf(name)}
        aria-label={`New version of ${name}`}
        onFiles={(chosen) => sendFiles({ caseId, folder, name }, chosen)}
      />
      {dialog === 'place' && <PlaceFileDialog folder={folder} name={name} onClose={close} />}
      {dialog === 'versions' && <VersionsDialog folder={folder} name={name} onClose={close} />}
    </>
  );
}

function FileIcon({ name }: { name: string }) {
  if (/\.(eml|msg)$/i.test(name)) return <Mail className="text-ink-3" />;
  if (/\.(png|jpe?g|tiff?|gif|webp)$/i.test(name)) return <FileImage className="text-ink-3" />;
  return <FileText className="text-ink-3" />;
}

interface TrainingControlProps {
  folder: string;
  url: string;
  name: string;
  training: FileDetail['training'] | undefined;
}

/** 'Train AI', then 'Training...', then 'Chat'. */
function TrainingControl({ folder, url, name, training }: TrainingControlProps) {
  const { caseId, train } = useLibrary();
  if (training?.status === 'trained') return <ChatButton folder={folder} name={name} />;
  const isTraining = training?.status === 'training';
  return (
    <Button
      size="small"
      variant={isTraining ? 'default' : 'quiet'}
      disabled={isTraining}
      onClick={() => void train({ caseId, folder, name }, url)}
    >
      {isTraining && <Spinner className="text-accent" />}
      {isTraining ? `Training... ${percent(training.progress)}`.trim() : 'Train AI'}
    </Button>
  );
}

function ChatButton({ folder, name }: { folder: string; name: string }) {
  const { caseId, onAsk } = useLibrary();
  const [isBusy, setIsBusy] = useState(false);
  const open = async () => {
    setIsBusy(true);
    try {
      const { status, message } = await checkTraining({ caseId, folder, name });
      if (status === 202) toast.error(message);
      else onAsk({ folder, name });
    } catch (error) {
      if (error instanceof CallError) toast.error('Error enabling chat');
    }
    setIsBusy(false);
  };
  return (
    <Button size="small" icon={MessageSquareText} busy={isBusy} onClick={() => void open()}>
      Chat
    </Button>
  );
}

/** A single file has its own button. */
const MIN_UNTRAINED = 2;

interface TrainAllProps {
  /** The folder whose files are trained; without it, those of the case. */
  folder?: string;
  /** Takes the focus when the button goes. */
  home: RefObject<HTMLElement | null>;
}

/** Trains all untrained files with one click. */
export function TrainAll({ folder, home }: TrainAllProps) {
  const { caseId, trainAll } = useLibrary();
  const count = useAppSelector(
    ({ files }) => untrainedUrls(libraryOf(files, caseId), folder).length,
  );
  const { isBusy, attempt } = useAttempt();
  const isShown = isBusy || count >= MIN_UNTRAINED;
  // React reports no blur for an element that it removes.
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (isShown || !hasFocus.current) return;
    hasFocus.current = false;
    home.current?.focus({ preventScroll: true });
  }, [isShown, home]);
  if (!isShown) return null;
  return (
    <Button
      size="small"
      variant={folder === undefined ? 'default' : 'quiet'}
      aria-label={folder === undefined ? undefined : `Train all in ${folder}`}
      busy={isBusy}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={() => {
        hasFocus.current = false;
      }}
      onClick={() => void attempt({ folder }, () => trainAll(folder))}
    >
      {folder === undefined && <Sparkles />}
      {folder === undefined && count > 0 ? `Train all ${counted(count, 'file')}` : 'Train all'}
    </Button>
  );
}
