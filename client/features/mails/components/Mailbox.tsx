import Archive from 'lucide-react/icons/archive';
import Ellipsis from 'lucide-react/icons/ellipsis';
import FolderInput from 'lucide-react/icons/folder-input';
import Forward from 'lucide-react/icons/forward';
import Inbox from 'lucide-react/icons/inbox';
import MailIcon from 'lucide-react/icons/mail';
import MailOpen from 'lucide-react/icons/mail-open';
import PencilLine from 'lucide-react/icons/pencil-line';
import Reply from 'lucide-react/icons/reply';
import ReplyAll from 'lucide-react/icons/reply-all';
import RotateCw from 'lucide-react/icons/rotate-cw';
import Trash from 'lucide-react/icons/trash-2';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import Unplug from 'lucide-react/icons/unplug';
import {
  type ComponentType,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { useLocation, useSearchParams } from 'react-router';
import type { MailDetail } from '@matterdesk/contract/mails.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { readHandedDraft } from '../../../core/handed-draft.ts';
import { matterOfMail } from '../../../core/mail-matter.ts';
import { type CaseField, useMakeIntake } from '../../../core/slots.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { useNow } from '../../../ui/days.ts';
import { isHandledElsewhere } from '../../../ui/list-keys.ts';
import { MenuButton } from '../../../ui/Menu.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { useDocumentKey } from '../../../ui/use-document-key.ts';
import { mailDetails } from '../api.ts';
import { type Composer, FAILED, useComposer, useDrafts } from '../hooks/use-composer.ts';
import { useMailboxAddress } from '../hooks/use-mailbox-address.ts';
import {
  type Account,
  useAccount,
  useMailActions,
  type MailActions,
  type ShownList,
  useMailList,
} from '../hooks/use-mailbox.ts';
import { type AnswerKind, answerTo, EMPTY_CONTENT } from '../rules.draft.ts';
import { ageInWords } from '../rules.ts';
import type { PickProps } from './ComposePanel.tsx';
import { ListPane, MailSections } from './ListPane.tsx';
import type { MailCalendarSlot } from './MailReader.tsx';

const ComposePanel = lazyNamed(() => import('./ComposePanel.tsx'), 'ComposePanel');
const MailReader = lazyNamed(() => import('./MailReader.tsx'), 'MailReader');

interface MailboxProps {
  caseField: CaseField;
  library: ComponentType<PickProps>;
  calendar: MailCalendarSlot;
}

/** Sections, list and reader, as three panes, two panes or separate screens, depending on the width. */
export function Mailbox({ caseField, calendar, library }: MailboxProps) {
  const address = useMailboxAddress();
  const { query, mail: open, close } = address;
  const { list, refresh, reach } = useMailList(query);
  const composer = useComposer();
  const { compose, answer } = useWriteActions(composer);
  const { opening, openDraft } = useDrafts(composer);
  useMailTo(composer);
  const mail = useMail(open, close);
  const actions = useMailActions({ mail, section: query.section, onClose: close });
  // Moved between its places, so that uploads and what is typed go on.
  const [panel] = useState(() => document.createElement('div'));
  const page = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLDivElement>(null);
  useMailShortcuts(page, {
    c: compose,
    '/': () => search.current?.querySelector('input')?.focus(),
    ...(open !== null && { u: close, Escape: close }),
    ...(actions?.archive && { e: actions.archive }),
    ...(actions && { '#': actions.trash }),
    ...(actions?.markUnread && { U: actions.markUnread }),
    ...(mail?.draftId === null && {
      r: () => answer(mail, 'reply'),
      a: () => answer(mail, 'replyAll'),
      f: () => answer(mail, 'forward'),
    }),
  });
  const { composing } = composer;
  // A small one stays at hand while other mails are read.
  const isBelow =
    mail !== undefined && !composing?.isSmall && composing?.written.inReplyTo === mail.id;
  const handleOpen = (id: string) => {
    if (query.section === 'drafts') void openDraft(id);
    else address.open(id);
  };
  return (
    <div ref={page} className="@container h-full">
      <div className="relative grid h-full grid-cols-1 grid-rows-[auto_minmax(0,1fr)] @2xl:grid-cols-[20rem_minmax(0,1fr)] @5xl:grid-cols-[172px_340px_minmax(0,1fr)] @5xl:grid-rows-1">
        <SectionsPane
          list={list}
          isBehind={open !== null}
          onCompose={compose}
          onRefresh={refresh}
        />
        <ListPane
          list={list}
          open={open}
          opening={opening}
          search={search}
          reach={reach}
          onFind={address.find}
          onOpen={handleOpen}
          onStep={address.open}
          onRefresh={refresh}
          onCompose={compose}
        />
        <div
          // Scrolls each mail to its top.
          key={open}
          className={cx(
            'row-span-2 min-h-0 min-w-0 overflow-y-auto @2xl:col-start-2 @2xl:row-start-1 @5xl:col-start-3 @5xl:row-span-1',
            open === null ? '@max-2xl:hidden' : '@max-2xl:absolute @max-2xl:inset-0',
          )}
        >
          {open === null ? (
            <NothingOpen />
          ) : (
            <MailReader
              id={open}
              mail={mail}
              onBack={close}
              calendar={calendar}
              below={isBelow && <Place of={panel} />}
              actions={
                mail && (
                  <ReaderActions
                    mail={mail}
                    actions={actions}
                    caseField={caseField}
                    onAnswer={(kind) => answer(mail, kind)}
                    onEditDraft={() => void openDraft(mail.id)}
                  />
                )
              }
            />
          )}
        </div>
      </div>
      {composer.opening.isOpening && <KeyCatcher {...composer.opening} />}
      {!isBelow && <Place of={panel} />}
      {composing &&
        createPortal(
          <ComposePanel
            key={composing.id}
            composer={composer}
            composing={composing}
            caseField={caseField}
            library={library}
            isBelow={isBelow}
          />,
          panel,
        )}
    </div>
  );
}

function NothingOpen() {
  return (
    <div className="grid h-full place-items-center p-6 text-ink-3">
      <p className="flex items-center gap-2">
        <MailOpen /> Select an email to read it
      </p>
    </div>
  );
}

interface PlaceProps {
  /** An element that has one place at a time. */
  of: HTMLElement;
}

/** Slot for an element that moves from one part of the page to another. */
function Place({ of: element }: PlaceProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.append(element);
    return () => element.remove();
  }, [element]);
  return <div ref={place} />;
}

/** Captures typing while a mail opens, so that keys neither run shortcuts nor reach the previous mail. */
function KeyCatcher({ caught, keep }: Pick<Composer['opening'], 'caught' | 'keep'>) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const element = input.current;
    const opener = caught.current?.opener;
    element?.focus({ preventScroll: true });
    return () => {
      if (document.activeElement === element && opener instanceof HTMLElement) opener.focus();
    };
  }, [caught]);
  return (
    <input
      ref={input}
      aria-label="New email"
      className="sr-only"
      onChange={({ target }) => keep(target.value)}
    />
  );
}

/** Runs the action of a key, such as `c`, pressed anywhere on the page. */
function useMailShortcuts(
  page: RefObject<HTMLElement | null>,
  actions: Readonly<Record<string, () => void>>,
) {
  useDocumentKey((event) => {
    const action = actions[event.key];
    if (!action || isHandledElsewhere(event, page.current)) return;
    action();
    event.preventDefault();
  });
}

/** Starts a mail to the address that a link names, `?to=…`, or goes on with a draft, `?draft=…`; once. */
function useMailTo({ open }: Composer): void {
  const [params, setParams] = useSearchParams();
  const state: unknown = useLocation().state;
  const to = params.get('to');
  const draftId = params.get('draft');
  const asked = draftId ?? to;
  const handled = useRef<string>(null);
  useEffect(() => {
    // The address changes only after the composer has rendered the page again.
    if (handled.current === asked) return;
    handled.current = asked;
    if (asked === null) return;
    const draft = readHandedDraft(state);
    // Without its text the draft waits in its section.
    setParams(draftId !== null && !draft ? { section: 'drafts' } : {}, { replace: true });
    if (draftId === null) void open({ written: { ...EMPTY_CONTENT, ...draft, to: asked } });
    else if (draft) void open({ written: { ...EMPTY_CONTENT, ...draft }, draftId });
  }, [asked, draftId, state, setParams, open]);
}

const DisconnectDialog = lazyNamed(() => import('./DisconnectDialog.tsx'), 'DisconnectDialog');

interface SectionsPaneProps {
  list: ShownList;
  /** Whether an open mail covers it, as on a phone. */
  isBehind: boolean;
  onCompose: () => void;
  onRefresh: () => void;
}

/** The sections and the mailbox's address, as a column or, on narrow screens, a row. */
function SectionsPane(props: SectionsPaneProps) {
  const { list, isBehind, onCompose, onRefresh } = props;
  const account = useAccount();
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = () => setIsLeaving(true);
  return (
    <div
      className={cx(
        'flex min-w-0 flex-col gap-2 px-3 pt-3 @2xl:border-r @2xl:border-line @5xl:gap-6 @5xl:pt-6',
        isBehind && '@max-2xl:invisible',
      )}
    >
      <MailSections section={list.query.section} onCompose={onCompose} />
      <OtherAccount account={account} onDisconnect={leave} />
      <AccountNote account={account} list={list} onRefresh={onRefresh} onDisconnect={leave} />
      {isLeaving && <DisconnectDialog email={account.email} onClose={() => setIsLeaving(false)} />}
    </div>
  );
}

/** The ways to start writing: compose, or answer. */
function useWriteActions(composer: Composer) {
  const current = useAppSelector(({ user }) => user.current);
  const compose = () => {
    composer.opening.want();
    if (!composer.composing) void composer.open({});
    else if (composer.composing.isSmall) composer.minimize(false);
    else document.querySelector<HTMLElement>('[data-compose] input')?.focus();
  };
  const answer = (mail: MailDetail, kind: AnswerKind) => {
    const own = [current?.email, current?.googleEmail].filter((email) => email != null);
    void composer.open({ written: answerTo(mail, kind, own), matter: matterOfMail(mail) });
  };
  return { compose, answer };
}

/** The mail in the URL; a mail that cannot be loaded is closed with a toast. */
function useMail(id: string | null, onFailed: () => void) {
  const { data, failure } = useResource(mailDetails, id);
  const hasFailed = data === null && failure !== null;
  const failed = useRef(onFailed);
  useEffect(() => {
    failed.current = onFailed;
  });
  const closed = useRef<string>(null);
  useEffect(() => {
    if (id === null) closed.current = null;
    // A connection that opens asks again, before the address has changed.
    if (!hasFailed || closed.current === id) return;
    closed.current = id;
    toast.error(FAILED);
    failed.current();
  }, [hasFailed, id]);
  return data?.mail;
}

interface AccountNoteProps {
  account: Account;
  list: ShownList;
  onRefresh: () => void;
  onDisconnect: () => void;
}

/** The mailbox's address, the age of its list, and buttons to refresh and disconnect. */
function AccountNote({ account, list, onRefresh, onDisconnect }: AccountNoteProps) {
  const now = useNow();
  const { data, isBusy } = list;
  return (
    <div className="text-xs text-ink-2 @max-5xl:hidden">
      {!account.isAnother && (
        <p className="px-2">
          <Address of={account.email} />
        </p>
      )}
      <p className="px-2">{isBusy ? 'Updating' : ageInWords(data?.readAt ?? null, now)}</p>
      <div className="mt-1.5 flex flex-col items-start">
        <Button
          size="small"
          variant="quiet"
          icon={RotateCw}
          aria-disabled={isBusy || undefined}
          onClick={() => !isBusy && onRefresh()}
        >
          Refresh
        </Button>
        {!account.isAnother && (
          <Button size="small" variant="quiet" icon={Unplug} onClick={onDisconnect}>
            Disconnect
          </Button>
        )}
      </div>
    </div>
  );
}

/** Warns that the mailbox belongs to another address than the user's, and offers to disconnect. */
function OtherAccount({
  account,
  onDisconnect,
}: Pick<AccountNoteProps, 'account' | 'onDisconnect'>) {
  if (!account.isAnother) return null;
  return (
    <section
      aria-label="Another account"
      className="rounded-card bg-amber-soft px-2.5 py-2 text-xs text-amber"
    >
      <p className="flex gap-1.5">
        <TriangleAlert className="size-3.5" />
        <span className="min-w-0">
          This mailbox belongs to <Address of={account.email} />, not to{' '}
          <Address of={account.own} />. Mail is sent from that address.
        </span>
      </p>
      <Button size="small" icon={Unplug} className="mt-2" onClick={onDisconnect}>
        Disconnect
      </Button>
    </section>
  );
}

/** An email address that breaks before the @ if it is too long for its line. */
function Address({ of: address }: { of: string }) {
  const at = address.lastIndexOf('@');
  return (
    <span className="wrap-anywhere">
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </span>
  );
}

const FileToCase = lazyNamed(() => import('./FileToCase.tsx'), 'FileToCase');

interface ReaderActionsProps {
  mail: MailDetail;
  /** Null for drafts. */
  actions: MailActions | null;
  caseField: CaseField;
  onAnswer: (kind: AnswerKind) => void;
  onEditDraft: () => void;
}

function ReaderActions(props: ReaderActionsProps) {
  const { mail, actions, onAnswer, onEditDraft } = props;
  const [isFiling, setIsFiling] = useState(false);
  const intakes = useMakeIntake();
  if (mail.draftId !== null) {
    return (
      <Button icon={PencilLine} onClick={onEditDraft}>
        Edit draft
      </Button>
    );
  }
  return (
    <>
      {actions?.archive && (
        <Tooltip text="Archive">
          <IconButton
            label="Archive"
            icon={Archive}
            variant="quiet"
            aria-keyshortcuts="e"
            onClick={actions.archive}
          />
        </Tooltip>
      )}
      {actions && (
        <Tooltip text="Move to the trash" className="@max-md:hidden">
          <IconButton
            label="Move to the trash"
            icon={Trash}
            variant="quiet"
            aria-keyshortcuts="#"
            onClick={actions.trash}
          />
        </Tooltip>
      )}
      <Button icon={FolderInput} onClick={() => setIsFiling(true)}>
        File to case
      </Button>
      <Button icon={Reply} aria-keyshortcuts="r" onClick={() => onAnswer('reply')}>
        Reply
      </Button>
      <MenuButton
        label="More"
        icon={Ellipsis}
        heading="Answer"
        entries={[
          { label: 'Reply all', icon: ReplyAll, onSelect: () => onAnswer('replyAll') },
          { label: 'Forward', icon: Forward, onSelect: () => onAnswer('forward') },
          ...(intakes
            ? [
                {
                  label: 'Make intake',
                  icon: Inbox,
                  onSelect: () => intakes.make({ fromMail: mail.id }),
                },
              ]
            : []),
          ...(actions
            ? [{ label: 'Move to the trash', icon: Trash, onSelect: actions.trash }]
            : []),
          ...(actions?.markUnread
            ? [{ label: 'Mark as unread', icon: MailIcon, onSelect: actions.markUnread }]
            : []),
        ]}
      />
      {isFiling && (
        <FileToCase mail={mail} caseField={props.caseField} onClose={() => setIsFiling(false)} />
      )}
    </>
  );
}
