import { useId } from 'react';
import { Link, useLocation } from 'react-router';
import { formatCount } from '../core/words.ts';
import { cx } from '../ui/cx.ts';
import { Tooltip } from '../ui/Tooltip.tsx';
import { isAt, type Place } from './navigation.ts';

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
