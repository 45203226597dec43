import type { Storage } from '@matterdesk/contract/storage.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { ColumnHeader } from '../../../ui/ColumnHeader.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { Table } from '../../../ui/Table.tsx';
import { TableCell } from '../../../ui/TableCell.tsx';
import { TableHead } from '../../../ui/TableHead.tsx';
import { TableRow } from '../../../ui/TableRow.tsx';
import { shareOf } from '../rules.ts';

const COLUMNS =
  '[--columns:minmax(0,14rem)_6rem_minmax(0,1fr)] max-sm:[--columns:minmax(0,1fr)_6rem]';

/** Who stores how much, the most first. */
export function PeopleTable({ storage }: { storage: Storage }) {
  return (
    <Table
      aria-label="Storage by person"
      aria-rowcount={storage.people.length + 1}
      className={COLUMNS}
    >
      <TableHead>
        <ColumnHeader>Person</ColumnHeader>
        <ColumnHeader align="end">Used</ColumnHeader>
        <ColumnHeader className="max-sm:hidden">
          <span className="sr-only">Share</span>
        </ColumnHeader>
      </TableHead>
      <div role="rowgroup">
        {storage.people.map(({ person: { id, firstName, lastName }, used }) => (
          <TableRow key={id} lines={1}>
            <TableCell className="flex items-center gap-2 font-medium">
              <Avatar name={`${firstName} ${lastName}`} />
              <span className="truncate">{`${firstName} ${lastName}`}</span>
            </TableCell>
            <TableCell align="end">{sizeInWords(used)}</TableCell>
            <TableCell className="max-sm:hidden">
              <span
                aria-hidden="true"
                style={{ width: `${shareOf(used, storage) * 100}%` }}
                className="block h-1.5 min-w-1 rounded-full bg-accent"
              />
            </TableCell>
          </TableRow>
        ))}
      </div>
    </Table>
  );
}
