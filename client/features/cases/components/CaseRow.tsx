import Sparkles from 'lucide-react/icons/sparkles';
import { memo } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { useAppSelector } from '../../../core/store.ts';
import { cx } from '../../../ui/cx.ts';
import { TableCell } from '../../../ui/TableCell.tsx';
import { TableRow } from '../../../ui/TableRow.tsx';
import { Assignees } from './Assignees.tsx';
import { CaseLock } from './CaseLock.tsx';
import { GAP_CLASS, MIDDLE_CLASS, WIDE_CLASS } from './CaseColumns.tsx';
import { Downloads } from './Downloads.tsx';
import { SolDate } from './SolDate.tsx';
import { StatusMark } from './StatusMark.tsx';

interface CaseRowProps {
  id: string;
  /** Index in the list. */
  index: number;
  /** Pixels below the first row. */
  offset: number;
  isActive: boolean;
  /** Whether the Tab key stops here. */
  isStop: boolean;
  /** The user's local day. */
  today: string;
}

/** A row of the list; a click anywhere on it opens the case. */
export const CaseRow = memo(function CaseRow(props: CaseRowProps) {
  const { id, index, offset, isActive, isStop, today } = props;
  const matter = useAppSelector((state) => state.cases.entities[id]);
  if (!matter) return null;
  const tabIndex = isStop ? 0 : -1;
  return (
    <TableRow
      data-row={id}
      aria-rowindex={index + 2}
      selected={isActive}
      style={{ transform: `translateY(${offset}px)` }}
      className={cx('absolute! top-0 left-0', GAP_CLASS)}
    >
      <TableCell>
        <Link
          to={paths.caseDetails(id)}
          state={{ isFromMatters: true }}
          tabIndex={tabIndex}
          title={matter.caseName}
          className="row-link flex items-center gap-1.5 font-medium"
        >
          <span className="truncate">{matter.caseName}</span>
          <CaseLock matter={matter} />
        </Link>
        <span className="block truncate text-note text-ink-2 tabular-nums">{matter.caseNo}</span>
      </TableCell>
      <TableCell>
        <SolDate of={matter} today={today} />
      </TableCell>
      <TableCell className={MIDDLE_CLASS}>
        <StatusMark status={matter.status} />
      </TableCell>
      <TableCell align="end" className={WIDE_CLASS}>
        {matter.daysOpen.toLocaleString('en-US')}
      </TableCell>
      <TableCell className={cx(WIDE_CLASS, 'text-ink-2')}>{matter.type}</TableCell>
      <TableCell className={MIDDLE_CLASS}>
        <Assignees people={matter.assignedUsers} />
      </TableCell>
      <TableCell cut={false} className={WIDE_CLASS}>
        <Downloads files={matter.download} tabIndex={tabIndex} />
      </TableCell>
      <TableCell cut={false} className={MIDDLE_CLASS}>
        <Link
          to={`${paths.caseDetails(id)}?ask=1`}
          state={{ isFromMatters: true }}
          tabIndex={tabIndex}
          aria-label="AI assistant"
          title="AI assistant"
          className="grid size-7 place-items-center rounded-small text-ink-2 hover:bg-accent-soft hover:text-accent-ink"
        >
          <Sparkles />
        </Link>
      </TableCell>
    </TableRow>
  );
});
