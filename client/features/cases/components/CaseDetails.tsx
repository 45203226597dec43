import Pencil from 'lucide-react/icons/pencil';
import type { ReactNode } from 'react';
import { type Case, NOT_FILED } from '@matterdesk/contract/cases.ts';
import { solInEffect } from '@matterdesk/contract/sol-in-effect.ts';
import { fullName } from '../../../core/full-name.ts';
import { deciderOf, proposalOf } from '../../../core/waiting-date.ts';
import { formatCount } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { formatDay } from '../../../ui/days.ts';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import { missingInWords } from '../rules.ts';
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

/** The same as a page: the tab Details, and the sheet on paper. */
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
          {matter.assignedUsers.map(fullName).join(', ') || <Dash means="Nobody" />}
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
