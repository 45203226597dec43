// Deadlines that no one changes alone.

import Calculator from 'lucide-react/icons/calculator';
import Plus from 'lucide-react/icons/plus';
import { lazy, type ReactNode, Suspense, useCallback, useState, useMemo } from 'react';
import { Link } from 'react-router';
import { paths } from '../../core/paths.ts';
import { useResource } from '../../core/use-resource.ts';
import { Button } from '../../ui/Button.tsx';
import { useToday, formatDay } from '../../ui/days.ts';
import type { Option } from '../../ui/option.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { CaseDropdown } from '../cases/components/CaseDropdown.tsx';
import { useMatter } from '../cases/hooks/use-matter.ts';
import { DeadlinePanel } from './components/DeadlinePanel.tsx';
import { DeadlineSection, Section } from './components/DeadlineSection.tsx';
import { ExportButton } from './components/ExportButton.tsx';
import { useReader } from './hooks/use-reader.ts';
import { proposalsFor } from './rules.proposals.ts';
import { proposalList, type Filters, idleCases } from './slice.ts';
import type { Proposal } from '@matterdesk/contract/proposals.ts';
import { deadlineKinds } from '@matterdesk/contract/court-rules.ts';
import { usePeople } from '../../core/people.ts';
import { Select } from '../../ui/Select.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import CalendarOff from 'lucide-react/icons/calendar-off';
import { nameOf } from './rules.ts';
import { anyText, dayText, useAddress } from '../../core/use-address.ts';
import { Pending } from '../../core/Pending.tsx';

const ApplyRule = lazy(async () => ({
  default: (await import('./components/ApplyRule.tsx')).ApplyRule,
}));
const NewDeadlineDialog = lazy(async () => ({
  default: (await import('./components/NewDeadlineDialog.tsx')).NewDeadlineDialog,
}));

const sections = [
  { section: 'waiting', title: 'Waiting for you', empty: 'Nothing waits for you' },
  { section: 'overdue', title: 'Overdue', empty: 'Nothing is overdue' },
  { section: 'next30', title: 'Next 30 days', empty: 'Nothing in the next 30 days' },
  { section: 'limitation', title: 'Statutes of limitations', empty: 'No open limitations' },
] as const;

const schema = {
  owner: anyText,
  case: anyText,
  kind: anyText,
  from: dayText,
  to: dayText,
  deadline: anyText,
  proposal: anyText,
  /** Trigger for applying a rule: `date`, or `event:` or `deadline:` with an id. */
  apply: anyText,
};

function filtersOf({ owner, case: caseId, kind, from, to }: Filters): Filters {
  return { owner, case: caseId, kind, from, to };
}

/** The view `?view=deadlines` of the calendar. @param views the switch to the other views */
export function DeadlinesPage({ views }: { views?: ReactNode }) {
  const { address, change } = useAddress(schema);
  const { deadline, proposal, apply } = address;
  const filters = useMemo(() => filtersOf(address), [address]);
  const reader = useReader();
  const today = useToday();
  const { matter, setPicked } = useMatter(filters.case || null);
  const { data: proposals, failure: lost } = useResource(proposalList, 'open');
  const [adding, setAdding] = useState<{ matter: Option | null } | null>(null);
  const close = useCallback(() => change({ deadline: '' }), [change]);
  const closeRule = useCallback(() => change({ apply: '' }), [change]);
  const closeProposal = useCallback(() => change({ proposal: '' }), [change]);
  return (
    <div className="flex h-full">
      <div className="min-w-0 grow overflow-y-auto">
        <PageHeader title="Deadlines" actions={views} />
        <div className="px-4 pt-4 pb-9 sm:px-9">
          <div className="mb-5 flex flex-wrap items-center justify-between gap-2">
            <DeadlineFilters filters={filters} onChange={change}>
              <CaseDropdown
                aria-label="Matter"
                placeholder="All matters"
                withIcon
                className="sm:w-36"
                value={matter}
                onChange={(option) => {
                  setPicked(option);
                  change({ case: option?.id ?? '' });
                }}
              />
            </DeadlineFilters>
            <div className="flex flex-wrap items-center gap-2">
              {filters.case && <ExportButton caseId={filters.case} />}
              <Link className="link mr-2 text-sm" to={`${paths.calendar}?view=rules`}>
                Court rules
              </Link>
              <Button icon={Calculator} onClick={() => change({ apply: 'date' })}>
                Apply a rule
              </Button>
              <Button icon={Plus} onClick={() => setAdding({ matter })}>
                New deadline
              </Button>
            </div>
          </div>
          {sections.map((each) => (
            <DeadlineSection
              key={each.section}
              {...each}
              filters={filters}
              today={today}
              reader={reader}
              openId={deadline || proposal}
              onOpen={(id) => change({ deadline: id })}
              {...(each.section === 'waiting' && {
                isWaiting: proposals === null && lost === null,
                proposals: proposalsFor(proposals ?? [], filters.case),
                onOpenProposal: (id: string) => change({ proposal: id }),
              })}
            />
          ))}
          <IdleCases onAdd={(option) => setAdding({ matter: option })} />
        </div>
      </div>
      {deadline && <DeadlinePanel id={deadline} reader={reader} today={today} onClose={close} />}
      <OpenProposal proposals={proposals ?? []} openId={proposal} onClose={closeProposal} />
      <Suspense fallback={null}>
        {apply && (
          <ApplyRule
            key={apply}
            from={apply}
            matter={matter}
            ownerId={reader.id}
            caseField={CaseDropdown}
            onClose={closeRule}
          />
        )}
        {adding && (
          <NewDeadlineDialog
            matter={adding.matter}
            ownerId={reader.id}
            caseField={CaseDropdown}
            onClose={() => setAdding(null)}
          />
        )}
      </Suspense>
    </div>
  );
}

const ProposalDialog = lazy(async () => ({
  default: (await import('./components/ProposalDialog.tsx')).ProposalDialog,
}));

interface OpenProposalProps {
  proposals: readonly Proposal[];
  openId: string;
  onClose: () => void;
}

/** The proposal that the address names, over the list. */
function OpenProposal({ proposals, openId, onClose }: OpenProposalProps) {
  const proposal = proposals.find(({ id }) => id === openId);
  return (
    <Suspense fallback={null}>
      {proposal && <ProposalDialog proposal={proposal} onClose={onClose} />}
    </Suspense>
  );
}

interface DeadlineFiltersProps {
  filters: Filters;
  onChange: (changes: Partial<Filters>) => void;
  /** The dropdown of matters. */
  children: ReactNode;
}

const kinds = deadlineKinds.map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));

/** Whose deadlines, of which matter and kind, and between which days. */
function DeadlineFilters({ filters, onChange, children }: DeadlineFiltersProps) {
  const { people } = usePeople();
  return (
    <div className="grid grid-cols-2 items-center gap-2 max-sm:w-full sm:flex sm:flex-wrap">
      <Select
        aria-label="Owner"
        className="sm:w-32"
        placeholder="Everyone"
        value={filters.owner}
        onChange={({ target }) => onChange({ owner: target.value })}
        options={people.map(({ id, firstName, lastName }) => ({
          value: id,
          label: `${firstName} ${lastName}`,
        }))}
      />
      {children}
      <Select
        aria-label="Kind"
        className="max-sm:col-span-2 sm:w-30"
        placeholder="All kinds"
        value={filters.kind}
        onChange={({ target }) => onChange({ kind: target.value })}
        options={kinds}
      />
      <div className="col-span-2 grid grid-cols-2 gap-2 sm:flex">
        {(['from', 'to'] as const).map((name) => (
          <label
            key={name}
            className="flex items-center gap-2 text-sm text-ink-2 max-sm:flex-col max-sm:items-start max-sm:gap-1"
          >
            {name === 'from' ? 'From' : 'To'}
            <span className="w-full sm:w-33">
              <TextInput
                type="date"
                value={filters[name]}
                onChange={({ target }) => onChange({ [name]: target.value })}
              />
            </span>
          </label>
        ))}
      </div>
    </div>
  );
}

/** Active matters with nothing ahead, each of which can get a date. */
function IdleCases({ onAdd }: { onAdd: (matter: Option) => void }) {
  const { data, cursor, status, failure, refresh, grow } = useResource(idleCases, 'all');
  return (
    <Section
      title="No next date"
      total={data?.total}
      isWaiting={!data && !failure}
      aside={
        cursor !== null && (
          <Button size="small" variant="quiet" busy={status === 'growing'} onClick={grow}>
            Show more
          </Button>
        )
      }
    >
      {!data && <Pending of={{ failure, status, refresh }} what="the matters" />}
      {data?.cases.length === 0 && (
        <p className="py-2.5 text-ink-3">Every active matter has a next date</p>
      )}
      <ul>
        {data?.cases.map(({ id, caseName, caseNo, since, assigned }) => (
          <li key={id} className="flex min-h-11 items-center gap-3.5 border-b border-line py-1">
            <CalendarOff className="size-5 flex-none text-ink-3" />
            <span className="min-w-0 grow">
              <Link to={paths.caseDetails(id)} className="block truncate font-medium">
                {caseName}
              </Link>
              <span className="block truncate text-note text-ink-2">
                {since ? `Nothing ahead since ${formatDay(since.slice(0, 10), 'short')}` : caseNo}
                {assigned && ` · ${nameOf(assigned)}`}
              </span>
            </span>
            <Button
              size="small"
              icon={Plus}
              aria-label={`Add date to ${caseName}`}
              onClick={() => onAdd({ id, label: caseName })}
            >
              Add date
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
