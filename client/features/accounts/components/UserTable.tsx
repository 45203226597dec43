import type { CurrentUser, User } from '@matterdesk/contract/accounts.ts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { useScreen } from '../../../core/use-screen.ts';
import { ColumnHeader } from '../../../ui/ColumnHeader.tsx';
import { Table } from '../../../ui/Table.tsx';
import { TableHead } from '../../../ui/TableHead.tsx';
import { type UserActions, UserRow } from './UserRow.tsx';

const COLUMNS =
  '[--columns:minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,2fr)_3rem_8.5rem] max-sm:[--columns:auto_minmax(0,1fr)]';
const COLUMNS_WITH_ACTIONS =
  '[--columns:minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,2fr)_3rem_8.5rem_4rem] max-sm:[--columns:auto_minmax(0,1fr)_6rem]';

interface UserTableProps extends UserActions {
  people: readonly User[];
  me: CurrentUser | null;
}

/** The people as a table; only the rows in view exist. */
export function UserTable({ people, me, ...actions }: UserTableProps) {
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const rowHeight = useScreen() === 'phone' ? 60 : 46;
  const mayManage = me?.permissions.manageUsers === true;
  const rows = useVirtualizer({
    count: people.length,
    getScrollElement: () => body.current?.closest('main') ?? null,
    estimateSize: () => rowHeight,
    getItemKey: (index) => people[index]?.id ?? index,
    overscan: 12,
    scrollMargin: top,
  });
  useLayoutEffect(() => {
    const main = body.current?.closest('main');
    if (!body.current || !main) return;
    const above = body.current.getBoundingClientRect().top - main.getBoundingClientRect().top;
    setTop(above + main.scrollTop);
  }, []);
  useLayoutEffect(() => rows.measure(), [rows, rowHeight]);
  return (
    <Table
      aria-label="Users"
      aria-rowcount={people.length + 1}
      className={mayManage ? COLUMNS_WITH_ACTIONS : COLUMNS}
    >
      <TableHead className="max-sm:sr-only">
        <ColumnHeader>First Name</ColumnHeader>
        <ColumnHeader>Last Name</ColumnHeader>
        <ColumnHeader>Email</ColumnHeader>
        <ColumnHeader>Role</ColumnHeader>
        <ColumnHeader>Phone Number</ColumnHeader>
        {mayManage && (
          <ColumnHeader>
            <span className="sr-only">Actions</span>
          </ColumnHeader>
        )}
      </TableHead>
      <div ref={body} role="rowgroup" className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const person = people[index];
          return (
            person && (
              <UserRow
                key={key}
                person={person}
                isMe={person.id === me?.id}
                mayManage={mayManage}
                position={{ index, offset: start - top }}
                {...actions}
              />
            )
          );
        })}
      </div>
    </Table>
  );
}
