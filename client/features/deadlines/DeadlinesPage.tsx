// Deadlines that no one changes alone.

import Calculator from 'lucide-react/icons/calculator';
import Plus from 'lucide-react/icons/plus';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../core/paths.ts';
import { useResource } from '../../core/use-resource.ts';
import { Button } from '../../ui/Button.tsx';
import { useToday } from '../../ui/days.ts';
import type { Option } from '../../ui/option.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { CaseDropdown } from '../cases/components/CaseDropdown.tsx';
import { useMatter } from '../cases/hooks/use-matter.ts';
import { DeadlineFilters } from './components/DeadlineFilters.tsx';
import { DeadlinePanel } from './components/DeadlinePanel.tsx';
import { DeadlineSection } from './components/DeadlineSection.tsx';
import { ExportButton } from './components/ExportButton.tsx';
import { IdleCases } from './components/IdleCases.tsx';
import { OpenProposal } from './components/OpenProposal.tsx';
import { useDeadlinesAddress } from './components/use-deadlines-address.ts';
import { useReader } from './components/use-reader.ts';
import { proposalsFor } from './rules.proposals.ts';
import { proposalList } from './slice.ts';

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

/** The view `?view=deadlines` of the calendar. @param views the switch to the other views */
export function DeadlinesPage({ views }: { views?: ReactNode }) {
  const { filters, deadline, proposal, apply, change } = useDeadlinesAddress();
  const reader = useReader();
  const today = useToday();
  const { matter, setPicked } = useMatter(filters.case || null);
  const { data: proposals, failure: lost } = useResource(proposalList, 'open');
  const [adding, setAdding] = useState<{ matter: Option | null } | null>(null);
  const close = useCallback(() => change('deadline', null), [change]);
  const closeRule = useCallback(() => change('apply', null), [change]);
  const closeProposal = useCallback(() => change('proposal', null), [change]);
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
                  change('case', option?.id ?? null);
                }}
              />
            </DeadlineFilters>
            <div className="flex flex-wrap items-center gap-2">
              {filters.case && <ExportButton caseId={filters.case} />}
              <Link className="link mr-2 text-sm" to={`${paths.calendar}?view=rules`}>
                Court rules
              </Link>
              <Button icon={Calculator} onClick={() => change('apply', 'date')}>
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
              openId={deadline ?? proposal}
              onOpen={(id) => change('deadline', id)}
              {...(each.section === 'waiting' && {
                isWaiting: proposals === null && lost === null,
                proposals: proposalsFor(proposals ?? [], filters.case),
                onOpenProposal: (id: string) => change('proposal', id),
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
