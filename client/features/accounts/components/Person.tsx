import { Avatar } from '../../../ui/Avatar.tsx';
import { useAppSelector } from '../../../core/store.ts';

/** The signed-in user. */
export function Person({ compact = false }: { compact?: boolean }) {
  const current = useAppSelector((state) => state.user.current);
  if (!current) return null;
  const name = `${current.firstName} ${current.lastName}`;
  return (
    <div className="flex min-w-0 grow items-center gap-2.5">
      <Avatar name={name} />
      <div className={compact ? 'sr-only' : 'min-w-0'}>
        <p className="truncate text-sm font-medium">{name}</p>
        <p className="text-xs text-ink-3">{current.role === 'admin' ? 'Admin' : 'User'}</p>
      </div>
    </div>
  );
}
