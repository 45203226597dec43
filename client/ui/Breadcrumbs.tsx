import ChevronRight from 'lucide-react/icons/chevron-right';
import type { MouseEventHandler } from 'react';
import { Link } from 'react-router';

interface BreadcrumbsProps {
  /** Outermost first; one without an address is the page itself. */
  places: readonly { label: string; to?: string; onClick?: MouseEventHandler }[];
}

/** Breadcrumbs; a long name of the page itself is cut. */
export function Breadcrumbs({ places }: BreadcrumbsProps) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex flex-wrap items-center gap-1.5">
        {places.map(({ label, to, onClick }, at) => (
          <li
            key={to ?? label}
            className="flex min-w-0 items-center gap-1.5"
            aria-current={to === undefined ? 'page' : undefined}
          >
            {at > 0 && <ChevronRight className="size-3.5!" />}
            {to === undefined ? (
              <span className="truncate tabular-nums">{label}</span>
            ) : (
              <Link
                to={to}
                onClick={onClick}
                className="inline-flex min-h-6 items-center underline-offset-3 hover:text-ink hover:underline"
              >
                {label}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
