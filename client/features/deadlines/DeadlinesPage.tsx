// Deadlines that no one changes alone.

import Plus from 'lucide-react/icons/plus';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { useSearchParams } from 'react-router';
import { usePeople } from '../../core/people.ts';
import { Button } from '../../ui/Button.tsx';
import { useToday } from '../../ui/days.ts';
import type { Option } from '../../ui/option.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Select } from '../../ui/Select.tsx';
import { CaseDropdown } from '../cases/components/CaseDropdown.tsx';
import { DeadlinePanel } from './components/DeadlinePanel.tsx';
import { DeadlineSection } from './components/DeadlineSection.tsx';
import { IdleCases } from './components/IdleCases.tsx';
import { useReader } from './components/use-reader.ts';

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
  const [params, setParams] = useSearchParams();
  const reader = useReader();
  const today = useToday();
  const { people } = usePeople();
  const [adding, setAdding] = useState<{ matter: Option | null } | null>(null);
  const owner = params.get('owner') ?? '';
  const openId = params.get('deadline');
  const change = useCallback(
    (name: string, value: string | null) =>
      setParams(
        (before) => {
          const others = [...before].filter(([key]) => key !== name);
          return value ? [...others, [name, value]] : others;
        },
        { replace: true },
      ),
    [setParams],
  );
  const close = useCallback(() => change('deadline', null), [change]);
  return (
    <div className="flex h-full">
      <div className="min-w-0 grow overflow-y-auto">
        <PageHeader title="Deadlines" actions={views} />
        <div className="px-4 pt-4 pb-9 sm:px-9">
          <div className="mb-5 flex flex-wrap items-center justify-between gap-2">
            <Select
              aria-label="Owner"
              className="w-44"
              placeholder="Everyone"
              value={owner}
              onChange={({ target }) => change('owner', target.value)}
              options={people.map(({ id, firstName, lastName }) => ({
                value: id,
                label: `${firstName} ${lastName}`,
              }))}
            />
            <Button icon={Plus} onClick={() => setAdding({ matter: null })}>
              New deadline
            </Button>
          </div>
          {sections.map((each) => (
            <DeadlineSection
              key={each.section}
              {...each}
              owner={owner}
              today={today}
              reader={reader}
              openId={openId}
              onOpen={(id) => change('deadline', id)}
            />
          ))}
          <IdleCases onAdd={(matter) => setAdding({ matter })} />
        </div>
      </div>
      {openId && <DeadlinePanel id={openId} reader={reader} today={today} onClose={close} />}
      {adding && (
        <Suspense fallback={null}>
          <NewDeadlineDialog
            matter={adding.matter}
            ownerId={reader.id}
            caseField={CaseDropdown}
            onClose={() => setAdding(null)}
          />
        </Suspense>
      )}
    </div>
  );
}
