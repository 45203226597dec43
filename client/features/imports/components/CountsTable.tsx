import type { Import, ImportCounts, ImportOutcome } from '@matterdesk/contract/imports.ts';
import { formatCount } from '../../../core/words.ts';
import { ColumnHeader } from '../../../ui/ColumnHeader.tsx';
import { cx } from '../../../ui/cx.ts';
import { Table } from '../../../ui/Table.tsx';
import { TableCell } from '../../../ui/TableCell.tsx';
import { TableHead } from '../../../ui/TableHead.tsx';
import { TableRow } from '../../../ui/TableRow.tsx';
import { type CountsRow, countsRows, outcomeLabels, outcomes, totalOf } from '../rules.ts';
import { KindName } from './KindName.tsx';

const NAME = 'flex flex-wrap items-center gap-x-2 gap-y-0.5';

/** The outcome of a check or of a move, by kind. */
export function CountsTable({ of, label }: { of: Import; label: string }) {
  const rows = countsRows(of);
  const total = totalOf(rows);
  const isRunning = of.state === 'running';
  return (
    <Table aria-label={label} aria-rowcount={rows.length + 2} className="move-in-counts">
      <TableHead>
        <ColumnHeader>Kind</ColumnHeader>
        <ColumnHeader align="end">Found</ColumnHeader>
        {outcomes.map((outcome) => (
          <ColumnHeader key={outcome} align="end" className="max-sm:hidden">
            {outcomeLabels[outcome]}
          </ColumnHeader>
        ))}
      </TableHead>
      <div role="rowgroup">
        {rows.map((row) => (
          <KindRow key={row.kind} row={row} />
        ))}
        <TableRow lines={1} className="font-semibold">
          <TableCell cut={false} className={NAME}>
            {isRunning ? 'Total so far' : 'Total'}
            <Stacked counts={total} />
          </TableCell>
          <TableCell align="end">{formatCount(total.found)}</TableCell>
          {outcomes.map((outcome) => (
            <TableCell key={outcome} align="end" className="max-sm:hidden">
              {formatCount(total[outcome])}
            </TableCell>
          ))}
        </TableRow>
      </div>
    </Table>
  );
}

function KindRow({ row: { kind, counts, found, isWaiting, percent } }: { row: CountsRow }) {
  return (
    <TableRow lines={1} className={cx(isWaiting && 'text-ink-3')}>
      <TableCell cut={false} className={NAME}>
        <KindName kind={kind} />
        {percent !== null && (
          <span className="min-w-9 rounded-small border border-line-strong px-1 text-center text-xs font-medium text-ink-2 tabular-nums">
            {`${percent}%`}
          </span>
        )}
        {isWaiting ? (
          <span className="w-full text-note sm:hidden">waiting</span>
        ) : (
          <Stacked counts={counts} />
        )}
      </TableCell>
      <TableCell align="end">{found === null ? '' : formatCount(found)}</TableCell>
      {outcomes.map((outcome, at) => (
        <TableCell key={outcome} align="end" className="max-sm:hidden">
          {isWaiting ? (
            at === outcomes.length - 1 && 'waiting'
          ) : (
            <Count of={counts[outcome]} outcome={outcome} />
          )}
        </TableCell>
      ))}
    </TableRow>
  );
}

const TONES: Partial<Record<ImportOutcome, string>> = {
  conflicting: 'font-medium text-amber',
  refused: 'font-medium text-red',
};

function Count({ of: count, outcome }: { of: number; outcome: ImportOutcome }) {
  return <span className={count === 0 ? 'text-ink-3' : TONES[outcome]}>{formatCount(count)}</span>;
}

/** On a phone the outcomes are a line below the name, each with its word. */
function Stacked({ counts }: { counts: ImportCounts }) {
  const shown = outcomes.filter((outcome) => counts[outcome] > 0);
  return (
    <span className="flex w-full flex-wrap gap-x-3 text-note font-normal text-ink-2 sm:hidden">
      {shown.map((outcome) => (
        <span key={outcome} className={TONES[outcome]}>
          {`${formatCount(counts[outcome])} ${outcome}`}
        </span>
      ))}
    </span>
  );
}
