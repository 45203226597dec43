import ArrowLeft from 'lucide-react/icons/arrow-left';
import { type ComponentType, type ReactNode, Suspense, useEffect, useRef } from 'react';
import type { MailboxAddress, MailDetail, MailSummary } from '@matterdesk/contract/mails.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { subjectOf } from '../rules.ts';
import { details, findSummary } from '../slice.ts';
import { isShownInside } from '../rules.reading.ts';
import { AttachmentLinks } from './AttachmentLinks.tsx';
import { CaseNote } from './CaseNote.tsx';
import { IntakeNote } from './IntakeNote.tsx';
import { MailBody } from './MailBody.tsx';
import { MailHead } from './MailHead.tsx';
import { Thread } from './Thread.tsx';

const TITLE_CLASS = 'mt-1 font-serif text-subtitle font-strong wrap-anywhere outline-none';

interface MailReaderProps {
  id: string;
  /** Undefined while loading. */
  mail: MailDetail | undefined;
  onBack: () => void;
  /** Buttons for actions on the mail. */
  actions?: ReactNode;
  /** What the calendar has to say about the mail. */
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
      aria-label={mail ? subjectOf(mail.subject) : 'Mail'}
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

type WholeMailProps = { mail: MailDetail; calendar: MailCalendarSlot };

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
      <Suspense fallback={null}>
        <Calendar mail={mail} onTaken={() => dispatch(details.invalidated(mail.id))} />
      </Suspense>
      <div className="mt-5">
        <MailBody mail={mail} />
      </div>
      <AttachmentLinks
        attachments={mail.attachments.filter((file) => !isShownInside(file, mail.html))}
      />
    </>
  );
}

const NO_COPIES: MailboxAddress[] = [];

/** What the list knows of a mail, while the rest is loading. */
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
