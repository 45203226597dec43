import type { ReactNode } from 'react';
import { NOT_FILED, type Case } from '@matterdesk/contract/cases.ts';
import { fullName } from '../../../core/full-name.ts';
import { formatDay } from '../../../ui/days.ts';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import { solInEffect } from '@matterdesk/contract/sol-in-effect.ts';
import { deciderOf, proposalOf } from '../../../core/waiting-date.ts';
import { Dash } from './Dash.tsx';
import { formatCount } from '../../../core/words.ts';

/** The details of a case: label over value. */
export function CaseSummary({ matter }: { matter: Case }) {
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
