import type { Case } from '@matterdesk/contract/cases.ts';
import { cx } from '../../../ui/cx.ts';

const TONES: Record<Case['status'], string> = {
  'Pre-List': 'bg-ink-3',
  Litigation: 'bg-accent',
  ADR: 'bg-green',
};

/** The status of a case, with its icon. */
export function StatusMark({ status }: { status: Case['status'] }) {
  return (
    <span className="flex items-center gap-[7px] text-ink-2">
      <span aria-hidden="true" className={cx('size-[7px] flex-none rounded-full', TONES[status])} />
      <span className="truncate">{status}</span>
    </span>
  );
}
