import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import type { BriefCase } from '../rules.ts';

/** The most recently opened matters. */
export function RecentCases({ cases }: { cases: readonly BriefCase[] }) {
  return (
    <>
      <SectionHeading>Recently opened</SectionHeading>
      {cases.length === 0 && <p className="text-ink-2">No open matters.</p>}
      <ul>
        {cases.map((recent) => (
          <li key={recent.id}>
            <Link
              to={paths.caseDetails(recent.id)}
              className="flex min-h-[55px] flex-col justify-center border-b border-line py-2 hover:bg-hover"
            >
              <span className="truncate font-medium">{recent.caseName}</span>
              <span className="truncate text-note text-ink-3 tabular-nums">
                {recent.caseNo} · {recent.status}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
