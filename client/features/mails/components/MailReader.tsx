import ArrowLeft from 'lucide-react/icons/arrow-left';
import Briefcase from 'lucide-react/icons/briefcase-business';
import Check from 'lucide-react/icons/check';
import Inbox from 'lucide-react/icons/inbox';
import Paperclip from 'lucide-react/icons/paperclip';
import { type ComponentType, type ReactNode, useEffect, useRef, useContext, useState } from 'react';
import { Link } from 'react-router';
import type { MailboxAddress, MailDetail, MailSummary } from '@matterdesk/contract/mails.ts';
import { paths } from '../../../core/paths.ts';
import { Pending } from '../../../core/Pending.tsx';
import { ContactLinkContext, IntakesContext } from '../../../core/slots.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { fullMoment, whenInList } from '../../../core/words.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { useToday } from '../../../ui/days.ts';
import { Kbd } from '../../../ui/Kbd.tsx';
import { isHandledElsewhere } from '../../../ui/list-keys.ts';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useDocumentKey } from '../../../ui/use-document-key.ts';
import { mailThread, mailDetails } from '../api.ts';
import { useFileMail } from '../hooks/use-file-mail.ts';
import { addressOf, useMailboxAddress } from '../hooks/use-mailbox-address.ts';
import {
  isShownInside,
  proposalFor,
  subjectOf,
  nameOf,
  addressInWords,
  personOf,
} from '../rules.ts';
import { details, findSummary } from '../slice.ts';
import { MailBody } from './MailBody.tsx';

const TITLE_CLASS = 'mt-1 font-serif text-subtitle font-strong wrap-anywhere outline-none';

interface MailReaderProps {
  id: string;
  /** Undefined while loading. */
  mail: MailDetail | undefined;
  onBack: () => void;
  /** Buttons for actions on the mail. */
  actions?: ReactNode;
  /** Calendar notes about the mail. */
  calendar: MailCalendarSlot;
  /** The answer that is being written. */
  below?: ReactNode;
}

/** A component of the calendar, which pages pass to the mailbox. */
export type MailCalendarSlot = ComponentType<{ mail: MailDetail; onTaken: () => void }>;

/** A complete mail. */
export function MailReader({ id, mail, onBack, actions, calendar, below }: MailReaderProps) {
  const summary = useAppSelector(({ mails }) => findSummary(mails, id));
  return (
    <article
      aria-label={mail ? subjectOf(mail.subject) : 'Email'}
      aria-busy={!mail || undefined}
      className="px-4 pb-9 @2xl:px-8"
    >
      <div className="sticky top-0 z-10 flex items-center gap-2 bg-paper pt-4 pb-2 @5xl:pt-6">
        <IconButton
          label="Back to the list"
          icon={ArrowLeft}
          variant="quiet"
          aria-keyshortcuts="u"
          className="-ml-2"
          onClick={onBack}
        />
        <div className="ml-auto flex gap-2 @max-md:gap-1 @max-md:[&_button_span_svg]:hidden">
          {actions}
        </div>
      </div>
      {mail ? (
        <WholeMail key={mail.id} mail={mail} calendar={calendar} />
      ) : (
        <MailSkeleton summary={summary} />
      )}
      {below}
      {mail && summary && <Thread id={id} threadId={summary.threadId} />}
    </article>
  );
}

/** A mail to read outside of the mailbox. */
export function StandaloneMail({ id }: { id: string }) {
  const opened = useResource(mailDetails, id);
  if (!opened.data)
    return (
      <Pending of={opened} what="this email">
        <MailSkeleton summary={undefined} />
      </Pending>
    );
  const { mail } = opened.data;
  return (
    <>
      <MailHead {...mail} />
      <div className="mt-5">
        <MailBody mail={mail} />
      </div>
      <Attachments mail={mail} />
    </>
  );
}

type WholeMailProps = {
  mail: MailDetail;
  calendar: MailCalendarSlot;
};

function WholeMail({ mail, calendar: Calendar }: WholeMailProps) {
  const dispatch = useAppDispatch();
  const title = useRef<HTMLHeadingElement>(null);
  // Reading starts at the subject, where j and k still open the neighboring mails.
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <h2 ref={title} tabIndex={-1} className={TITLE_CLASS}>
        <bdi>{subjectOf(mail.subject)}</bdi>
      </h2>
      <MailHead {...mail} />
      <CaseNote mail={mail} />
      <IntakeNote mail={mail} />
      <Calendar mail={mail} onTaken={() => dispatch(details.invalidated(mail.id))} />
      <div className="mt-5">
        <MailBody mail={mail} />
      </div>
      <Attachments mail={mail} />
    </>
  );
}

const NO_COPIES: MailboxAddress[] = [];

/** Placeholder with the list's summary of a mail while the rest is loading. */
function MailSkeleton({ summary }: { summary: MailSummary | undefined }) {
  return (
    <>
      {summary ? (
        <>
          <h2 className={TITLE_CLASS}>
            <bdi>{subjectOf(summary.subject)}</bdi>
          </h2>
          <MailHead {...summary} cc={NO_COPIES} />
        </>
      ) : (
        <div aria-hidden="true" className="mt-2">
          <Skeleton className="h-6 w-3/5" />
          <div className="mt-4 flex items-center gap-3">
            <Skeleton className="size-6 rounded-full" />
            <Skeleton className="h-4 w-2/5" />
          </div>
        </div>
      )}
      <div aria-hidden="true" className="mt-8 flex max-w-[34em] flex-col gap-3">
        {['w-full', 'w-11/12', 'w-4/5', 'w-2/3'].map((width) => (
          <Skeleton key={width} className={`h-3.5 ${width}`} />
        ))}
      </div>
    </>
  );
}

function Attachments({ mail }: { mail: MailDetail }) {
  const attachments = mail.attachments.filter((file) => !isShownInside(file, mail.html));
  if (attachments.length === 0) return null;
  return (
    <section aria-label="Attachments" className="mt-6">
      <ul className="flex flex-wrap gap-2">
        {attachments.map(({ url, name, size }) => (
          <li key={url} className="min-w-0">
            <a
              href={`${url}?download=1`}
              download={name}
              className="flex h-[34px] max-w-full items-center gap-2 rounded-control border border-line-strong bg-surface px-2.5 hover:bg-hover pointer-coarse:h-11"
            >
              <Paperclip className="text-ink-2" />
              <bdi className="min-w-0 truncate">{name || 'attachment'}</bdi>
              <span className="flex-none text-sm text-ink-3 tabular-nums">{sizeInWords(size)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The way to the intake that the sender has already. */
function IntakeNote({ mail }: { mail: MailDetail }) {
  const intakes = useContext(IntakesContext);
  if (!intakes || mail.from === null || mail.draftId !== null) return null;
  return (
    <intakes.Finder address={mail.from.email} since={mail.date}>
      {(id) =>
        id !== null && (
          <p className="mt-4 flex items-center gap-2 rounded-card bg-accent-soft px-2.5 py-2 text-sm text-accent-ink">
            <Inbox />
            <Link
              to={paths.intake(id)}
              className="font-semibold underline-offset-3 hover:underline"
            >
              Intake made
            </Link>
          </p>
        )
      }
    </intakes.Finder>
  );
}

/** The other mails of the open one's thread, as links; nothing while it is alone. */
function Thread({ id, threadId }: { id: string; threadId: string }) {
  const { data } = useResource(mailThread, threadId);
  const { query, open } = useMailboxAddress();
  const today = useToday();
  if (!data || data.length < 2) return null;
  return (
    <nav aria-label="Conversation" className="mt-9 border-t border-line pt-4">
      <h3 className="text-sm font-medium text-ink-2">{data.length} emails in this conversation</h3>
      <ol className="mt-2">
        {data.map((mail) => (
          <li key={mail.id}>
            <Link
              to={addressOf({ ...query, mail: mail.id })}
              aria-current={mail.id === id ? 'page' : undefined}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                open(mail.id);
              }}
              className={cx(
                'flex min-h-11 items-baseline gap-3 rounded-control px-2 py-2.5 text-sm',
                mail.id === id ? 'bg-accent-soft' : 'hover:bg-hover',
              )}
            >
              <bdi className={cx('w-36 flex-none truncate', mail.unread && 'font-semibold')}>
                {nameOf(mail.from)}
              </bdi>
              <bdi className="min-w-0 grow truncate text-ink-2">{mail.snippet || '\u00A0'}</bdi>
              <time dateTime={mail.date} className="flex-none text-xs text-ink-2 tabular-nums">
                {whenInList(mail.date, today)}
              </time>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

type Head = Pick<MailDetail, 'from' | 'to' | 'cc' | 'date'>;

/** The sender, the recipients and the date of a mail. */
function MailHead({ from, to, cc, date }: Head) {
  const linkOf = useContext(ContactLinkContext);
  return (
    <div className="mt-3 flex flex-wrap items-start gap-x-3 gap-y-1">
      <span className="mt-[7px]">
        <Avatar name={personOf(from)} />
      </span>
      <div className="min-w-0 grow basis-56">
        <p className="wrap-anywhere">
          <bdi className="font-medium">{nameOf(from)}</bdi>{' '}
          {from && from.name !== '' && <span className="text-ink-2">{from.email}</span>}
        </p>
        <p className="text-sm text-ink-2 wrap-anywhere">
          {to ? <People word="to" people={[to]} /> : 'no recipients'}
          {cc.length > 0 && (
            <>
              {' · '}
              <People word="cc" people={cc} />
            </>
          )}
        </p>
        {from && linkOf?.(from.email)}
      </div>
      <time dateTime={date} className="text-sm/9 text-ink-2 tabular-nums">
        {fullMoment(date)}
      </time>
    </div>
  );
}

/** Number of recipients before the rest is collapsed. */
const MAX_NAMES = 6;

function People({ word, people }: { word: string; people: readonly MailboxAddress[] }) {
  const [areAllShown, setAllShown] = useState(people.length <= MAX_NAMES);
  return (
    <>
      {word}{' '}
      {people.slice(0, areAllShown ? undefined : MAX_NAMES - 1).map((person, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- an address may appear twice
        <span key={index} title={addressInWords(person)}>
          {index > 0 && ', '}
          <bdi>{nameOf(person)}</bdi>
        </span>
      ))}
      {!areAllShown && (
        <>
          {' '}
          <button type="button" className="link" onClick={() => setAllShown(true)}>
            and {people.length - MAX_NAMES + 1} more
          </button>
        </>
      )}
    </>
  );
}

/** The mail's cases, and the proposed case with its reason; a button and `y` file the mail there. */
function CaseNote({ mail }: { mail: MailDetail }) {
  const { filed } = mail;
  const { isBusy, file } = useFileMail(mail);
  const proposed = mail.draftId === null ? proposalFor(mail) : null;
  const note = useRef<HTMLDivElement>(null);
  useDocumentKey((event) => {
    if (event.key !== 'y' || !proposed || isBusy || isHandledElsewhere(event, note.current)) return;
    event.preventDefault();
    void file(proposed.id);
  });
  if (filed.length === 0 && proposed === null) return null;
  return (
    <div ref={note} className="mt-4 flex flex-col gap-1">
      {filed.map((each) => (
        <Row
          key={each.url}
          label="Filed email"
          item={each.case}
          words={`filed ${fullMoment(each.at)}`}
        >
          <span className="flex h-7 items-center gap-1.5 px-2 font-semibold">
            <Check className="size-3.5" /> Filed here
          </span>
        </Row>
      ))}
      {proposed && (
        <Row label="Proposed case" item={proposed} words={proposed.reason}>
          <Button
            size="small"
            variant="quiet"
            busy={isBusy}
            aria-keyshortcuts="y"
            className="text-accent-ink!"
            onClick={() => void file(proposed.id)}
          >
            File here{' '}
            <span aria-hidden="true">
              <Kbd>Y</Kbd>
            </span>
          </Button>
        </Row>
      )}
    </div>
  );
}

interface RowProps {
  label: string;
  item: { id: string; caseName: string };
  words: string;
  children: ReactNode;
}

function Row({ label, item, words, children }: RowProps) {
  return (
    <section
      aria-label={label}
      className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-card bg-accent-soft py-1 pr-1 pl-2.5 text-sm text-accent-ink"
    >
      <Briefcase />
      <p className="min-w-0 grow basis-40 wrap-anywhere">
        <Link
          to={paths.caseDetails(item.id)}
          className="font-semibold underline-offset-3 hover:underline"
        >
          <bdi>{item.caseName}</bdi>
        </Link>{' '}
        · {words}
      </p>
      {children}
    </section>
  );
}
