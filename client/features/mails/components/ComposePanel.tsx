import Briefcase from 'lucide-react/icons/briefcase-business';
import Mail from 'lucide-react/icons/mail';
import Maximize2 from 'lucide-react/icons/maximize-2';
import Minus from 'lucide-react/icons/minus';
import Paperclip from 'lucide-react/icons/paperclip';
import X from 'lucide-react/icons/x';
import {
  type ComponentType,
  type DragEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { MAIL_BYTES_MAX } from '@matterdesk/contract/mails.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import type { CaseField } from '../../../core/slots.ts';
import type { Upload } from '../../../core/upload.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import type { Option } from '../../../ui/option.ts';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { toast } from '../../../ui/toast-store.ts';
import type { Signature } from '../api.signature.ts';
import { uploadAttachment } from '../api.ts';
import type { Composer } from '../hooks/use-composer.ts';
import type { DraftAttachment, MailDraft, MailContent } from '../rules.draft.ts';
import {
  hasUnsupportedFormatting,
  linesOf,
  replaceSignature,
  textOf,
} from '../rules.formatting.ts';
import { ComposeFields, ComposeFooter } from './ComposeFields.tsx';
import { typeAtStart } from './MessageEditor.tsx';

const ComposeQuestion = lazyNamed(() => import('./ComposeQuestion.tsx'), 'ComposeQuestion');
const SignatureDialog = lazyNamed(() => import('./SignatureDialog.tsx'), 'SignatureDialog');

export interface PickProps {
  caseField: CaseField;
  /** The case that is selected first. */
  matter: Option | null;
  onClose: () => void;
  onPick: (files: DraftAttachment[]) => void;
}

interface ComposePanelProps {
  composer: Composer;
  caseField: CaseField;
  /** Chooses files of a case. */
  library: ComponentType<PickProps>;
  /** Each mail needs its own `key`. */
  composing: MailDraft;
  /** Whether it appears below the mail that it answers. */
  isBelow: boolean;
}

const FLOATING =
  'fixed right-4 bottom-4 z-30 w-96 max-w-[calc(100vw-2rem)] rounded-pop shadow-float sm:right-6';
const BELOW = 'z-30 mt-6 min-h-[30rem] max-w-[41rem] rounded-card max-sm:mt-0';
/** On a phone. */
const FILLING =
  'max-sm:fixed max-sm:inset-0 max-sm:in-[body:has(>.sandbox)]:top-6 max-sm:h-auto max-sm:w-auto max-sm:max-w-none max-sm:rounded-none max-sm:border-0';

/** The mail being written, at the lower right or below the mail that it answers; the page behind it stays usable. */
export function ComposePanel(props: ComposePanelProps) {
  const { composer, composing, caseField, library: LibraryPicker, isBelow } = props;
  const { written, isSmall, matter } = composing;
  const titleId = useId();
  const [isPicking, setIsPicking] = useState(false);
  const [signature, setSignature] = useState<Signature | null>(null);
  const [isOver, setIsOver] = useState(false);
  const { to, message } = useWritingFocus({ composer, composing, isBelow });
  useFormattingNote(composing);
  const attaching = useAttachments(written.attachments, composer.write);
  const send = () => {
    if (!attaching.isBusy) void composer.send();
  };
  const close = () => (attaching.isBusy ? composer.ask('close') : void composer.close());
  const handleKey = (event: KeyboardEvent) => {
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (event.defaultPrevented || (!isSend && event.key !== 'Escape')) return;
    // React also bubbles keys from dialogs above the panel, which are outside of it in the document.
    if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    if (isSend) send();
    else close();
  };
  const handleDrop = (event: DragEvent) => {
    setIsOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    attaching.add([...event.dataTransfer.files]);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it handles the keys of its content, and dropped files
    <div
      role="dialog"
      aria-labelledby={titleId}
      data-compose=""
      onKeyDown={handleKey}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={handleDrop}
      className={cx(
        'flex animate-appear flex-col overflow-hidden border bg-surface',
        isOver ? 'border-accent' : 'border-line-strong',
        isBelow ? BELOW : FLOATING,
        !isSmall && FILLING,
        isSmall ? 'max-sm:bottom-[4.5rem]' : !isBelow && 'h-[min(40rem,calc(100dvh-3rem))]',
      )}
    >
      <ComposeHead
        titleId={titleId}
        title={written.subject.trim() || 'New email'}
        isSmall={isSmall}
        onMinimize={() => composer.minimize(!isSmall)}
        onClose={close}
      />
      <form
        noValidate
        hidden={isSmall}
        className={cx('min-h-0 grow flex-col', !isSmall && 'flex')}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <ComposeFields
          written={written}
          faults={composer.faults}
          onWrite={composer.write}
          to={to}
          message={message}
        />
        <ComposeAttachments
          attachments={written.attachments}
          pending={attaching.pending}
          isForward={written.forwardOf !== undefined}
          onRemoveOriginal={() => composer.write({ forwardOf: undefined })}
          onRemove={attaching.remove}
          onCancel={attaching.cancel}
        />
        <ComposeFooter
          isSending={composer.isSending}
          isAttaching={attaching.isBusy}
          saveStatus={composer.saveStatus}
          savedAt={composing.savedAt}
          onFiles={attaching.add}
          onLibrary={() => setIsPicking(true)}
          onSignature={() => void loadedSignature(composer).then(setSignature)}
          onDiscard={() => (isTouched(composing) ? void composer.discard() : composer.leave())}
        />
      </form>
      {composer.question && <ComposeQuestion composer={composer} question={composer.question} />}
      {signature !== null && (
        <SignatureDialog
          signature={signature.text}
          onSaved={(after) => changeSignature(composer, signature, after)}
          onClose={() => setSignature(null)}
        />
      )}
      {isPicking && (
        <LibraryPicker
          matter={matter}
          caseField={caseField}
          onClose={() => setIsPicking(false)}
          onPick={attaching.addKept}
        />
      )}
    </div>
  );
}

function isTouched({ draftId, written, start }: MailDraft): boolean {
  return draftId !== null || JSON.stringify(written) !== JSON.stringify(start);
}

async function loadedSignature({ signature }: Composer): Promise<Signature | null> {
  const own = await signature.current;
  if (own === null) toast.error('Couldn’t load your signature. Open Emails again.');
  return own;
}

/** In this mail, and in those to come. */
function changeSignature({ write }: Composer, own: Signature, after: string) {
  const before = own.text;
  own.text = after;
  write((now) => textOf(replaceSignature(linesOf(now), { before, after })));
}

interface ComposeHeadProps {
  titleId: string;
  title: string;
  isSmall: boolean;
  onMinimize: () => void;
  onClose: () => void;
}

function ComposeHead({ titleId, title, isSmall, onMinimize, onClose }: ComposeHeadProps) {
  return (
    <div className="flex h-11 flex-none items-center gap-1 border-b border-line pr-1.5 pl-3">
      <h2 id={titleId} className="min-w-0 grow truncate font-semibold">
        <bdi>{title}</bdi>
      </h2>
      <IconButton
        label={isSmall ? 'Restore email' : 'Minimize email'}
        icon={isSmall ? Maximize2 : Minus}
        variant="quiet"
        size="small"
        aria-expanded={!isSmall}
        onClick={onMinimize}
      />
      <IconButton label="Close email" icon={X} variant="quiet" size="small" onClick={onClose} />
    </div>
  );
}

const FORMATTED =
  'This draft has formatting from another app. Editing it here keeps bold, italic, underline, lists, links and quotes.';

/** Says once that editing the draft would lose some of its formatting. */
function useFormattingNote({ start, written }: MailDraft) {
  const [isLosing] = useState(
    () =>
      written.html !== undefined &&
      written.html === start.html &&
      hasUnsupportedFormatting(written.html),
  );
  useEffect(() => {
    if (isLosing) toast.plain(FORMATTED);
  }, [isLosing]);
}

type WritingFocus = Pick<ComposePanelProps, 'composer' | 'composing' | 'isBelow'>;

/** Focuses the first field to fill in, and restores the focus on closing. */
function useWritingFocus({ composer, composing, isBelow }: WritingFocus) {
  const to = useRef<HTMLInputElement>(null);
  const message = useRef<HTMLDivElement>(null);
  const { id, isSmall, written } = composing;
  const begin = useRef({ isToEmpty: written.to === '', write: composer.write });
  const { faults } = composer;
  const { caught, end } = composer.opening;
  const [opener] = useState(() => caught.current?.opener ?? document.activeElement);
  useEffect(() => {
    const panel = message.current?.closest('[role=dialog]');
    if (isBelow) panel?.scrollIntoView({ block: 'nearest' });
  }, [isBelow]);
  useEffect(() => {
    // Another mail is being opened.
    const isOther = caught.current !== null && caught.current.id !== id;
    if (isSmall || isOther) return;
    const typed = end();
    if (begin.current.isToEmpty) {
      to.current?.focus({ preventScroll: true });
      if (typed !== '') begin.current.write({ to: typed });
    } else {
      // A reply is written above the quote.
      message.current?.focus({ preventScroll: true });
      message.current?.scrollTo(0, 0);
      if (typed !== '') typeAtStart(message.current, typed);
    }
  }, [id, isSmall, caught, end]);
  useEffect(() => {
    if (Object.keys(faults).length === 0) return;
    const panel = to.current?.closest('[role=dialog]');
    panel?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [faults]);
  useEffect(
    () => () => {
      const isAway = document.activeElement !== null && document.activeElement !== document.body;
      if (isAway) return;
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else document.getElementById('main')?.focus();
    },
    [opener],
  );
  return { to, message };
}

interface ComposeAttachmentsProps {
  attachments: readonly DraftAttachment[];
  pending: readonly PendingUpload[];
  /** Whether the whole forwarded mail is attached. */
  isForward: boolean;
  onRemoveOriginal: () => void;
  onRemove: (attached: DraftAttachment) => void;
  onCancel: (id: number) => void;
}

/** The attachments of the mail, and the uploads in progress. */
function ComposeAttachments(props: ComposeAttachmentsProps) {
  const { attachments, pending, isForward, onRemoveOriginal, onRemove, onCancel } = props;
  if (attachments.length + pending.length === 0 && !isForward) return null;
  return (
    <ul aria-label="Attachments" className="max-h-36 flex-none overflow-y-auto px-3 pb-1">
      {isForward && (
        <li className="flex items-center gap-2">
          <Mail className="text-ink-3" />
          <span className="min-w-0 grow truncate">The original email, with its attachments</span>
          <IconButton
            label="Remove the original email"
            icon={X}
            variant="quiet"
            size="small"
            onClick={onRemoveOriginal}
          />
        </li>
      )}
      {attachments.map((file) => (
        <li key={'upload' in file ? file.upload : file.url} className="flex items-center gap-2">
          {'upload' in file ? (
            <Paperclip className="text-ink-3" />
          ) : (
            <Briefcase className="text-ink-3" />
          )}
          <bdi className="min-w-0 grow truncate">{file.name}</bdi>
          <span className="flex-none text-sm text-ink-3 tabular-nums">
            {sizeInWords(file.size)}
          </span>
          <IconButton
            label={`Remove ${file.name}`}
            icon={X}
            variant="quiet"
            size="small"
            onClick={() => onRemove(file)}
          />
        </li>
      ))}
      {pending.map(({ id, name, size, share, failure }) => (
        <li key={id} className="flex items-center gap-2">
          <Paperclip className="text-ink-3" />
          <div className="min-w-0 grow">
            <div className="flex gap-2">
              <bdi className="min-w-0 grow truncate">{name}</bdi>
              <span className="flex-none text-sm text-ink-3 tabular-nums">{sizeInWords(size)}</span>
            </div>
            {failure === null ? (
              <ProgressBar label={`Uploading ${name}`} value={Math.round(share * 100)} max={100} />
            ) : (
              <p role="alert" className="text-note text-red">
                {failure}
              </p>
            )}
          </div>
          <IconButton
            label={failure === null ? `Cancel upload of ${name}` : `Forget ${name}`}
            icon={X}
            variant="quiet"
            size="small"
            onClick={() => onCancel(id)}
          />
        </li>
      ))}
    </ul>
  );
}

type PendingUpload = {
  id: number;
  name: string;
  size: number;
  /** 0 to 1. */
  share: number;
  /** Why the upload failed. */
  failure: string | null;
};

const TOO_LARGE = `An email can have up to ${MAIL_BYTES_MAX / 1024 / 1024} MB of attachments. Share larger files another way.`;

type Write = (next: (now: MailContent) => Partial<MailContent>) => void;

/** Uploads files before their mail is sent. */
function useAttachments(attachments: readonly DraftAttachment[], write: Write) {
  const [pending, setPending] = useState<readonly PendingUpload[]>([]);
  const running = useRef(new Map<number, Upload<unknown>>());
  const lastId = useRef(0);
  useEffect(() => {
    const uploads = running.current;
    return () => {
      for (const upload of uploads.values()) upload.cancel();
    };
  }, []);

  const start = async (file: File) => {
    const { name, size } = file;
    lastId.current += 1;
    const id = lastId.current;
    const update = (now: Partial<PendingUpload>) =>
      setPending((all) => all.map((item) => (item.id === id ? { ...item, ...now } : item)));
    setPending((all) => [...all, { id, name, size, share: 0, failure: null }]);
    const upload = uploadAttachment(file, (share) => update({ share }));
    running.current.set(id, upload);
    try {
      const { upload: kept, name: keptName, size: keptSize } = await upload.done;
      const attached = { upload: kept, name: keptName, size: keptSize };
      setPending((all) => all.filter((item) => item.id !== id));
      write((now) => ({ attachments: [...now.attachments, attached] }));
    } catch (error) {
      update({ failure: error instanceof Error ? error.message : String(error) });
    }
    running.current.delete(id);
  };
  const fits = (more: readonly { size: number }[]) => {
    const all = [...attachments, ...pending.filter(({ failure }) => failure === null), ...more];
    const isWithinLimit = all.reduce((sum, { size }) => sum + size, 0) <= MAIL_BYTES_MAX;
    if (!isWithinLimit) toast.error(TOO_LARGE);
    return isWithinLimit;
  };
  const add = (files: readonly File[]) => {
    if (fits(files)) for (const file of files) void start(file);
  };
  /** The server already has the files of a case. */
  const addKept = (files: readonly DraftAttachment[]) => {
    if (fits(files)) write((now) => ({ attachments: [...now.attachments, ...files] }));
  };
  const cancel = useCallback((id: number) => {
    running.current.get(id)?.cancel();
    setPending((all) => all.filter((item) => item.id !== id));
  }, []);
  const remove = (removed: DraftAttachment) =>
    write((now) => ({ attachments: now.attachments.filter((file) => file !== removed) }));
  const isBusy = pending.some(({ failure }) => failure === null);
  return { pending, isBusy, add, addKept, cancel, remove };
}
