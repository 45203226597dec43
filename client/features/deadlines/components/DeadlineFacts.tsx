import type { Deadline } from '@matterdesk/contract/deadlines.ts';
import type { ReactNode } from 'react';
import { fullName } from '../../../core/full-name.ts';
import { cx } from '../../../ui/cx.ts';
import { daysBetween, formatDay } from '../../../ui/days.ts';
import { proposedDate, timeInWords } from '../rules.ts';
import { Button } from '../../../ui/Button.tsx';
import { distanceInWords } from '../../../core/words.ts';

const SOON = 14;

interface DeadlineFactsProps {
  deadline: Deadline;
  today: string;
  /** Whether the date is kept from the reader until they ask for it. */
  isHidden: boolean;
  onShow: () => void;
}

/** Dates and people. */
export function DeadlineFacts({ deadline, today, isHidden, onShow }: DeadlineFactsProps) {
  const { effectiveDate, time, timeZone, workingDate, owner, second } = deadline;
  const days = daysBetween(today, effectiveDate);
  const proposed = proposedDate(deadline);
  const zone = timeZone.replace(/^.*\//, '').replaceAll('_', ' ');
  return (
    <dl className="mt-4 grid grid-cols-3 gap-x-4 gap-y-3">
      <Fact label="Due" isWide>
        {isHidden ? (
          <Button size="small" onClick={onShow}>
            Show date
          </Button>
        ) : (
          <>
            <span className="font-semibold">{formatDay(effectiveDate)}</span>
            <span
              className={cx(
                'block text-note font-normal',
                days < 0 ? 'text-red' : days <= SOON ? 'text-amber' : 'text-ink-2',
              )}
            >
              {proposed === undefined ? `${timeInWords(time)}, ${zone}` : 'in effect until decided'}
              , {distanceInWords(days)}
            </span>
            {proposed !== undefined && (
              <span className="block text-note font-normal text-amber">
                {`proposed ${formatDay(proposed)}`}
              </span>
            )}
          </>
        )}
      </Fact>
      <Fact label="Working date">{workingDate ? formatDay(workingDate, 'short') : 'None'}</Fact>
      <Fact label="Owner" note={deadline.acknowledged ? 'acknowledged' : undefined}>
        {owner ? fullName(owner) : 'None'}
      </Fact>
      <Fact label="Second">{second ? fullName(second) : 'None'}</Fact>
    </dl>
  );
}

interface FactProps {
  label: string;
  note?: string | undefined;
  /** Takes a line of its own. */
  isWide?: boolean;
  children: ReactNode;
}

function Fact(props: FactProps) {
  return (
    <div className={cx('min-w-0', props.isWide === true && 'col-span-full')}>
      <dt className="text-note text-ink-2">{props.label}</dt>
      <dd className="font-medium wrap-anywhere">
        {props.children}
        {props.note !== undefined && (
          <span className="block text-note font-normal text-ink-2">{props.note}</span>
        )}
      </dd>
    </div>
  );
}
