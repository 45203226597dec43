import CalendarOff from 'lucide-react/icons/calendar-off';
import Plus from 'lucide-react/icons/plus';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { formatDay } from '../../../ui/days.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import type { Option } from '../../../ui/option.ts';
import { nameOf } from '../rules.ts';
import { Section } from './DeadlineSection.tsx';
import { idleCases } from '../slice.ts';

/** Active matters with nothing ahead, each of which can get a date. */
export function IdleCases({ onAdd }: { onAdd: (matter: Option) => void }) {
  const { data, cursor, status, failure, refresh, grow } = useResource(idleCases, 'all');
  return (
    <Section
      title="No next date"
      total={data?.total}
      isWaiting={!data && !failure}
      aside={
        cursor !== null && (
          <Button size="small" variant="quiet" busy={status === 'growing'} onClick={grow}>
            Show more
          </Button>
        )
      }
    >
      {!data && failure && (
        <ErrorState
          title="Couldn’t load the matters"
          detail={failure.message}
          busy={status === 'loading'}
          onRetry={refresh}
        />
      )}
      {data?.cases.length === 0 && (
        <p className="py-2.5 text-ink-3">Every active matter has a next date</p>
      )}
      <ul>
        {data?.cases.map(({ id, caseName, caseNo, since, assigned }) => (
          <li key={id} className="flex min-h-11 items-center gap-3.5 border-b border-line py-1">
            <CalendarOff className="size-5 flex-none text-ink-3" />
            <span className="min-w-0 grow">
              <Link to={paths.caseDetails(id)} className="block truncate font-medium">
                {caseName}
              </Link>
              <span className="block truncate text-note text-ink-2">
                {since ? `Nothing ahead since ${formatDay(since.slice(0, 10), 'short')}` : caseNo}
                {assigned && ` · ${nameOf(assigned)}`}
              </span>
            </span>
            <Button
              size="small"
              icon={Plus}
              aria-label={`Add date to ${caseName}`}
              onClick={() => onAdd({ id, label: caseName })}
            >
              Add date
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
