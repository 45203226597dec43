import ChevronRight from 'lucide-react/icons/chevron-right';
import type { MouseEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { paths } from '../../../core/paths.ts';

/** The link back to the list, which restores the scroll position when possible. */
export function CaseTrail({ caseNo }: { caseNo: string }) {
  const location = useLocation();
  const navigate = useNavigate();
  const state = location.state as { isFromMatters?: boolean } | null;
  const handleClick = (event: MouseEvent) => {
    const isOwn = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (isOwn || !state?.isFromMatters) return;
    event.preventDefault();
    void navigate(-1);
  };
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex items-center gap-1.5">
        <li>
          <Link
            to={paths.matters}
            onClick={handleClick}
            className="inline-flex min-h-6 items-center underline-offset-3 hover:text-ink hover:underline"
          >
            Matters
          </Link>
        </li>
        <li className="flex min-w-0 items-center gap-1.5" aria-current="page">
          <ChevronRight className="size-3.5!" />
          <span className="truncate tabular-nums">{caseNo}</span>
        </li>
      </ol>
    </nav>
  );
}
