// Deadlines that no one changes alone.

import Calculator from 'lucide-react/icons/calculator';
import CalendarOff from 'lucide-react/icons/calendar-off';
import Plus from 'lucide-react/icons/plus';
import UserCheck from 'lucide-react/icons/user-check';
import { type ReactNode, useCallback, useState, useMemo } from 'react';
import { Link } from 'react-router';
import { NOT_FILED } from '@matterdesk/contract/cases.ts';
import { deadlineKinds } from '@matterdesk/contract/court-rules.ts';
import type { Proposal } from '@matterdesk/contract/proposals.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { useFilterFold } from '../../core/filter-fold.tsx';
import { fullName, personOption } from '../../core/full-name.ts';
import { paths } from '../../core/paths.ts';
import { Pending } from '../../core/Pending.tsx';
import { usePeople } from '../../core/people.ts';
import { anyText, dayText, useAddress } from '../../core/use-address.ts';
import { useFirmDay } from '../../core/use-firm.ts';
import { useResource } from '../../core/use-resource.ts';
import { useScreen } from '../../core/use-screen.ts';
import { formatCount } from '../../core/words.ts';
import { Button } from '../../ui/Button.tsx';
import { ClearSearch } from '../../ui/ClearSearch.tsx';
import { cx } from '../../ui/cx.ts';
import { formatDay, localDay } from '../../ui/days.ts';
import type { Option } from '../../ui/option.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { CaseDropdown } from '../cases/components/CaseDropdown.tsx';
import { useMatter } from '../cases/hooks/use-case-options.ts';
import { SavedViews } from '../views/components/SavedViews.tsx';
import { DeadlinePanel } from './components/DeadlinePanel.tsx';
import { DeadlineSection } from './components/DeadlineSection.tsx';
import { ExportButton } from './components/ExportButton.tsx';
import { Section } from './components/Section.tsx';
import { UndatedCases } from './components/UndatedCases.tsx';
import { useReader } from './hooks/use-reader.ts';
import { isFiltered, proposalsFor, type ActName } from './rules.ts';
import { proposalList, type Filters, idleCases, sectionList } from './slice.ts';

const ApplyRule = lazyNamed(() => import('./components/ApplyRule.tsx'), 'ApplyRule');
const NewDeadlineDialog = lazyNamed(
  () => import('./components/NewDeadlineDialog.tsx'),
  'NewDeadlineDialog',
);

const always = [
  { section: 'overdue', title: 'Overdue', empty: 'Nothing is overdue' },
  {
    section: 'next30',
    title: 'Upcoming',
    note: 'next 30 days',
    empty: 'Nothing in the next 30 days',
  },
  {
    section: 'near',
    title: 'Statutes of limitations',
    note: 'next 90 days',
    empty: 'No limitation in the next 90 days',
    isWhole: true,
  },
  { section: 'later', title: 'Later statutes', empty: '', isFolded: true },
  { section: 'past', title: 'Past statutes, not verified', empty: '', isFolded: true },
] as const;
const waiting = [
  { section: 'waiting', title: 'Waiting for you', empty: 'Nothing waits for you', isWhole: true },
] as const;

const schema = {
  owner: anyText,
  case: anyText,
  kind: anyText,
  from: dayText,
  to: dayText,
  matters: anyText,
  /** Only what waits for the reader, if it is `1`. */
  waiting: anyText,
  deadline: anyText,
  proposal: anyText,
  /** Trigger for applying a rule: `date`, or `event:` or `deadline:` with an id. */
  apply: anyText,
};

/** Kept by a saved view of the deadlines. */
const VIEW_MEMBERS = ['owner', 'case', 'kind', 'from', 'to', 'matters', 'waiting'];

function filtersOf({ owner, case: caseId, kind, from, to, matters }: Filters): Filters {
  return { owner, case: caseId, kind, from, to, matters };
}

/** The view `?view=deadlines` of the calendar. @param views the switch to the other views */
export function DeadlinesPage({ views }: { views?: ReactNode }) {
  // The act of a row is drawn with its deadline, never with the one that was open before.
  const { address, change } = useAddress(schema, { isImmediate: true });
  const { deadline, proposal, apply } = address;
  const filters = useMemo(() => filtersOf(address), [address]);
  const reader = useReader();
  const today = useFirmDay();
  const { matter, setPicked } = useMatter(filters.case || null);
  const { data: proposals, failure: lost } = useResource(proposalList, 'open');
  const [adding, setAdding] = useState<{ matter: Option | null } | null>(null);
  const [act, setAct] = useState<ActName>();
  const close = useCallback(() => change({ deadline: '' }), [change]);
  const closeRule = useCallback(() => change({ apply: '' }), [change]);
  const closeProposal = useCallback(() => change({ proposal: '' }), [change]);
  const isWaitingOnly = address.waiting === '1';
  const isPhone = useScreen() === 'phone';
  const fold = useFilterFold(isWaitingOnly || isFiltered(filters));
  const open = (id: string, next?: ActName) => {
    setAct(next);
    change({ deadline: id });
  };
  return (
    <div className="flex h-full">
      <div className="min-w-0 grow overflow-y-auto">
        <PageHeader
          title="Deadlines"
          actions={
            <>
              {!isPhone && views}
              {fold.button}
              <SavedViews page="deadlines" members={VIEW_MEMBERS} />
              <Button
                variant={deadline ? 'default' : 'primary'}
                icon={Plus}
                onClick={() => setAdding({ matter })}
              >
                New deadline
              </Button>
            </>
          }
        >
          <Summary filters={filters} today={today} />
        </PageHeader>
        <div className="px-4 pt-4 pb-9 max-sm:pt-2 sm:px-9">
          {isPhone && <div className="mb-3 print:hidden">{views}</div>}
          {!fold.isHidden && (
            <Toolbar
              filters={filters}
              matter={matter}
              isWaitingOnly={isWaitingOnly}
              today={today}
              onPick={setPicked}
              onChange={change}
            />
          )}
          {!isWaitingOnly && <UndatedCases filters={filters} />}
          {(isWaitingOnly ? waiting : always).map((each) => (
            <DeadlineSection
              key={each.section}
              {...each}
              filters={filters}
              today={today}
              reader={reader}
              openId={deadline || proposal}
              onOpen={open}
              {...(each.section === 'waiting' && {
                isWaiting: proposals === null && lost === null,
                proposals: hasOnlyCase(filters) ? proposalsFor(proposals ?? [], filters.case) : [],
                onOpenProposal: (id: string) => change({ proposal: id }),
              })}
            />
          ))}
          {!isWaitingOnly && (
            <IdleCases filters={filters} onAdd={(option) => setAdding({ matter: option })} />
          )}
        </div>
      </div>
      {deadline && (
        <DeadlinePanel
          key={`${deadline} ${act}`}
          id={deadline}
          act={act}
          reader={reader}
          today={today}
          onClose={close}
        />
      )}
      <OpenProposal proposals={proposals ?? []} openId={proposal} onClose={closeProposal} />
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
    </div>
  );
}

interface ToolbarProps {
  filters: Filters;
  matter: Option | null;
  isWaitingOnly: boolean;
  today: string;
  onPick: (matter: Option | null) => void;
  onChange: (changes: Partial<Filters & { waiting: string; apply: string }>) => void;
}

/** The filters of the list, and the rules that add to it. */
function Toolbar({ filters, matter, isWaitingOnly, today, onPick, onChange }: ToolbarProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-2 print:hidden">
      <DeadlineFilters filters={filters} onChange={onChange}>
        <CaseDropdown
          aria-label="Matter"
          placeholder="All matters"
          withIcon
          className="sm:w-36"
          value={matter}
          onChange={(option) => {
            onPick(option);
            onChange({ case: option?.id ?? '' });
          }}
        />
      </DeadlineFilters>
      <WaitingFilter
        isOn={isWaitingOnly}
        today={today}
        onToggle={() => onChange({ waiting: isWaitingOnly ? '' : '1' })}
      />
      {isFiltered(filters) && (
        <ClearSearch
          label="Clear filters"
          onClear={() => {
            onPick(null);
            onChange(NO_FILTERS);
          }}
        />
      )}
      <div className="ml-auto flex flex-wrap items-center gap-2">
        {filters.case && <ExportButton caseId={filters.case} />}
        <Link className="link mr-2 text-sm" to={`${paths.calendar}?view=rules`}>
          Court rules
        </Link>
        <Button icon={Calculator} onClick={() => onChange({ apply: 'date' })}>
          Apply a rule
        </Button>
      </div>
    </div>
  );
}

/** Proposals have no owner, kind or day. */
function hasOnlyCase({ owner, kind, from, to, matters }: Filters): boolean {
  return [owner, kind, from, to, matters].every((filter) => filter === '');
}

const NO_FILTERS: Filters = { owner: '', case: '', kind: '', from: '', to: '', matters: '' };
const countsQuery = (today: string) =>
  ({ section: 'overdue', filters: NO_FILTERS, today, limit: 1 }) as const;

/** '4 waiting for you · 3 late in the firm': the second is the number of the section below. */
function Summary({ filters, today }: { filters: Filters; today: string }) {
  const { data } = useResource(sectionList, countsQuery(today));
  if (!data) return <>&nbsp;</>;
  const { waiting: mine, overdue } = data.counts;
  return (
    <>
      {mine === 0 ? 'Nothing waits for you' : `${formatCount(mine)} waiting for you`}
      {overdue > 0 && (
        <>
          {' · '}
          <span className="font-medium text-red">{`${formatCount(overdue)} late in the firm`}</span>
        </>
      )}
      {filters.matters === 'archived' && ' · archived matters are shown'}
      {isFiltered(filters) && <span className="hidden print:inline"> · with filters</span>}
    </>
  );
}

interface WaitingFilterProps {
  isOn: boolean;
  today: string;
  onToggle: () => void;
}

/** Shows only what waits for the reader. */
function WaitingFilter({ isOn, today, onToggle }: WaitingFilterProps) {
  const { data } = useResource(sectionList, countsQuery(today));
  const count = data?.counts.waiting ?? 0;
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onToggle}
      className={cx(
        'inline-flex h-[34px] items-center gap-2 rounded-control border px-3 text-sm font-medium pointer-coarse:h-11',
        isOn
          ? 'border-accent bg-accent-soft text-accent-ink'
          : 'border-line-strong bg-surface text-ink hover:bg-hover',
      )}
    >
      <UserCheck aria-hidden="true" className="size-4" />
      Waiting for you
      {count > 0 && <span className="font-normal tabular-nums">{formatCount(count)}</span>}
    </button>
  );
}

const ProposalDialog = lazyNamed(() => import('./components/ProposalDialog.tsx'), 'ProposalDialog');

interface OpenProposalProps {
  proposals: readonly Proposal[];
  openId: string;
  onClose: () => void;
}

/** The proposal that the address names, over the list. */
function OpenProposal({ proposals, openId, onClose }: OpenProposalProps) {
  const found = proposals.find(({ id }) => id === openId);
  const [held, setHeld] = useState(found);
  if (found && found !== held) setHeld(found);
  // Decided by someone else, it leaves the list; its dialog stays with what was typed in it.
  const proposal = found ?? (held?.id === openId ? held : undefined);
  return proposal && <ProposalDialog proposal={proposal} onClose={onClose} />;
}

interface DeadlineFiltersProps {
  filters: Filters;
  onChange: (changes: Partial<Filters>) => void;
  children: ReactNode;
}

const kinds = deadlineKinds.map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));

/** Whose deadlines, of which matters and kind, and between which days. */
function DeadlineFilters({ filters, onChange, children }: DeadlineFiltersProps) {
  const { people } = usePeople();
  return (
    <div
      data-filters=""
      className="grid grid-cols-2 items-center gap-2 max-sm:w-full sm:flex sm:flex-wrap"
    >
      <Select
        aria-label="Owner"
        className="sm:w-32"
        placeholder="Everyone"
        value={filters.owner}
        onChange={({ target }) => onChange({ owner: target.value })}
        options={people.map(personOption)}
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
      <Select
        aria-label="Matters"
        className="max-sm:col-span-2 sm:w-36"
        placeholder="Active matters"
        value={filters.matters}
        onChange={({ target }) => onChange({ matters: target.value })}
        options={[{ value: 'archived', label: 'Archived matters' }]}
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

/** Active matters with nothing ahead, each of which can get a date; kinds, days and the archive have none. */
function IdleCases({ filters, onAdd }: { filters: Filters; onAdd: (matter: Option) => void }) {
  const { owner, case: caseId, kind, from, to, matters } = filters;
  const isExcluded = [kind, from, to, matters].some((filter) => filter !== '');
  const { data, cursor, status, failure, refresh, grow } = useResource(
    idleCases,
    isExcluded ? null : { owner, case: caseId },
  );
  const [isUnfolded, setIsUnfolded] = useState(false);
  if (isExcluded) return null;
  return (
    <Section
      title="No next date"
      total={data?.total}
      isWaiting={!data && !failure}
      note="matters with nothing ahead"
      fold={{ isUnfolded, onToggle: () => setIsUnfolded(!isUnfolded) }}
    >
      {!data && <Pending of={{ failure, status, refresh }} what="the matters" isPart />}
      {isUnfolded && data && (
        <>
          {data.cases.length === 0 && (
            <p className="py-2.5 text-ink-3">Every active matter has a next date</p>
          )}
          <ul>
            {data.cases.map(({ id, caseName, caseNo, since, assigned }) => (
              <li key={id} className="flex min-h-11 items-center gap-3.5 border-b border-line py-1">
                <CalendarOff className="size-5 flex-none text-ink-3" />
                <span className="min-w-0 grow">
                  <Link to={paths.caseDetails(id)} className="block truncate font-medium">
                    {caseName}
                  </Link>
                  <span className="block truncate text-note text-ink-2">
                    {since
                      ? `Nothing ahead since ${formatDay(localDay(new Date(since)))}`
                      : (caseNo ?? NOT_FILED)}
                    {assigned && ` · ${fullName(assigned)}`}
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
          {cursor !== null && (
            <Button size="small" variant="quiet" busy={status === 'growing'} onClick={grow}>
              Show more
            </Button>
          )}
        </>
      )}
    </Section>
  );
}
