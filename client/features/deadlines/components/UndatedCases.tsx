import CalendarX from 'lucide-react/icons/calendar-x';
import { useState } from 'react';
import { Link } from 'react-router';
import { NOT_FILED } from '@matterdesk/contract/cases.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { fullName } from '../../../core/full-name.ts';
import { paths } from '../../../core/paths.ts';
import { Pending } from '../../../core/Pending.tsx';
import { useMay } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { buttonClass, Button } from '../../../ui/Button.tsx';
import { formatDay, localDay } from '../../../ui/days.ts';
import { type Filters, undatedCases } from '../slice.ts';
import { Section } from './Section.tsx';

const NoStatuteDialog = lazyNamed(() => import('./NoStatuteDialog.tsx'), 'NoStatuteDialog');

/** Active matters without a statute date; absent while there are none, and under filters that they cannot meet. */
export function UndatedCases({ filters }: { filters: Filters }) {
  const { owner, case: caseId, kind, from, to, matters } = filters;
  const isOther = kind !== '' && kind !== 'limitation';
  const isExcluded = isOther || [from, to, matters].some((filter) => filter !== '');
  const { data, cursor, status, failure, refresh, grow } = useResource(
    undatedCases,
    isExcluded ? null : { owner, case: caseId },
  );
  const canChange = useMay('createCases');
  const [asked, setAsked] = useState<{ id: string; caseName: string } | null>(null);
  if (isExcluded || data?.total === 0) return null;
  return (
    <Section
      title="Statute date missing"
      total={data?.total}
      isWaiting={!data && !failure}
      note="no SOL yet"
    >
      {!data && <Pending of={{ failure, status, refresh }} what="the matters" isPart />}
      <ul>
        {data?.cases.map(({ case: matter, owner: person, since }) => (
          <li
            key={matter.id}
            className="flex min-h-11 flex-wrap items-center gap-x-3.5 gap-y-1 border-b border-line py-1"
          >
            <CalendarX className="size-5 flex-none text-amber" />
            <span className="min-w-0 grow basis-40">
              <Link to={paths.caseDetails(matter.id)} className="block truncate font-medium">
                {matter.caseName}
              </Link>
              <span className="block truncate text-note text-ink-2">
                {matter.caseNo ?? NOT_FILED} · since {formatDay(localDay(new Date(since)))} ·{' '}
                {person ? fullName(person) : 'No owner'}
              </span>
            </span>
            {canChange && (
              <span className="flex flex-wrap gap-2">
                <Link
                  to={paths.editOf(matter.id, 'SOL')}
                  aria-label={`Enter date of ${matter.caseName}`}
                  className={buttonClass({ size: 'small' })}
                >
                  Enter date
                </Link>
                <Button
                  size="small"
                  aria-label={`No statute applies to ${matter.caseName}`}
                  onClick={() => setAsked(matter)}
                >
                  No statute applies
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {cursor !== null && data && (
        <Button size="small" variant="quiet" busy={status === 'growing'} onClick={grow}>
          Show more
        </Button>
      )}
      {asked && <NoStatuteDialog matter={asked} onClose={() => setAsked(null)} />}
    </Section>
  );
}
