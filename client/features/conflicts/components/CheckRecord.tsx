import type { Check } from '@matterdesk/contract/conflicts.ts';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { sourceNames } from '../rules.ts';

/** What was searched, and what proves that the record has not changed. */
export function CheckRecord({ check: { searched, rerunOf, sha256 } }: { check: Check }) {
  return (
    <aside aria-label="Record" className="min-w-0">
      <section className="border-t border-line pt-4">
        <h3 className="mb-1 text-sm text-ink-3">Searched</h3>
        <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 text-sm text-ink-2">
          {searched.map(({ source, count }) => (
            <div key={source} className="col-span-2 grid grid-cols-subgrid">
              <dt>{sourceNames[source]}</dt>
              <dd className="text-right tabular-nums">{count.toLocaleString('en-US')}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="mt-4 border-t border-line pt-4 text-sm text-ink-2">
        <h3 className="mb-1 text-ink-3">Record</h3>
        <p>Nothing in it can be changed. Its SHA-256 covers the record before it, too:</p>
        <p className="mt-1 text-xs break-all tabular-nums">{sha256}</p>
        {rerunOf !== null && (
          <Link to={paths.conflict(rerunOf)} className="link mt-2 inline-block">
            The check that this one repeats
          </Link>
        )}
      </section>
    </aside>
  );
}
