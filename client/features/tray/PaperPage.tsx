import ArrowLeft from 'lucide-react/icons/chevron-left';
import Download from 'lucide-react/icons/download';
import FileX from 'lucide-react/icons/file-x';
import List from 'lucide-react/icons/list';
import Maximize from 'lucide-react/icons/maximize-2';
import Undo from 'lucide-react/icons/undo-2';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { trayContentUrl, type TrayItem } from '@matterdesk/contract/tray.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { paths } from '../../core/paths.ts';
import { useAppSelector } from '../../core/store.ts';
import { fullMoment } from '../../core/words.ts';
import { buttonClass, Button, IconButton } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import { CaseDropdown } from '../cases/components/CaseDropdown.tsx';
import { CaseFolderField } from '../files/components/FolderField.tsx';
import { PageSkeleton } from '../files/components/PageSkeleton.tsx';
import { FilingPanel } from './components/FilingPanel.tsx';
import type { TrayActions } from './hooks/use-tray-actions.ts';
import { cluesOf, originOf, titleOf, typeOf } from './rules.ts';

const Viewer = lazyNamed(() => import('../files/components/Viewer.tsx'), 'Viewer');

const StandaloneMail = lazyNamed(
  () => import('../mails/components/MailReader.tsx'),
  'StandaloneMail',
);

interface PaperPageProps {
  item: TrayItem;
  /** '1 of 9' */
  place: string;
  actions: TrayActions;
  onList: () => void;
}

/** The chosen item beside where it belongs; on a phone below each other. */
export function PaperPage({ item, place, actions, onList }: PaperPageProps) {
  const last = useAppSelector(({ tray }) => tray.last);
  const navigate = useNavigate();
  return (
    <article aria-labelledby="item-title" className="flex h-full min-h-0 flex-col">
      <div className="tray-phone flex items-center gap-1 px-1 pt-2">
        <IconButton
          label="Back"
          icon={ArrowLeft}
          variant="quiet"
          onClick={() => void navigate(-1)}
        />
        <p className="grow font-semibold">
          To file <span className="font-normal text-ink-3">{place}</span>
        </p>
        {last && <IconButton label="Undo" icon={Undo} variant="quiet" onClick={actions.undo} />}
        <IconButton label="List" icon={List} variant="quiet" onClick={onList} />
      </div>
      <header className="tray-head">
        <div className="min-w-0 grow">
          <h2
            id="item-title"
            className="line-clamp-2 font-serif text-subtitle font-strong wrap-anywhere"
          >
            <bdi>{titleOf(item)}</bdi>
          </h2>
          <p className="text-sm text-ink-2">{`${originOf(item)}, ${fullMoment(item.at)}`}</p>
        </div>
        <span className="mt-2 flex-none text-sm text-ink-3 tabular-nums">{place}</span>
        <Origin item={item} />
      </header>
      <div className="tray-body">
        <Paper key={item.id} item={item} />
        <FilingPanel
          item={item}
          choice={actions.choice}
          isBusy={actions.isBusy}
          caseField={CaseDropdown}
          folderField={CaseFolderField}
          other={actions.other}
          fileButton={actions.fileButton}
          onChoose={actions.choose}
          onOther={actions.chooseOther}
          onFile={actions.file}
          onTask={actions.openDialog}
          onDismiss={actions.dismiss}
        />
      </div>
      <Keys />
    </article>
  );
}

/** The page where a mail or text came; a paper is its bytes. */
function Origin({ item: { id, source, mailId, from } }: { item: TrayItem }) {
  if (source === 'text' || source === 'mail')
    return (
      <Link
        to={mailId === undefined ? paths.messagesWith(from?.phoneNumber ?? '') : paths.mail(mailId)}
        className={buttonClass({ size: 'small' })}
      >
        {mailId === undefined ? 'Open conversation' : 'Open in Emails'}
      </Link>
    );
  return (
    <a
      href={`${trayContentUrl(id)}?download=1`}
      download
      aria-label="Download"
      className={buttonClass({ iconOnly: true })}
    >
      <Download />
    </a>
  );
}

const TRAINING = { status: 'not trained', progress: null, error: null } as const;

/** The item itself. On a phone it fills the page when it is read. */
function Paper({ item }: { item: TrayItem }) {
  const [isReading, setIsReading] = useState(false);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles Escape for its content
    <section
      aria-label="Paper"
      onKeyDown={(event) => event.key === 'Escape' && setIsReading(false)}
      data-reading={isReading || undefined}
      className="tray-paper"
    >
      <Content item={item} />
      <Button
        size="small"
        icon={isReading ? X : Maximize}
        onClick={() => setIsReading(!isReading)}
        className="absolute right-4 bottom-3 shadow-float"
      >
        {isReading ? 'Close' : 'Read'}
      </Button>
    </section>
  );
}

function Content({ item }: { item: TrayItem }) {
  const mimeType = typeOf(item);
  if (item.source === 'mail' || item.source === 'text')
    return (
      <div
        role="region"
        aria-label={item.source === 'mail' ? 'Email' : 'Text'}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text is scrolled by keys
        tabIndex={0}
        className="min-h-0 grow overflow-y-auto p-4 -outline-offset-2 sm:p-6"
      >
        {item.mailId === undefined ? (
          <p className="mx-auto max-w-[38rem] border border-line bg-surface px-6 py-8 font-serif text-heading whitespace-pre-wrap wrap-anywhere">
            <bdi>{item.excerpt || item.title}</bdi>
          </p>
        ) : (
          <div className="mx-auto max-w-[46rem] border border-line bg-surface px-5 pt-1 pb-6 sm:px-6">
            <StandaloneMail id={item.mailId} fallback={<PageSkeleton />} />
          </div>
        )}
      </div>
    );
  if (mimeType === null)
    return (
      <EmptyState
        icon={FileX}
        title="No preview for this file"
        action={
          <a href={`${trayContentUrl(item.id)}?download=1`} download className={buttonClass()}>
            <Download /> Download
          </a>
        }
      >
        Download it to open it.
      </EmptyState>
    );
  return (
    <Viewer
      shown={{
        caseId: '',
        folder: '',
        name: item.title,
        paper: trayContentUrl(item.id),
        clues: cluesOf(item),
      }}
      detail={{ mimeType, size: 0, training: TRAINING }}
      fallback={<PageSkeleton />}
    />
  );
}

const KEYS = [
  [['J', 'K'], 'next, previous'],
  [['1', '2', '3'], 'file there'],
  [['/'], 'another matter'],
  [['T'], 'with a task'],
  [['X'], 'not for a matter'],
  [['U'], 'undo'],
] as const;

/** Keyboard hints; hidden where there is no keyboard or no room. */
function Keys() {
  return (
    <p aria-hidden="true" className="tray-keys text-note text-ink-3">
      {KEYS.map(([keys, does]) => (
        <span key={does} className="flex items-center gap-1">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
          {does}
        </span>
      ))}
    </p>
  );
}
