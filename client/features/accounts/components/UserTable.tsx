import type { CurrentUser, User } from '@matterdesk/contract/accounts.ts';
import { useMemo } from 'react';
import { useScreen } from '../../../core/use-screen.ts';
import { ColumnHeader } from '../../../ui/ColumnHeader.tsx';
import { Table } from '../../../ui/Table.tsx';
import { TableHead } from '../../../ui/TableHead.tsx';
import { useRows } from '../../../ui/use-rows.ts';
import { mayTake } from '../rules.ts';
import { type UserActions, UserRow } from './UserRow.tsx';

const COLUMNS = '[--columns:minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,2fr)_3rem_7rem]';
const COLUMNS_WITH_ACTIONS =
  '[--columns:minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,2fr)_3rem_7rem_7rem]';

interface UserTableProps extends UserActions {
  people: readonly User[];
  me: CurrentUser | null;
  /** The only active admin, who is not offered to be deactivated. */
  lastAdmin: string | undefined;
}

/** The users as a table that renders only the rows in view. */
export function UserTable({ people, me, lastAdmin, ...actions }: UserTableProps) {
  const mayManage = me?.permissions.manageUsers === true;
  const { items, rowsProps } = useRows<HTMLDivElement>({
    list: 'users',
    ids: useMemo(() => people.map(({ id }) => id), [people]),
    rowHeight: useScreen() === 'phone' ? 78 : 46,
    isPageWide: true,
  });
  return (
    <Table
      aria-label="Users"
      aria-rowcount={people.length + 1}
      className={mayManage ? COLUMNS_WITH_ACTIONS : COLUMNS}
    >
      <TableHead className="max-xl:gap-x-4 max-sm:sr-only">
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
      <div {...rowsProps} role="rowgroup" className="relative">
        {items.map(({ index, offset }) => {
          const person = people[index];
          return (
            person && (
              <UserRow
                key={person.id}
                person={person}
                isMe={person.id === me?.id}
                isLastAdmin={person.id === lastAdmin}
                mayManage={mayManage}
                mayChange={mayManage && (me.role === 'admin' || person.role !== 'admin')}
                mayTake={mayManage && mayTake(me, person)}
                position={{ index, offset }}
                {...actions}
              />
            )
          );
        })}
      </div>
    </Table>
  );
}
