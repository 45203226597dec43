import ChevronRight from 'lucide-react/icons/chevron-right';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';

const LINK = 'inline-flex min-h-6 items-center underline-offset-3 hover:text-ink hover:underline';

/** 'Firm > Move in', the second a link below the list of imports. */
export function Trail({ isBelow = false }: { isBelow?: boolean }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex items-center gap-1.5">
        <li>
          <Link to={paths.firm} className={LINK}>
            Firm
          </Link>
        </li>
        <li
          className="flex items-center gap-1.5"
          {...(!isBelow && { 'aria-current': 'page' as const })}
        >
          <ChevronRight className="size-3.5!" />
          {isBelow ? (
            <Link to={paths.imports} className={LINK}>
              Move in
            </Link>
          ) : (
            <span>Move in</span>
          )}
        </li>
      </ol>
    </nav>
  );
}
