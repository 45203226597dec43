import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { Case } from '@matterdesk/contract/cases.ts';
import { paths } from '../../../core/paths.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { useToday } from '../../../ui/days.ts';
import { NameCheckLine } from '../../conflicts/components/NameCheckLine.tsx';
import { partiesOf } from '../../contacts/slice.ts';
import { CaseDropdown } from './CaseDropdown.tsx';
import { CaseSummary } from './CaseSummary.tsx';
import { MissingFields } from './MissingFields.tsx';
import { Parties } from './Parties.tsx';

const CaseParties = lazy(async () => ({
  default: (await import('../../contacts/components/CaseParties.tsx')).CaseParties,
}));
const NextDates = lazy(async () => ({
  default: (await import('../../calendar/components/NextDates.tsx')).NextDates,
}));
const EventDialog = lazy(async () => ({
  default: (await import('../../calendar/components/EventDialog.tsx')).EventDialog,
}));
const NewDeadlineDialog = lazy(async () => ({
  default: (await import('../../deadlines/components/NewDeadlineDialog.tsx')).NewDeadlineDialog,
}));

interface CaseDetailsProps {
  matter: Case;
  /** Opens 'Edit case' at a field; absent for users who may not change the case. */
  onFill: ((first: string) => void) | undefined;
  /** The block of the latest activity. */
  activity: ReactNode;
}

/** What is known of a matter, in the quiet column beside its tabs. */
export function DetailsColumn({ matter, onFill, activity }: CaseDetailsProps) {
  return (
    <div className="matter-column grid content-start gap-6 border-l border-line pl-7">
      <div>
        <MissingFields matter={matter} onFill={onFill} />
        <CaseSummary matter={matter} />
      </div>
      <CaseContacts matter={matter} />
      <CaseDates matter={matter} />
      <div>{activity}</div>
    </div>
  );
}

/** The same as a page: the tab Details, and the sheet on paper. */
export function DetailsPage({ matter, onFill, activity }: CaseDetailsProps) {
  return (
    <div className="@container">
      <MissingFields matter={matter} onFill={onFill} />
      <div className="grid gap-x-11 gap-y-6 @min-[42rem]:grid-cols-[minmax(0,1fr)_15rem] @min-[42rem]:gap-x-8 @min-[62rem]:grid-cols-[minmax(0,1fr)_18.75rem] @min-[62rem]:gap-x-11">
        <div className="grid content-start gap-6">
          <CaseSummary matter={matter} />
          <CaseContacts matter={matter} />
        </div>
        <div className="grid content-start gap-6 border-line max-[42rem]:border-t max-[42rem]:pt-5 @min-[42rem]:border-l @min-[42rem]:pl-7">
          <CaseDates matter={matter} />
          <div className="print:hidden">{activity}</div>
        </div>
      </div>
    </div>
  );
}

/** The client, the counsel and the other parties, each with its contact. */
function CaseContacts({ matter }: { matter: Case }) {
  const { data } = useResource(partiesOf, matter.id);
  const found = (data ?? []).flatMap(({ embedded, contact }) =>
    embedded === null ? [] : [[embedded, contact.id] as const],
  );
  return (
    <>
      <Parties matter={matter} contactIds={Object.fromEntries(found)} />
      <Suspense>
        <CaseParties caseId={matter.id} nameCheck={NameCheckLine} />
      </Suspense>
      <Link to={paths.conflictsOf('case', matter.id)} className="link -mt-3 text-sm print:hidden">
        Conflict checks of this case
      </Link>
    </>
  );
}

/** Upcoming dates of a case, with the forms that add to it. */
function CaseDates({ matter }: { matter: Case }) {
  const [adding, setAdding] = useState<'event' | 'deadline' | null>(null);
  const ownerId = useAppSelector((state) => state.user.current?.id ?? '');
  const today = useToday();
  const option = { id: matter.id, label: matter.caseName };
  const close = () => setAdding(null);
  const shared = { matter: option, caseField: CaseDropdown, onClose: close };
  return (
    <>
      <Suspense fallback={<div className="min-h-24" />}>
        <NextDates caseId={matter.id} onAdd={setAdding} />
      </Suspense>
      <Suspense fallback={null}>
        {adding === 'event' && <EventDialog {...shared} event={null} times={null} day={today} />}
        {adding === 'deadline' && <NewDeadlineDialog {...shared} ownerId={ownerId} />}
      </Suspense>
    </>
  );
}
