import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Import } from '@matterdesk/contract/imports.ts';
import { capitalize, counted, formatCount } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import {
  allRowsInWords,
  bothOf,
  groupsOf,
  pageOf,
  placeInWords,
  problemCounts,
  type ProblemGroup,
} from '../rules.problems.ts';
import { reportUrl, systemOf } from '../rules.ts';

type Outcome = ProblemGroup['outcome'];
const labels: Record<Outcome, string> = { refused: 'Refused', conflicting: 'Conflicting' };

/** Groups that are shown at once. */
const PAGE = 40;

/** Rows that stay out, and records whose fields differ here; identical ones share a line. */
export function Problems({ of }: { of: Import }) {
  const [filter, setFilter] = useState<Outcome | null>(null);
  const [limit, setLimit] = useState(PAGE);
  const counts = problemCounts(of);
  const groups = groupsOf(of.problems).filter(
    ({ outcome }) => filter === null || outcome === filter,
  );
  const shown = groups.slice(0, limit);
  const rest = of.problemCount - of.problems.length;
  return (
    <section aria-labelledby="import-problems">
      <div className="flex min-h-[34px] flex-wrap items-center justify-between gap-x-2 gap-y-2 border-b border-line pb-2">
        <h2 id="import-problems" className="text-heading font-semibold">
          Problems{' '}
          <span className="ml-1 text-base font-normal text-ink-3 tabular-nums">
            {formatCount(of.problemCount)}
          </span>
        </h2>
        <div
          role="group"
          aria-label="Show only"
          className="flex rounded-control border border-line-strong bg-surface"
        >
          {(['refused', 'conflicting'] as const).map((outcome) => (
            <button
              key={outcome}
              type="button"
              aria-pressed={filter === outcome}
              onClick={() => setFilter(filter === outcome ? null : outcome)}
              className="h-7 rounded-small px-2 text-sm font-medium text-ink-2 hover:bg-hover hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent-ink pointer-coarse:h-11"
            >
              {labels[outcome]}{' '}
              <span className="font-normal tabular-nums">{formatCount(counts[outcome])}</span>
            </button>
          ))}
        </div>
      </div>
      {groups.length === 0 ? (
        <p className="py-3 text-sm text-ink-2">{emptyWords(of, filter)}</p>
      ) : (
        <ul>
          {shown.map((group) => (
            <ProblemLine
              key={[group.outcome, group.file, group.column, group.message, group.item?.id].join()}
              group={group}
              system={systemOf(of)}
            />
          ))}
        </ul>
      )}
      {groups.length > shown.length && (
        <Button size="small" className="mt-3" onClick={() => setLimit(limit + PAGE)}>
          {`Show ${formatCount(Math.min(PAGE, groups.length - shown.length))} more`}
        </Button>
      )}
      {rest > 0 && (
        <p className="pt-3 text-sm">
          <a href={reportUrl(of.id)} download className="link inline-flex items-center gap-1.5">
            <Download />
            {`${formatCount(rest)} more in the report`}
          </a>
        </p>
      )}
    </section>
  );
}

function emptyWords(of: Import, filter: Outcome | null): string {
  if (of.state === 'running') return 'None so far.';
  if (filter === null) return 'None. Every row was read.';
  return `No ${filter} ${filter === 'refused' ? 'rows' : 'records'}.`;
}

function ProblemLine({ group, system }: { group: ProblemGroup; system: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { outcome, rows, message } = group;
  const page = group.item && pageOf({ kind: group.kind, id: group.item.id });
  const both = bothOf(group);
  return (
    <li className="border-b border-line py-2.5 text-sm">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className={cx('font-medium', outcome === 'refused' ? 'text-red' : 'text-amber')}>
          {labels[outcome]}
        </span>
        <span className="min-w-0 text-note text-ink-3 tabular-nums wrap-anywhere">
          {placeInWords(group)}
        </span>
      </div>
      <p className="mt-0.5 wrap-anywhere">
        {both ? (
          <>
            {`${capitalize(system)} has `}
            <strong className="font-semibold">{both.there}</strong>; kept as{' '}
            <strong className="font-semibold">{both.here}</strong> here.
          </>
        ) : (
          message
        )}
      </p>
      {rows.length > 2 && (
        <>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Hide' : 'Show'} the ${counted(rows.length, 'row')}`}
            onClick={() => setIsOpen(!isOpen)}
            className="link min-h-6 pointer-coarse:min-h-11"
          >
            {isOpen ? 'Hide rows' : 'Show rows'}
          </button>
          {isOpen && <p className="text-ink-2 tabular-nums">{allRowsInWords(rows)}</p>}
        </>
      )}
      {page && (
        <Link
          to={page.to}
          className="link inline-flex min-h-6 items-center pointer-coarse:min-h-11"
        >
          {page.label}
          <span className="sr-only">{` ${group.item?.name ?? ''}`}</span>
        </Link>
      )}
    </li>
  );
}
