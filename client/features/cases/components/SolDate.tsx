import type { Case } from '@matterdesk/contract/cases.ts';
import { cx } from '../../../ui/cx.ts';
import { formatDay } from '../../../ui/days.ts';
import { limitationOf } from '../rules.ts';

/** The statute of limitations of a case, with the days left when it is near. */
export function SolDate({
  of,
  today,
}: {
  of: Pick<Case, 'SOL' | 'statusType'>;
  /** The user's local day. */
  today: string;
}) {
  const limitation = limitationOf(of, today);
  return (
    <>
      <time dateTime={of.SOL} className="block tabular-nums">
        {formatDay(of.SOL)}
      </time>
      {limitation && (
        <span
          className={cx(
            'block text-xs/[1.125rem] font-medium',
            limitation.tone === 'red' ? 'text-red' : 'text-amber',
          )}
        >
          {limitation.words}
        </span>
      )}
    </>
  );
}
