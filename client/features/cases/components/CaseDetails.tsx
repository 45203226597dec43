import type { ReactNode } from 'react';
import type { Case } from '@matterdesk/contract/cases.ts';
import { CaseSummary } from './CaseSummary.tsx';
import { MissingFields } from './MissingFields.tsx';

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
