import ArrowLeft from 'lucide-react/icons/arrow-left';
import { type ReactNode, useEffect, useRef } from 'react';
import type { MailboxAddress, MailDetail } from '@matterdesk/contract/mails.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { addressInWords, dateInWords, isShownInside, nameOf, subjectOf } from '../rules.ts';
import { AttachmentLinks } from './AttachmentLinks.tsx';
import { MailBody } from './MailBody.tsx';
import { ProposedCase } from './ProposedCase.tsx';

interface MailReaderProps {
  mail: MailDetail | undefined;
  onBack: () => void;
  /** What can be done with the mail, as buttons. */
  actions?: ReactNode;
}

/** One mail, whole. */
export function MailReader({ mail, onBack, actions }: MailReaderProps) {
  return (
    <article
      aria-label={mail ? subjectOf(mail.subject) : 'Mail'}
      aria-busy={!mail || undefined}
      className="px-4 pt-4 pb-9 @2xl:px-8 @5xl:pt-6"
    >
      <div className="flex items-center gap-2">
        <IconButton
          label="Back to the list"
          icon={ArrowLeft}
          variant="quiet"
          aria-keyshortcuts="u"
          className="-ml-2"
          onClick={onBack}
        />
        <div className="ml-auto flex gap-2">{actions}</div>
      </div>
      {mail ? <WholeMail key={mail.id} mail={mail} /> : <ReaderSkeleton />}
    </article>
  );
}

function WholeMail({ mail }: { mail: MailDetail }) {
  const title = useRef<HTMLHeadingElement>(null);
  // The reading begins at the subject; its keys still lead to the neighbours.
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <h2
        ref={title}
        tabIndex={-1}
        className="mt-3 font-serif text-subtitle font-strong wrap-anywhere outline-none"
      >
        <bdi>{subjectOf(mail.subject)}</bdi>
      </h2>
      <MailHead mail={mail} />
      {mail.proposedCase && <ProposedCase mailId={mail.id} proposed={mail.proposedCase} />}
      <div className="mt-5">
        <MailBody mail={mail} />
      </div>
      <AttachmentLinks
        attachments={mail.attachments.filter((one) => !isShownInside(one, mail.html))}
      />
    </>
  );
}

function MailHead({ mail: { from, to, cc, date } }: { mail: MailDetail }) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
      <Avatar name={nameOf(from)} />
      <div className="min-w-0 grow basis-56">
        <p className="wrap-anywhere">
          <bdi className="font-medium">{nameOf(from)}</bdi>{' '}
          {from && from.name !== '' && <span className="text-ink-2">{from.email}</span>}
        </p>
        <p className="text-sm text-ink-2 wrap-anywhere">
          {to ? <People word="to" people={[to]} /> : 'to nobody'}
          {cc.length > 0 && (
            <>
              {' · '}
              <People word="cc" people={cc} />
            </>
          )}
        </p>
      </div>
      <time dateTime={date} className="text-sm text-ink-2 tabular-nums">
        {dateInWords(date)}
      </time>
    </div>
  );
}

function People({ word, people }: { word: string; people: readonly MailboxAddress[] }) {
  return (
    <>
      {word}{' '}
      {people.map((one, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- an address may stand there twice
        <span key={index} title={addressInWords(one)}>
          {index > 0 && ', '}
          <bdi>{nameOf(one)}</bdi>
        </span>
      ))}
    </>
  );
}

/** The shape of a mail. */
function ReaderSkeleton() {
  return (
    <div aria-hidden="true" className="mt-4">
      <Skeleton className="h-6 w-3/5" />
      <div className="mt-4 flex items-center gap-3">
        <Skeleton className="size-6 rounded-full" />
        <Skeleton className="h-4 w-2/5" />
      </div>
      <div className="mt-8 flex max-w-[68ch] flex-col gap-3">
        {['w-full', 'w-11/12', 'w-4/5', 'w-2/3'].map((width) => (
          <Skeleton key={width} className={`h-3.5 ${width}`} />
        ))}
      </div>
    </div>
  );
}
