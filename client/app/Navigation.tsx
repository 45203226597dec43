import LogOut from 'lucide-react/icons/log-out';
import { Avatar } from '../ui/Avatar.tsx';
import { Brand } from '../ui/Brand.tsx';
import { places } from './navigation.ts';
import { NavigationLink } from './NavigationLink.tsx';
import { signOut } from './session.ts';
import { useAppSelector } from './store.ts';

/** The left navigation: where one can go, and at its foot who is here. */
export function Navigation() {
  const current = useAppSelector((state) => state.user.current);
  if (!current) return null;
  const name = `${current.firstName} ${current.lastName}`;
  return (
    <nav
      aria-label="Main"
      className="flex w-56 flex-none flex-col gap-0.5 overflow-y-auto border-r border-line px-3 py-4"
    >
      <div className="px-2 pt-1 pb-4">
        <Brand />
      </div>
      {places.map((place) => (
        <NavigationLink key={place.to} place={place} />
      ))}
      <div className="mt-auto border-t border-line pt-3">
        <div className="flex items-center gap-2.5 px-2 pb-1.5">
          <Avatar name={name} />
          <div className="min-w-0">
            <p className="truncate text-sm font-medium">{name}</p>
            <p className="text-xs text-ink-3">{current.role === 'admin' ? 'Admin' : 'User'}</p>
          </div>
        </div>
        <button
          type="button"
          onClick={() => void signOut()}
          className="flex h-[34px] w-full items-center gap-2.5 rounded-control px-2 font-book text-ink-2 hover:bg-hover"
        >
          <LogOut />
          Logout
        </button>
      </div>
    </nav>
  );
}
