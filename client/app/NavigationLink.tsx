import { Link, useLocation } from 'react-router';
import { cx } from '../ui/cx.ts';
import { isAt, type Place } from './navigation.ts';

/** One place in the left navigation, with its count at the right. */
export function NavigationLink({ place, count }: { place: Place; count?: number | undefined }) {
  const { pathname } = useLocation();
  const isHere = isAt(place, pathname);
  const Icon = place.icon;
  return (
    <Link
      to={place.to}
      aria-current={isHere ? 'page' : undefined}
      className={cx(
        'flex h-[34px] items-center gap-2.5 rounded-control px-2 transition-colors pointer-coarse:h-11',
        isHere
          ? 'bg-accent-soft font-strong text-accent-ink'
          : 'font-book text-ink-2 hover:bg-hover',
      )}
    >
      <Icon />
      <span>{place.label}</span>
      {count !== undefined && (
        <span className={cx('ml-auto text-xs tabular-nums', !isHere && 'text-ink-3')}>
          {count.toLocaleString()}
        </span>
      )}
    </Link>
  );
}
