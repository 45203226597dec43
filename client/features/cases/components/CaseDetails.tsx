import type { LucideIcon } from 'lucide-react';
import Building from 'lucide-react/icons/building-2';
import Mail from 'lucide-react/icons/mail';
import MapPin from 'lucide-react/icons/map-pin';
import Pencil from 'lucide-react/icons/pencil';
import Phone from 'lucide-react/icons/phone';
import User from 'lucide-react/icons/user';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type Case, NOT_FILED, type Activity } from '@matterdesk/contract/cases.ts';
import { solInEffect } from '@matterdesk/contract/sol-in-effect.ts';
import { openCall } from '../../../core/call-card.ts';
import { toE164 } from '../../../core/e164.ts';
import { fullName } from '../../../core/full-name.ts';
import { paths } from '../../../core/paths.ts';
import { useAppSelector } from '../../../core/store.ts';
import { deciderOf, proposalOf } from '../../../core/waiting-date.ts';
import { formatCount, exactMoment, momentInWords } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { formatDay, useNow } from '../../../ui/days.ts';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import type { ActivityFeed } from '../rules.lists.ts';
import { missingInWords, activityInWords } from '../rules.ts';
import { Dash } from './Dash.tsx';

interface CaseDetailsProps {
  matter: Case;
  /** Opens 'Edit case' at a field; absent for users who may not change the case. */
  onFill: ((first: string) => void) | undefined;
  /** Blocks of its parties, its next dates and its latest activity. */
  parties: ReactNode;
  dates: ReactNode;
  activity: ReactNode;
}

/** Facts and news of a matter, in the quiet column beside its tabs. */
export function DetailsColumn({ matter, onFill, parties, dates, activity }: CaseDetailsProps) {
  return (
    <div className="matter-column grid content-start gap-6 border-l border-line pl-7">
      <div>
        <MissingFields matter={matter} onFill={onFill} />
        <CaseSummary matter={matter} />
      </div>
      {parties}
      {dates}
      <div>{activity}</div>
    </div>
  );
}

/** The Details tab, and the printed sheet: the blocks of the column laid out as a page. */
export function CaseDetails({ matter, onFill, parties, dates, activity }: CaseDetailsProps) {
  return (
    <div className="@container">
      <MissingFields matter={matter} onFill={onFill} />
      <div className="matter-details grid gap-x-11 gap-y-6 @min-[42rem]:grid-cols-[minmax(0,1fr)_15rem] @min-[42rem]:gap-x-8 @min-[62rem]:grid-cols-[minmax(0,1fr)_18.75rem] @min-[62rem]:gap-x-11">
        <div className="grid content-start gap-6">
          <CaseSummary matter={matter} />
          {parties}
        </div>
        <div className="grid content-start gap-6 border-line max-[42rem]:border-t max-[42rem]:pt-5 @min-[42rem]:border-l @min-[42rem]:pl-7">
          {dates}
          <div className="print:hidden">{activity}</div>
        </div>
      </div>
    </div>
  );
}

interface MissingFieldsProps {
  matter: Case;
  /** Absent for users who may not change the case. */
  onFill?: ((first: string) => void) | undefined;
}

/** The fields that a case that is not filed yet lacks, with the way to fill them. */
function MissingFields({ matter: { incomplete }, onFill }: MissingFieldsProps) {
  const [first] = incomplete;
  if (first === undefined) return null;
  return (
    <section
      aria-label="Missing information"
      className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card border border-line bg-amber-soft px-4 py-2.5 text-sm print:hidden"
    >
      <p className="min-w-0">
        <span className="font-medium text-amber">Missing:</span> {missingInWords(incomplete)}
      </p>
      {onFill && (
        <Button size="small" icon={Pencil} onClick={() => onFill(first)}>
          Fill in
        </Button>
      )}
    </section>
  );
}

/** The details of a case: label over value. */
function CaseSummary({ matter }: { matter: Case }) {
  return (
    <section
      id="summary"
      aria-label="Case summary"
      tabIndex={-1}
      className="@container outline-none"
    >
      <SectionHeading>Summary</SectionHeading>
      <dl className="matter-facts grid grid-cols-2 gap-x-6 gap-y-4 @min-[38rem]:grid-cols-4">
        <Fact label="Case name">{matter.caseName}</Fact>
        <Fact label="Case No">{matter.caseNo ?? NOT_FILED}</Fact>
        <Fact label="Status type">{matter.statusType}</Fact>
        <Fact label="Judge">{matter.judge ?? <Dash means="Not known yet" />}</Fact>
        <Fact label="Managing attorney">{matter.managingAttorney}</Fact>
        <Fact label="Date of opening">
          <Day day={matter.dateOfOpening} />
        </Fact>
        <Fact label="DOI">
          <Day day={matter.DOI} />
        </Fact>
        <Fact label="SOL">
          <Day day={solInEffect(matter)} />
          {matter.noStatute !== undefined && (
            <span className="block text-note font-normal text-ink-2">
              {`No statute applies: ${matter.noStatute}`}
            </span>
          )}
          {matter.waiting && (
            <span className="block text-note font-normal text-amber">
              {`${proposalOf(matter)}; ${deciderOf(matter)}`}
            </span>
          )}
        </Fact>
        <Fact label="Days open">{formatCount(matter.daysOpen)}</Fact>
        <Fact label="Assigned" className="@min-[38rem]:col-span-3">
          {matter.assignedUsers.map(fullName).join(', ') || <Dash means="No one" />}
        </Fact>
      </dl>
    </section>
  );
}

function Fact(props: { label: string; className?: string; children: ReactNode }) {
  return (
    <div className={props.className}>
      <dt className="mb-[3px] text-note text-ink-3">{props.label}</dt>
      <dd className="font-book wrap-anywhere tabular-nums">{props.children}</dd>
    </div>
  );
}

function Day({ day }: { day: string | null }) {
  if (day === null) return <Dash means="Not known yet" />;
  return <time dateTime={day}>{formatDay(day)}</time>;
}

interface PartiesProps {
  matter: Case;
  /** Ids of their contacts, once known. */
  contactIds: { clientInfo?: string; opposingCounselInfo?: string };
}

/** The client and the opposing counsel, with their contact details. */
export function Parties({ matter, contactIds }: PartiesProps) {
  const { clientInfo, opposingCounselInfo } = matter;
  return (
    <>
      <Party heading="Client" matter={matter} contactId={contactIds.clientInfo} {...clientInfo} />
      <Party
        heading="Opposing counsel"
        matter={matter}
        contactId={contactIds.opposingCounselInfo}
        {...opposingCounselInfo}
      />
    </>
  );
}

interface PartyProps {
  heading: string;
  matter: Case;
  contactId: string | undefined;
  name: string | null;
  organization?: string | null;
  phoneNumber: string | null;
  email: string | null;
  address: string | null;
}

function Party(props: PartyProps) {
  const { heading, matter, contactId, name, organization, phoneNumber, email, address } = props;
  const user = useAppSelector((state) => state.user.current);
  const number = toE164(phoneNumber ?? '');
  const canText = number !== undefined && user?.twilioConfig.twilioPhoneNumber != null;
  const textPath = canText ? paths.messagesWith(number) : undefined;
  const isEmpty = !name && !organization && !phoneNumber && !email && !address;
  const canMail = user?.googleRefreshToken != null && email !== null;
  const emailPath = canMail ? paths.emailTo(email) : undefined;
  return (
    <section>
      <SectionHeading>{heading}</SectionHeading>
      {isEmpty && <p className="text-sm text-ink-2">Not known yet</p>}
      <dl className="grid text-sm">
        {name && (
          <Line icon={User} label="Name">
            {contactId === undefined ? (
              <span className="font-medium">{name}</span>
            ) : (
              <Link to={paths.contact(contactId)} className={`font-medium ${LINK}`}>
                {name}
              </Link>
            )}
          </Line>
        )}
        {organization && (
          <Line icon={Building} label="Organization">
            {organization}
          </Line>
        )}
        {phoneNumber && (
          <Line icon={Phone} label="Phone number">
            <ContactMethod
              internal={textPath}
              external={`tel:${phoneNumber.replaceAll(/[^\d+]/g, '')}`}
            >
              {phoneNumber}
            </ContactMethod>
            <button
              type="button"
              aria-label={name ? `Log call with ${name}` : undefined}
              className="link ml-2 text-note"
              onClick={() =>
                openCall({
                  contact: contactId === undefined || !name ? null : { id: contactId, name },
                  typed: contactId === undefined ? (name ?? phoneNumber) : '',
                  number: phoneNumber,
                  matter: { id: matter.id, label: matter.caseName },
                })
              }
            >
              Log call
            </button>
          </Line>
        )}
        {email && (
          <Line icon={Mail} label="Email">
            <ContactMethod internal={emailPath} external={`mailto:${email}`}>
              {email.slice(0, email.lastIndexOf('@'))}
              <wbr />
              {email.slice(email.lastIndexOf('@'))}
            </ContactMethod>
          </Line>
        )}
        {address && (
          <Line icon={MapPin} label="Address">
            <span className="whitespace-pre-line">{address}</span>
          </Line>
        )}
      </dl>
    </section>
  );
}

/** Opens Messages or Compose here, or else the device's own program. */
function ContactMethod({
  internal,
  external,
  children,
}: {
  internal: string | undefined;
  external: string;
  children: ReactNode;
}) {
  return internal === undefined ? (
    <a href={external} className={LINK}>
      {children}
    </a>
  ) : (
    <Link to={internal} className={LINK}>
      {children}
    </Link>
  );
}

const LINK = 'underline-offset-3 hover:underline';

function Line(props: { icon: LucideIcon; label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-6 items-start gap-2 py-[3px] wrap-anywhere">
      <dt>
        <props.icon className="mt-px text-ink-3" />
        <span className="sr-only">{props.label}</span>
      </dt>
      <dd className="min-w-0">{props.children}</dd>
    </div>
  );
}

const SHOWN = 3;

interface LatestActivityProps {
  caseId: string;
  story: ActivityFeed | null;
  failure: string | null;
  onRetry: () => void;
}

export function LatestActivity({ caseId, story, failure, onRetry }: LatestActivityProps) {
  const now = useNow();
  return (
    <section>
      <SectionHeading
        aside={
          story !== null && (
            <Link to="?tab=stream&kinds=all" className="link">
              View More
            </Link>
          )
        }
      >
        Latest Activity
      </SectionHeading>
      {story === null && failure === null && <EntrySkeletons />}
      {story && (
        <ul className="grid gap-3">
          {story.entries.slice(0, SHOWN).map((entry) => (
            <ActivityEntry key={entry.id} entry={entry} caseId={caseId} now={now} />
          ))}
        </ul>
      )}
      {failure !== null && (
        <p role="alert" className="mt-2 text-sm text-red">
          {failure}
          <Button size="small" onClick={onRetry} className="mt-2">
            Try again
          </Button>
        </p>
      )}
    </section>
  );
}

function EntrySkeletons() {
  return Array.from({ length: 3 }, (_, index) => (
    <div key={index} className="mb-3 h-9">
      <Skeleton className="mt-1 h-3.5 w-4/5" />
      <Skeleton className="mt-2 h-3 w-1/3" />
    </div>
  ));
}

interface ActivityEntryProps {
  entry: Activity;
  caseId: string;
  now: Date;
}

/** An activity of a case, with a link to its subject. */
function ActivityEntry({ entry, caseId, now }: ActivityEntryProps) {
  const { who, what, name, rest } = activityInWords(entry);
  const isTask = entry.entity === 'task';
  const isFile = entry.entity === 'file' || entry.entity === 'folder';
  return (
    <li className="text-sm">
      <p className="wrap-anywhere">
        {`${who} ${what} `}
        {name !== '' && <strong className="font-strong">{name}</strong>}
        {rest !== '' && ` ${rest}`}
      </p>
      <p className="flex items-baseline gap-2.5 text-xs/[1.125rem] text-ink-3">
        <time dateTime={entry.at} title={exactMoment(entry.at)}>
          {momentInWords(entry.at, now)}
        </time>
        <Link
          to={
            isTask
              ? paths.cardOf(caseId, entry.entityId)
              : { pathname: paths.caseDetails(caseId), hash: isFile ? 'files-title' : 'summary' }
          }
          className="link inline-flex min-h-6 items-center"
        >
          View
        </Link>
      </p>
    </li>
  );
}
