import { statGroups, type IntakeStat, type StatGroup } from '@matterdesk/contract/intake-stats.ts';
import ChartColumn from 'lucide-react/icons/chart-column';
import { useCallback, useState } from 'react';
import { peopleOf } from '../../../core/people.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useRead } from '../../../core/use-read.ts';
import { daysBetween, useToday } from '../../../ui/days.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { readStats } from '../api.ts';
import { StatsTable } from './StatsTable.tsx';

const YEAR = 365;
const labels: Record<StatGroup, string> = {
  source: 'Source',
  type: 'Type',
  owner: 'Owner',
  form: 'Form',
  month: 'Month',
};

/** Received, contacted and how it ended, in groups, with the share of each as a bar with its number. */
export function StatsView() {
  const today = useToday();
  const [from, setFrom] = useState(() => dayBefore(today, YEAR));
  const [to, setTo] = useState(today);
  const [by, setBy] = useState<StatGroup>('source');
  const people = useAppSelector(peopleOf);
  const read = useCallback(
    () =>
      daysBetween(from, to) >= 0 ? readStats({ from, to, by }) : Promise.resolve({ rows: [] }),
    [from, to, by],
  );
  const { data, isFailed, refresh } = useRead(read);
  const nameOf = ({ key }: IntakeStat) => {
    if (key === null) return by === 'form' ? 'No form' : 'Unknown';
    const person = by === 'owner' && people.find(({ id }) => id === key);
    return person ? `${person.firstName} ${person.lastName}` : key;
  };
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-3">
        <Field label="By" className="w-36">
          <Select
            placeholder="Source"
            value={by}
            onChange={({ target }) =>
              setBy(statGroups.find((group) => group === target.value) ?? 'source')
            }
            options={statGroups.map((value) => ({ value, label: labels[value] }))}
          />
        </Field>
        <Field label="From" className="w-40">
          <TextInput
            type="date"
            value={from}
            onChange={({ target }) => target.value && setFrom(target.value)}
          />
        </Field>
        <Field label="To" className="w-40">
          <TextInput
            type="date"
            value={to}
            onChange={({ target }) => target.value && setTo(target.value)}
          />
        </Field>
      </div>
      {isFailed ? (
        <ErrorState title="Couldn’t load the statistics" onRetry={refresh} />
      ) : !data ? (
        <Skeleton className="h-64 w-full" />
      ) : data.rows.length === 0 ? (
        <EmptyState icon={ChartColumn} title="Nothing came in">
          Choose other dates to count their intakes.
        </EmptyState>
      ) : (
        <StatsTable group={labels[by]} rows={data.rows} nameOf={nameOf} />
      )}
    </>
  );
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}
