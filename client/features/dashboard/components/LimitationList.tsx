import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { cx } from '../../../ui/cx.ts';
import { daysBetween, distanceInWords, formatDay } from '../../../ui/days.ts';
import { type BriefCase, isUrgent } from '../rules.ts';
import { LongList } from './LongList.tsx';

/** Statutes of limitations as a list, soonest first. */
export function LimitationList(props: { limitations: readonly BriefCase[]; today: string }) {
  return (
    <LongList items={props.limitations} most={6}>
      {(limitation) => {
        const days = daysBetween(props.today, limitation.SOL);
        return (
          <li key={limitation.id}>
            <Link
              to={paths.caseDetails(limitation.id)}
              className="flex min-h-[46px] items-center justify-between gap-6 border-b border-line py-1.5 hover:bg-hover"
            >
              <span className="min-w-0 truncate font-medium">{limitation.caseName}</span>
              <span className="flex-none text-right tabular-nums">
                <span className="max-sm:block">{formatDay(limitation.SOL)}</span>{' '}
                <span
                  className={cx('text-note sm:ml-3', isUrgent(days) ? 'text-red' : 'text-amber')}
                >
                  {distanceInWords(days)}
                </span>
              </span>
            </Link>
          </li>
        );
      }}
    </LongList>
  );
}
