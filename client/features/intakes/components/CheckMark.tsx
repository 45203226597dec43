import Check from 'lucide-react/icons/check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import ShieldCheck from 'lucide-react/icons/shield-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { counted } from '../../../core/words.ts';
import { cx } from '../../../ui/cx.ts';

const line = 'flex items-center gap-1.5 text-xs';

/** Status of the conflict check. */
export function CheckMark({ check }: Pick<Intake, 'check'>) {
  if (check === null)
    return (
      <span className={cx(line, 'text-ink-2')}>
        <CircleDashed className="size-3.5 flex-none" />
        Not checked
      </span>
    );
  if (check.outcome !== null)
    return (
      <span className={cx(line, check.outcome === 'declined' ? 'text-red' : 'text-green')}>
        <ShieldCheck className="size-3.5 flex-none" />
        {check.outcome === 'declined' ? 'Conflict' : 'Cleared'}
      </span>
    );
  if (check.undecided === 0)
    return (
      <span className={cx(line, 'text-ink')}>
        <Check className="size-3.5 flex-none" />
        No undecided hits
      </span>
    );
  return (
    <span className={cx(line, 'text-amber')}>
      <TriangleAlert className="size-3.5 flex-none" />
      {`${counted(check.undecided, 'hit')} undecided`}
    </span>
  );
}
