import ArrowLeft from 'lucide-react/icons/arrow-left';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { MailboxAddress, MailDetail } from '@matterdesk/contract/mails.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { addressInWords, dateInWords, nameOf, subjectOf } from '../rules.ts';
import { isShownInside } from '../rules.reading.ts';
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
        className="mt-1 font-serif text-subtitle font-strong wrap-anywhere outline-none"
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
    <div className="mt-3 flex flex-wrap items-start gap-x-3 gap-y-1">
      <span className="mt-[7px]">
        <Avatar name={nameOf(from)} />
      </span>
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
      <time dateTime={date} className="text-sm/9 text-ink-2 tabular-nums">
        {dateInWords(date)}
      </time>
    </div>
  );
}

/** Names beyond which a list of recipients is folded. */
const MOST_NAMES = 6;

function People({ word, people }: { word: string; people: readonly MailboxAddress[] }) {
  const [areAllShown, setAllShown] = useState(people.length <= MOST_NAMES);
  return (
    <>
      {word}{' '}
      {people.slice(0, areAllShown ? undefined : MOST_NAMES - 1).map((one, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- an address may stand there twice
        <span key={index} title={addressInWords(one)}>
          {index > 0 && ', '}
          <bdi>{nameOf(one)}</bdi>
        </span>
      ))}
      {!areAllShown && (
        <>
          {' '}
          <button type="button" className="link" onClick={() => setAllShown(true)}>
            and {people.length - MOST_NAMES + 1} more
          </button>
        </>
      )}
    </>
  );
}

/** The shape of a mail. */
function ReaderSkeleton() {
  return (
    <div aria-hidden="true" className="mt-2">
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
