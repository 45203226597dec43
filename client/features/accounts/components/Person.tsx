import { NavLink } from 'react-router';
import { fullName } from '../../../core/full-name.ts';
import { paths } from '../../../core/paths.ts';
import { useAppSelector } from '../../../core/store.ts';
import { Avatar } from '../../../ui/Avatar.tsx';

interface PersonProps {
  compact?: boolean;
  onFollow?: () => void;
}

/** The signed-in user, as the link to the account. */
export function Person({ compact = false, onFollow }: PersonProps) {
  const current = useAppSelector((state) => state.user.current);
  if (!current) return null;
  const name = fullName(current);
  return (
    <NavLink
      to={paths.account}
      onClick={onFollow}
      title="Account"
      className="flex min-w-0 grow items-center gap-2.5 rounded-control py-1 hover:bg-hover aria-[current=page]:bg-accent-soft pointer-coarse:min-h-11"
    >
      <Avatar name={name} />
      <span className={compact ? 'sr-only' : 'min-w-0'}>
        <span className="block truncate text-sm font-medium">{name}</span>
        <span className="block text-xs text-ink-3">
          {current.role === 'admin' ? 'Admin' : 'User'}
        </span>
      </span>
    </NavLink>
  );
}
