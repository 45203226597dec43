import Download from 'lucide-react/icons/download';
import Ellipsis from 'lucide-react/icons/ellipsis';
import ExternalLink from 'lucide-react/icons/external-link';
import FileImage from 'lucide-react/icons/file-image';
import FileText from 'lucide-react/icons/file-text';
import FileUp from 'lucide-react/icons/file-up';
import FolderInput from 'lucide-react/icons/folder-input';
import History from 'lucide-react/icons/history';
import Mail from 'lucide-react/icons/mail';
import MessageSquareText from 'lucide-react/icons/message-square-text';
import Trash2 from 'lucide-react/icons/trash-2';
import { lazy, memo, type MouseEvent, Suspense, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { FileDetail } from '@matterdesk/contract/files.ts';
import { CallError } from '../../../api.ts';
import { nameOfUrl } from '../../../core/file-link.ts';
import { paths } from '../../../core/paths.ts';
import { useAppSelector } from '../../../core/store.ts';
import { counted } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { FileInput } from '../../../ui/FileInput.tsx';
import { Marked } from '../../../ui/Marked.tsx';
import type { MenuEntry } from '../../../ui/Menu.tsx';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { Spinner } from '../../../ui/Spinner.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { checkTraining } from '../api.ts';
import { sendFiles } from '../api.uploads.ts';
import { useLibrary } from '../hooks/use-library.ts';
import { extensionOf, mayDelete, percent } from '../rules.ts';
import { libraryOf } from '../slice.ts';

const PlaceFileDialog = lazy(async () => ({
  default: (await import('./PlaceFileDialog.tsx')).PlaceFileDialog,
}));

const VersionsDialog = lazy(async () => ({
  default: (await import('./VersionsDialog.tsx')).VersionsDialog,
}));

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
      <Suspense>
        {dialog === 'place' && <PlaceFileDialog folder={folder} name={name} onClose={close} />}
        {dialog === 'versions' && <VersionsDialog folder={folder} name={name} onClose={close} />}
      </Suspense>
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
