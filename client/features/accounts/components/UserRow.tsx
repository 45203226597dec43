import type { User } from '@matterdesk/contract/accounts.ts';
import KeyRound from 'lucide-react/icons/key-round';
import Pencil from 'lucide-react/icons/pencil';
import UserCheck from 'lucide-react/icons/user-check';
import UserX from 'lucide-react/icons/user-x';
import { fullName } from '../../../core/full-name.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { cx } from '../../../ui/cx.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { TableCell } from '../../../ui/TableCell.tsx';
import { TableRow } from '../../../ui/TableRow.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { rightsInWords } from '../rules.ts';

export interface UserActions {
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

export function UserRow({
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
        {person.waiting === true ? (
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
            (person.waiting === true ? (
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
