import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { useResource } from '../../../core/use-resource.ts';
import { formatCount } from '../../../core/words.ts';
import { cx } from '../../../ui/cx.ts';
import { addDays } from '../../../ui/days.ts';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import { sectionList } from '../slice.ts';

/** First and last day from today of each part of the year ahead. */
const PARTS = [
  [0, 30],
  [31, 90],
  [91, 180],
  [181, 365],
] as const;

/** Counts of statutes of limitations that run out in each part of the year ahead, as links to them. */
export function LimitationRadar({ today }: { today: string }) {
  return (
    <section aria-label="Statutes of limitations, next 365 days" className="mt-6">
      <SectionHeading>Next 365 days</SectionHeading>
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {PARTS.map(([first, last]) => (
          <li key={last}>
            <Part
              name={`${first === 0 ? 'Next' : `${first} to`} ${last} days`}
              from={addDays(today, first)}
              to={addDays(today, last)}
              today={today}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Part({ name, from, to, today }: Record<'name' | 'from' | 'to' | 'today', string>) {
  const filters = { owner: '', case: '', kind: '', from, to, matters: '' };
  const { data } = useResource(sectionList, { section: 'limitation', filters, today, limit: 1 });
  const address = new URLSearchParams({ view: 'deadlines', kind: 'limitation', from, to });
  return (
    <Link
      to={`${paths.calendar}?${address}`}
      aria-busy={!data || undefined}
      className="block rounded-card border border-line px-3 py-2 hover:bg-hover"
    >
      <span
        className={cx(
          'block font-serif text-subtitle font-strong tabular-nums',
          data?.total === 0 && 'text-ink-3',
        )}
      >
        {data ? formatCount(data.total) : '\u00A0'}
      </span>
      <span className="block text-note text-ink-2">{name}</span>
    </Link>
  );
}
