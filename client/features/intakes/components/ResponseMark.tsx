import Check from 'lucide-react/icons/check';
import Clock3 from 'lucide-react/icons/clock-3';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { cx } from '../../../ui/cx.ts';
import { clockOf, dueInWords } from '../rules.ts';

const TONES = {
  neutral: 'text-ink',
  amber: 'text-amber',
  red: 'text-red font-medium',
  green: 'text-green',
} as const;

const line = 'flex items-center gap-1.5 text-xs';

/** Time left to respond, in words and by color. */
export function ResponseMark({ intake, now }: { intake: Intake; now: Date }) {
  const { tone, words } = clockOf(intake, now);
  const Icon = tone === 'green' ? Check : Clock3;
  return (
    <span className={cx(line, TONES[tone])}>
      <Icon className="size-3.5 flex-none" />
      <span className="min-w-0 truncate">{words}</span>
    </span>
  );
}

const DUE_TONES = {
  plain: 'text-ink-2',
  amber: 'text-amber',
  red: 'text-red font-medium',
} as const;

/** When the next step is due. */
export function DueMark({ dueAt, now }: { dueAt: string | null; now: Date }) {
  const due = dueInWords(dueAt, now);
  if (!due) return null;
  return <span className={cx('flex-none tabular-nums', DUE_TONES[due.tone])}>{due.words}</span>;
}
