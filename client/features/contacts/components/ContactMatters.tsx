import type { MatterOfContact } from '@matterdesk/contract/contacts.ts';
import { Link } from 'react-router';
import { roleNames } from '../../../core/party-roles.ts';
import { paths } from '../../../core/paths.ts';
import { cx } from '../../../ui/cx.ts';
import { Table } from '../../../ui/Table.tsx';
import { TableCell } from '../../../ui/TableCell.tsx';
import { TableRow } from '../../../ui/TableRow.tsx';
import { CountedHeading } from './CountedHeading.tsx';

/** The matters of a contact, and its role in each. */
export function ContactMatters({ matters }: { matters: readonly MatterOfContact[] }) {
  return (
    <section className="@container">
      <CountedHeading count={matters.length}>Matters</CountedHeading>
      {matters.length === 0 ? (
        <p className="text-ink-2">Not a party of any matter that you see.</p>
      ) : (
        <Table
          aria-label="Matters"
          className="[--columns:minmax(0,2fr)_minmax(0,1fr)] before:absolute before:inset-x-2.5 before:top-0 before:border-t before:border-line @min-[36rem]:[--columns:minmax(0,2fr)_minmax(0,1fr)_minmax(0,0.9fr)_minmax(0,1fr)]"
        >
          {matters.map(({ case: matter, role }) => {
            const isArchived = matter.statusType === 'Archive';
            return (
              <TableRow key={`${matter.id} ${role}`}>
                <TableCell>
                  <Link
                    to={paths.caseDetails(matter.id)}
                    className="row-link block truncate font-medium"
                  >
                    {matter.caseName}
                  </Link>
                  <span className="block truncate text-note text-ink-2 tabular-nums">
                    {matter.caseNo}
                  </span>
                </TableCell>
                <TableCell>{roleNames[role]}</TableCell>
                <TableCell className="hidden text-ink-2 @min-[36rem]:block">
                  <span
                    aria-hidden="true"
                    className={cx(
                      'mr-2 inline-block size-[7px] rounded-full',
                      isArchived ? 'bg-ink-3' : 'bg-accent',
                    )}
                  />
                  {isArchived ? 'Archived' : matter.status}
                </TableCell>
                <TableCell className="hidden text-right text-ink-2 @min-[36rem]:block">
                  {matter.managingAttorney}
                </TableCell>
              </TableRow>
            );
          })}
        </Table>
      )}
    </section>
  );
}
