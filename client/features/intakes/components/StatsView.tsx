import ChartColumn from 'lucide-react/icons/chart-column';
import { useCallback, useState } from 'react';
import { statGroups, type IntakeStat, type StatGroup } from '@matterdesk/contract/intake-routes.ts';
import { fullName } from '../../../core/full-name.ts';
import { peopleOf } from '../../../core/people.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useRead } from '../../../core/use-read.ts';
import { lengthInWords } from '../../../core/words.ts';
import { cx } from '../../../ui/cx.ts';
import { daysBetween, useToday, addDays } from '../../../ui/days.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { ColumnHeader, Table, TableCell, TableHead, TableRow } from '../../../ui/Table.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { readStats } from '../api.ts';

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
  const [from, setFrom] = useState(() => addDays(today, -YEAR));
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
    return person ? fullName(person) : key;
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

interface StatsTableProps {
  group: string;
  rows: readonly IntakeStat[];
  nameOf: (row: IntakeStat) => string;
}

/** The columns fit beside the navigation of a tablet. */
const GAPS = 'max-xl:gap-x-3';

type Figure = {
  name: string;
  of: (row: IntakeStat) => string;
  /** The length of its bar, 0 to 1; a length of time has none. */
  share?: (row: IntakeStat) => number;
  className?: string;
};

const ofReceived = (count: number, { received }: IntakeStat) => count / Math.max(1, received);

const figures: readonly Figure[] = [
  {
    name: 'Contacted',
    of: ({ contacted }) => count(contacted),
    share: (row) => ofReceived(row.contacted, row),
  },
  {
    name: 'Accepted',
    of: ({ accepted }) => count(accepted),
    share: (row) => ofReceived(row.accepted, row),
  },
  {
    name: 'Declined',
    of: ({ declined }) => count(declined),
    share: (row) => ofReceived(row.declined, row),
  },
  {
    name: 'Referred',
    of: ({ referred }) => count(referred),
    share: (row) => ofReceived(row.referred, row),
  },
  {
    name: 'Became matters',
    of: ({ conversion }) => percent(conversion),
    share: ({ conversion }) => conversion ?? 0,
    className: 'max-sm:col-span-2',
  },
  {
    name: 'Response',
    of: ({ medianResponse: minutes }) =>
      minutes === null ? '–' : lengthInWords(Math.round(minutes)),
  },
  {
    name: 'In time',
    of: ({ withinTarget }) => percent(withinTarget),
    share: ({ withinTarget }) => withinTarget ?? 0,
  },
];

/**
 * A bar for each number: what was received beside the other rows, the others as a share of it. A phone has no room for
 * the columns and shows their names with each number.
 */
function StatsTable({ group, rows, nameOf }: StatsTableProps) {
  const most = Math.max(1, ...rows.map(({ received }) => received));
  return (
    // Nine columns need more than a small tablet has, and the keyboard scrolls them too.
    <div
      role="region"
      aria-label="Statistics in groups"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the focus
      tabIndex={0}
      className="-mx-2.5 overflow-x-auto px-2.5"
    >
      <Table
        aria-label="Statistics"
        className="[--columns:minmax(0,1.7fr)_minmax(0,1.1fr)_repeat(4,minmax(3.75rem,0.9fr))_minmax(6.25rem,1.2fr)_minmax(4.5rem,1fr)_minmax(3rem,0.7fr)] max-sm:[--columns:repeat(4,minmax(0,1fr))] sm:min-w-[44rem]"
      >
        <TableHead className={cx(GAPS, 'max-sm:sr-only')}>
          <ColumnHeader>{group}</ColumnHeader>
          <ColumnHeader>Received</ColumnHeader>
          {figures.map(({ name }) => (
            <ColumnHeader key={name} align="end">
              {name}
            </ColumnHeader>
          ))}
        </TableHead>
        {rows.map((row) => (
          <TableRow
            key={row.key ?? ''}
            lines={1}
            className={cx(GAPS, 'max-sm:h-auto max-sm:gap-y-2 max-sm:py-3')}
          >
            <TableCell className="font-medium max-sm:col-span-2">{nameOf(row)}</TableCell>
            <TableCell className="flex items-center gap-2 max-sm:col-span-2">
              <span
                aria-hidden="true"
                className="h-4 min-w-px rounded-small border border-accent bg-accent-soft"
                style={{ width: `${(row.received / most) * 80}%` }}
              />
              <span className="tabular-nums">{count(row.received)}</span>
            </TableCell>
            {figures.map(({ name, of, share, className }) => (
              <TableCell key={name} align="end" className={cx('max-sm:text-left', className)}>
                <span aria-hidden="true" className="block truncate text-xs text-ink-3 sm:hidden">
                  {name}
                </span>
                {of(row)}
                {share && <Bar share={share(row)} />}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </Table>
    </div>
  );
}

/** The share of what was received, under its number. */
function Bar({ share }: { share: number }) {
  return (
    <span aria-hidden="true" className="mt-0.5 block h-1 rounded-full bg-line">
      <span
        className="block h-full rounded-full bg-accent"
        style={{ width: `${Math.min(1, share) * 100}%` }}
      />
    </span>
  );
}

function count(cases: number): string {
  return cases.toLocaleString('en-US');
}

function percent(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`;
}
