import KeyRound from 'lucide-react/icons/key-round';
import Pencil from 'lucide-react/icons/pencil';
import UserCheck from 'lucide-react/icons/user-check';
import UserPlus from 'lucide-react/icons/user-plus';
import UserRound from 'lucide-react/icons/user-round';
import UserX from 'lucide-react/icons/user-x';
import { useMemo, useState } from 'react';
import type { CurrentUser, User } from '@matterdesk/contract/accounts.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { fullName } from '../../core/full-name.ts';
import { Pending } from '../../core/Pending.tsx';
import { people } from '../../core/people.ts';
import { useAppDispatch, useAppSelector } from '../../core/store.ts';
import { searchText, useAddress } from '../../core/use-address.ts';
import { useResource } from '../../core/use-resource.ts';
import { useScreen } from '../../core/use-screen.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { ClearSearch } from '../../ui/ClearSearch.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchInput, useSearchText } from '../../ui/SearchInput.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ColumnHeader, Table, TableCell, TableHead, TableRow } from '../../ui/Table.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { useRows } from '../../ui/use-rows.ts';
import * as api from './api.ts';
import { bestFirst, lastAdminOf, canActFor, peopleInWords, rightsInWords } from './rules.ts';
import { personReceived } from './slice.ts';

const EditUser = lazyNamed(() => import('./components/EditUser.tsx'), 'EditUser');
const DeactivateUser = lazyNamed(() => import('./components/DeactivateUser.tsx'), 'DeactivateUser');

const ResetPassword = lazyNamed(() => import('./components/ResetPassword.tsx'), 'ResetPassword');
const Invitations = lazyNamed(() => import('./components/Invitations.tsx'), 'Invitations');

const schema = { search: searchText };
const NONE: readonly User[] = [];

/** The directory of the firm's users. */
export function UsersPage() {
  const dispatch = useAppDispatch();
  const { address, change } = useAddress(schema);
  const current = useAppSelector((state) => state.user.current);
  const { data, status, failure, refresh } = useResource(people, 'all');
  const everyone = data ?? NONE;
  const mayInvite = current?.permissions.manageUsers === true;
  const [isInviting, setIsInviting] = useState(false);
  const [opened, setOpened] = useState<{
    person: User;
    action: 'edit' | 'deactivate' | 'reset';
  } | null>(null);
  const [text, setText] = useSearchText(address.search, (search) => change({ search }));
  const found = bestFirst(everyone, text);
  const handleChanged = (person: User) => {
    dispatch(personReceived(person));
    setOpened(null);
  };
  return (
    <>
      <PageHeader
        title="Users"
        actions={
          <>
            <SearchInput
              value={text}
              onChange={setText}
              placeholder="Search here"
              className="w-[calc(100vw-9rem)] sm:w-72"
            />
            {mayInvite && (
              <Button icon={UserPlus} variant="primary" onClick={() => setIsInviting(true)}>
                Invite
              </Button>
            )}
          </>
        }
      >
        {everyone.length === 0
          ? '\u00A0'
          : peopleInWords(everyone, text === '' ? undefined : found.length)}
      </PageHeader>
      <div className="px-4 pt-3 pb-9 sm:px-9">
        {everyone.length === 0 ? (
          <Pending of={{ failure, status, refresh }} what="the users">
            <UserTableSkeleton />
          </Pending>
        ) : found.length === 0 ? (
          <EmptyState
            icon={UserRound}
            title="No match"
            action={<ClearSearch onClear={() => setText('')} />}
          >
            No users match “{text}”.
          </EmptyState>
        ) : (
          <UserTable
            people={found}
            me={current}
            lastAdmin={lastAdminOf(everyone)}
            onEdit={(person) => setOpened({ person, action: 'edit' })}
            onDeactivate={(person) => setOpened({ person, action: 'deactivate' })}
            onReset={(person) => setOpened({ person, action: 'reset' })}
            onActivate={(person) =>
              api
                .changeUser({ params: { id: person.id }, body: { active: true } })
                .then(handleChanged, () => undefined)
            }
          />
        )}
        {mayInvite && (
          <Invitations
            isByAdmin={current.role === 'admin'}
            isInviting={isInviting}
            onClose={() => setIsInviting(false)}
          />
        )}
      </div>
      {opened?.action === 'edit' && (
        <EditUser
          person={opened.person}
          isByAdmin={current?.role === 'admin'}
          mayTake={current !== null && canActFor(current, opened.person)}
          onClose={() => setOpened(null)}
          onChanged={handleChanged}
        />
      )}
      {opened?.action === 'reset' && (
        <ResetPassword
          person={opened.person}
          isByAdmin={current?.role === 'admin'}
          onClose={() => setOpened(null)}
        />
      )}
      {opened?.action === 'deactivate' && (
        <DeactivateUser
          person={opened.person}
          isMe={opened.person.id === current?.id}
          onClose={() => setOpened(null)}
          onChanged={handleChanged}
        />
      )}
    </>
  );
}

/** The table of users while it loads, in the same dimensions. */
function UserTableSkeleton() {
  return (
    <div aria-hidden="true" className="pt-[34px]">
      {Array.from({ length: 10 }, (_, index) => (
        <div
          key={index}
          className="grid h-[46px] grid-cols-[1fr_1.2fr_1.6fr_1.6fr_8.5rem_7rem] items-center gap-x-6 max-sm:h-[78px] max-sm:grid-cols-1"
        >
          <Skeleton className="h-3.5 w-3/5" />
          <Skeleton className="h-3.5 w-3/5" />
          <Skeleton className="h-3.5 w-4/5 max-sm:hidden" />
          <Skeleton className="h-3.5 w-10 max-sm:hidden" />
          <Skeleton className="h-3.5 w-3/5 max-sm:hidden" />
        </div>
      ))}
    </div>
  );
}

const COLUMNS = '[--columns:minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,1.6fr)_minmax(0,1.6fr)_7rem]';
const COLUMNS_WITH_ACTIONS =
  '[--columns:minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,1.6fr)_minmax(0,1.6fr)_7rem_7rem]';

interface UserTableProps extends UserActions {
  people: readonly User[];
  me: CurrentUser | null;
  /** The only active admin, who is not offered to be deactivated. */
  lastAdmin: string | undefined;
}

/** The users as a table that renders only the rows in view. */
function UserTable({ people, me, lastAdmin, ...actions }: UserTableProps) {
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
                mayTake={mayManage && canActFor(me, person)}
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

interface UserActions {
  onEdit: (person: User) => void;
  onDeactivate: (person: User) => void;
  onActivate: (person: User) => void;
  onReset: (person: User) => void;
}

interface UserRowProps extends UserActions {
  person: User;
  isMe: boolean;
  isLastAdmin: boolean;
  mayManage: boolean;
  /** Only an admin changes an admin. */
  mayChange: boolean;
  /** Only an admin acts for someone with a right that the user lacks. */
  mayTake: boolean;
  /** The row's index, and its offset in pixels from the top of the first row. */
  position: { index: number; offset: number };
}

const THIRD_LINE = 'max-sm:order-last max-sm:text-note max-sm:text-ink-3';

function UserRow({
  person,
  isMe,
  isLastAdmin,
  mayManage,
  mayChange,
  mayTake,
  position,
  ...actions
}: UserRowProps) {
  return (
    <TableRow
      lines={1}
      data-row={person.id}
      aria-rowindex={position.index + 2}
      style={{ transform: `translateY(${position.offset}px)` }}
      className={cx(
        'top-0 left-0 [position:absolute]! max-xl:gap-x-4 max-sm:flex max-sm:h-[78px] max-sm:flex-wrap max-sm:content-center max-sm:gap-x-1.5',
        mayManage && 'max-sm:pr-36',
        !person.active && 'text-ink-3',
      )}
    >
      <TableCell className="font-medium">{person.firstName}</TableCell>
      <TableCell className="flex items-center gap-2 font-medium max-sm:flex-1">
        <span className="truncate">{person.lastName}</span>
        {isMe && <Chip>You</Chip>}
        {person.waiting ? (
          <Chip tone="amber">Waiting for approval</Chip>
        ) : (
          !person.active && <Chip>Deactivated</Chip>
        )}
      </TableCell>
      <TableCell className="max-sm:order-last max-sm:basis-full max-sm:text-note max-sm:text-ink-2">
        {person.email}
      </TableCell>
      <TableCell className={THIRD_LINE}>
        {person.role === 'admin' ? 'Admin' : 'User'}
        <span className="block truncate text-note text-ink-2 max-sm:hidden">
          {rightsInWords(person)}
        </span>
      </TableCell>
      <TableCell className={cx(THIRD_LINE, 'tabular-nums max-sm:flex-1')}>
        {person.phoneNumber}
      </TableCell>
      {mayManage && (
        <TableCell
          cut={false}
          className="flex items-center justify-end gap-1 max-sm:absolute max-sm:inset-y-0 max-sm:right-0"
        >
          {mayChange &&
            (person.waiting ? (
              <ApproveButton person={person} {...actions} />
            ) : (
              <RowButtons {...{ person, isLastAdmin, mayTake }} {...actions} />
            ))}
        </TableCell>
      )}
    </TableRow>
  );
}

function ApproveButton({ person, onActivate }: UserActions & { person: User }) {
  return (
    <Button
      size="small"
      aria-label={`Approve ${fullName(person)}`}
      onClick={() => onActivate(person)}
    >
      Approve
    </Button>
  );
}

type RowButtonsProps = UserActions & Pick<UserRowProps, 'person' | 'isLastAdmin' | 'mayTake'>;

function RowButtons({ person, isLastAdmin, mayTake, ...actions }: RowButtonsProps) {
  const name = fullName(person);
  return (
    <>
      <Tooltip text="Edit">
        <IconButton
          label={`Edit ${name}`}
          icon={Pencil}
          variant="quiet"
          size="small"
          onClick={() => actions.onEdit(person)}
        />
      </Tooltip>
      {mayTake && (
        <Tooltip text="Reset password">
          <IconButton
            label={`Reset password of ${name}`}
            icon={KeyRound}
            variant="quiet"
            size="small"
            onClick={() => actions.onReset(person)}
          />
        </Tooltip>
      )}
      {mayTake && !isLastAdmin && (
        <Tooltip text={person.active ? 'Deactivate' : 'Activate'}>
          <IconButton
            label={person.active ? `Deactivate ${name}` : `Activate ${name}`}
            icon={person.active ? UserX : UserCheck}
            variant="quiet"
            size="small"
            onClick={() =>
              person.active ? actions.onDeactivate(person) : actions.onActivate(person)
            }
          />
        </Tooltip>
      )}
    </>
  );
}
