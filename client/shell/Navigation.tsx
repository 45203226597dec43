import LogOut from 'lucide-react/icons/log-out';
import Search from 'lucide-react/icons/search';
import { useId } from 'react';
import { Link, useLocation } from 'react-router';
import { lazyNamed } from '../core/chunks.ts';
import { useAppSelector } from '../core/store.ts';
import { formatCount } from '../core/words.ts';
import { Person } from '../features/accounts/components/Person.tsx';
import { overviewOf } from '../features/dashboard/slice.ts';
import { Brand } from '../ui/Brand.tsx';
import { cx } from '../ui/cx.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { Tooltip } from '../ui/Tooltip.tsx';
import { PALETTE_KEYS } from './keys.ts';
import { countAt, placesOf, isAt, type Place, useUnread } from './navigation.ts';
import { signOut } from './session.ts';
import { ThemeButton } from './ThemeButton.tsx';

interface NavigationProps {
  /** Icons alone, with tooltips. */
  compact: boolean;
  onFind: () => void;
}

/** The left navigation, with the signed-in user at the bottom. */
export function Navigation({ compact, onFind }: NavigationProps) {
  const counts = useAppSelector((state) => overviewOf(state.overview)?.counts);
  const places = useAppSelector(placesOf);
  const unread = useUnread();
  const row = cx(
    'flex h-[34px] items-center gap-2.5 rounded-control transition-colors pointer-coarse:h-11',
    compact ? 'w-8 justify-center pointer-coarse:w-11' : 'w-full px-2',
  );
  return (
    <nav
      aria-label="Main"
      className={cx(
        'flex flex-none flex-col overflow-y-auto border-r border-line py-4',
        compact ? 'w-14 items-center pointer-coarse:w-16' : 'w-56 px-3',
      )}
    >
      <div
        className={cx(
          'flex items-center pt-1 pb-[18px]',
          compact ? 'flex-col gap-3' : 'h-[50px] justify-between px-2',
        )}
      >
        <Brand compact={compact} />
        <span className="size-7">
          <Bell />
        </span>
      </div>
      <Hint text="Find anything" isOn={compact}>
        <button
          type="button"
          aria-haspopup="dialog"
          aria-keyshortcuts="Meta+K Control+K"
          onClick={onFind}
          className={cx(
            row,
            'mb-3.5 border border-line bg-surface text-sm text-ink-3 hover:border-ink-3',
          )}
        >
          <Search />
          <span className={compact ? 'sr-only' : undefined}>Find anything</span>
          {!compact && (
            <span aria-hidden="true" className="ml-auto">
              <Kbd>{PALETTE_KEYS}</Kbd>
            </span>
          )}
        </button>
      </Hint>
      <ul className="flex flex-col gap-0.5">
        {places.map((place) => (
          <NavigationLink
            key={place.to}
            place={place}
            count={countAt(place, counts, unread)}
            compact={compact}
          />
        ))}
      </ul>
      <div className={cx('mt-auto pt-4', compact && 'flex flex-col items-center')}>
        <div
          className={cx(
            'flex items-center gap-1 border-t border-line pt-3 pb-1.5',
            compact ? 'flex-col' : 'pl-2',
          )}
        >
          <Person compact={compact} />
          <ThemeButton />
        </div>
        <Hint text="Logout" isOn={compact}>
          <button
            type="button"
            onClick={() => void signOut()}
            className={cx(row, 'font-book text-ink-2 hover:bg-hover')}
          >
            <LogOut />
            <span className={compact ? 'sr-only' : undefined}>Logout</span>
          </button>
        </Hint>
      </div>
    </nav>
  );
}

function Hint({
  text,
  isOn,
  children,
}: {
  text: string;
  isOn: boolean;
  children: React.ReactNode;
}) {
  if (!isOn) return children;
  return (
    <Tooltip text={text} side="right">
      {children}
    </Tooltip>
  );
}

interface NavigationLinkProps {
  place: Place;
  /** A count shown at the right, and its meaning in words for screen readers. */
  count?: { number: number; words: string } | undefined;
  /** An icon alone, with the label as a tooltip. */
  compact?: boolean;
  onFollow?: () => void;
}

export function NavigationLink({ place, count, compact = false, onFollow }: NavigationLinkProps) {
  const { pathname } = useLocation();
  const isHere = isAt(place, pathname);
  const countId = useId();
  const Icon = place.icon;
  const link = (
    <Link
      to={place.to}
      aria-current={isHere ? 'page' : undefined}
      aria-describedby={count ? countId : undefined}
      onClick={onFollow}
      className={cx(
        'flex h-[34px] items-center gap-2.5 rounded-control transition-colors pointer-coarse:h-11',
        compact ? 'w-8 justify-center pointer-coarse:w-11' : 'px-2',
        isHere
          ? 'bg-accent-soft font-strong text-accent-ink'
          : 'font-book text-ink-2 hover:bg-hover',
      )}
    >
      <Icon />
      <span className={compact ? 'sr-only' : undefined}>{place.label}</span>
      {count && !compact && place.countTo === undefined && (
        <Count number={count.number} isHere={isHere} />
      )}
    </Link>
  );
  return (
    <li className="relative">
      {compact ? (
        <Tooltip text={place.label} side="right">
          {link}
        </Tooltip>
      ) : (
        link
      )}
      {count && !compact && place.countTo !== undefined && (
        <Link
          to={place.countTo}
          title={`${count.words}: show the list`}
          onClick={onFollow}
          className="absolute inset-y-0 right-0 grid min-w-9 items-center rounded-control px-2 text-right hover:underline"
        >
          <span className="sr-only">{count.words}</span>
          <Count number={count.number} isHere={isHere} />
        </Link>
      )}
      {count && (
        <span id={countId} hidden>
          {count.words}
        </span>
      )}
    </li>
  );
}

function Count({ number, isHere }: { number: number; isHere: boolean }) {
  return (
    <span
      // A new key, so that a changed number fades in.
      key={number}
      aria-hidden="true"
      className={cx(
        'ml-auto animate-appear text-xs font-normal tabular-nums',
        !isHere && 'text-ink-3',
      )}
    >
      {formatCount(number)}
    </span>
  );
}

/** A chunk of its own: the first page has no room for it. */
export const Bell = lazyNamed(() => import('../features/notices/components/Bell.tsx'), 'Bell');
