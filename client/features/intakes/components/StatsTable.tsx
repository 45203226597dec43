import type { IntakeStat } from '@matterdesk/contract/intake-stats.ts';
import { ColumnHeader } from '../../../ui/ColumnHeader.tsx';
import { Table } from '../../../ui/Table.tsx';
import { TableCell } from '../../../ui/TableCell.tsx';
import { TableHead } from '../../../ui/TableHead.tsx';
import { TableRow } from '../../../ui/TableRow.tsx';
import { minutesInWords } from '../rules.ts';

interface StatsTableProps {
  group: string;
  rows: readonly IntakeStat[];
  nameOf: (row: IntakeStat) => string;
}

const numbers = ['Contacted', 'Accepted', 'Declined', 'Referred', 'Became matters'] as const;

/** The columns fit beside the navigation of a tablet. */
const GAPS = 'max-xl:gap-x-3';

/** A bar for each row, as long as what was received; its numbers stand beside it, so that color says nothing alone. */
export function StatsTable({ group, rows, nameOf }: StatsTableProps) {
  const most = Math.max(1, ...rows.map(({ received }) => received));
  return (
    // Ten columns need more than a phone has, and the keyboard scrolls them too.
    <div
      role="region"
      aria-label="Statistics in groups"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the focus
      tabIndex={0}
      className="-mx-2.5 overflow-x-auto px-2.5"
    >
      <Table
        aria-label="Statistics"
        className="min-w-[44rem] [--columns:minmax(0,1.7fr)_minmax(0,1.1fr)_repeat(4,minmax(3.75rem,0.9fr))_minmax(6.25rem,1.2fr)_minmax(4.5rem,1fr)_minmax(3rem,0.7fr)]"
      >
        <TableHead className={GAPS}>
          <ColumnHeader>{group}</ColumnHeader>
          <ColumnHeader>Received</ColumnHeader>
          {numbers.map((name) => (
            <ColumnHeader key={name} align="end">
              {name}
            </ColumnHeader>
          ))}
          <ColumnHeader align="end">Response</ColumnHeader>
          <ColumnHeader align="end">In time</ColumnHeader>
        </TableHead>
        {rows.map((row) => (
          <TableRow key={row.key ?? ''} lines={1} className={GAPS}>
            <TableCell className="font-medium">{nameOf(row)}</TableCell>
            <TableCell className="flex items-center gap-2">
              <span
                aria-hidden="true"
                className="h-4 min-w-px rounded-small border border-accent bg-accent-soft"
                style={{ width: `${(row.received / most) * 80}%` }}
              />
              <span className="tabular-nums">{row.received.toLocaleString('en-US')}</span>
            </TableCell>
            {[row.contacted, row.accepted, row.declined, row.referred].map((count, index) => (
              <TableCell key={numbers[index]} align="end">
                {count.toLocaleString('en-US')}
              </TableCell>
            ))}
            <TableCell align="end">{percent(row.conversion)}</TableCell>
            <TableCell align="end">
              {row.medianResponse === null ? '–' : minutesInWords(Math.round(row.medianResponse))}
            </TableCell>
            <TableCell align="end">{percent(row.withinTarget)}</TableCell>
          </TableRow>
        ))}
      </Table>
    </div>
  );
}

function percent(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`;
}
