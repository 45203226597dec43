import { cx } from '../../../ui/cx.ts';
import { dueInWords } from '../rules.ts';

const DUE_TONES = { plain: 'text-ink-2', amber: 'text-amber', red: 'text-red font-medium' } as const;

/** When the next step is due. */
export function DueMark({ dueAt, now }: { dueAt: string | null; now: Date }) {
  const due = dueInWords(dueAt, now);
  if (!due) return null;
  return <span className={cx('flex-none tabular-nums', DUE_TONES[due.tone])}>{due.words}</span>;
}
