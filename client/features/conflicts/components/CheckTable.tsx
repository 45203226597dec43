import type { Check } from '@matterdesk/contract/conflicts.ts';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShieldX from 'lucide-react/icons/shield-x';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { ColumnHeader } from '../../../ui/ColumnHeader.tsx';
import { useToday } from '../../../ui/days.ts';
import { Table } from '../../../ui/Table.tsx';
import { TableCell } from '../../../ui/TableCell.tsx';
import { TableHead } from '../../../ui/TableHead.tsx';
import { TableRow } from '../../../ui/TableRow.tsx';
import { useRows } from '../../../ui/use-rows.ts';
import { fullName, isUndecided, momentInWords, outcomeNames } from '../rules.ts';

const WIDE = 'hidden @min-[44rem]:block';
const ROW_HEIGHT = 60;

/** Checks, each a link to its record. */
export function CheckTable({ checks }: { checks: readonly Check[] }) {
  const today = useToday();
  const ids = useMemo(() => checks.map(({ id }) => id), [checks]);
  const { items, active, tabStop, rowsProps } = useRows<HTMLDivElement>({
    list: 'conflicts',
    ids,
    rowHeight: ROW_HEIGHT,
    isPageWide: true,
  });
  return (
    <div className="@container">
      <Table
        aria-label="Conflict checks"
        aria-rowcount={-1}
        className="[--columns:minmax(0,1fr)_8rem] @min-[44rem]:[--columns:4.5rem_minmax(0,2fr)_minmax(0,1.2fr)_minmax(0,1.2fr)]"
      >
        <TableHead>
          <ColumnHeader className={WIDE}>Number</ColumnHeader>
          <ColumnHeader>Names</ColumnHeader>
          <ColumnHeader>State</ColumnHeader>
          <ColumnHeader className={WIDE}>Run</ColumnHeader>
        </TableHead>
        <div {...rowsProps} role="rowgroup" className="relative">
          {items.map(({ index, offset }) => {
            const check = checks[index];
            if (!check) return null;
            const { id, number, names, subject, by, at } = check;
            return (
              <TableRow
                key={id}
                data-row={id}
                aria-rowindex={index + 2}
                selected={id === active}
                style={{ transform: `translateY(${offset}px)` }}
                className="absolute! top-0 left-0"
              >
                <TableCell className={`${WIDE} text-ink-2 tabular-nums`}>{number}</TableCell>
                <TableCell>
                  <Link
                    to={paths.conflict(id)}
                    tabIndex={index === tabStop ? 0 : -1}
                    className="row-link block truncate font-medium"
                  >
                    {names.map(({ name }) => name).join(', ')}
                  </Link>
                  <span className="block truncate text-note text-ink-2">
                    {subject?.name ?? 'About no matter'}
                  </span>
                </TableCell>
                <TableCell>
                  <State check={check} />
                </TableCell>
                <TableCell className={WIDE}>
                  <span className="block truncate">{by ? fullName(by) : 'Matterdesk'}</span>
                  <span className="block truncate text-note text-ink-2">
                    {momentInWords(at, today)}
                  </span>
                </TableCell>
              </TableRow>
            );
          })}
        </div>
      </Table>
    </div>
  );
}

function State({ check }: { check: Check }) {
  const { concluded, hits } = check;
  const open = hits.filter((hit) => isUndecided(check, hit)).length;
  const line = 'flex items-center gap-1.5 truncate';
  if (concluded?.outcome === 'declined')
    return (
      <span className={`${line} text-red`}>
        <ShieldX />
        {outcomeNames.declined}
      </span>
    );
  if (concluded)
    return (
      <span className={`${line} text-green`}>
        <ShieldCheck />
        {outcomeNames[concluded.outcome]}
      </span>
    );
  if (open > 0)
    return (
      <span className={`${line} text-amber`}>
        <TriangleAlert />
        {open === 1 ? '1 hit to decide' : `${open} hits to decide`}
      </span>
    );
  return (
    <span className={`${line} text-ink-2`}>
      <CircleDashed />
      To conclude
    </span>
  );
}
