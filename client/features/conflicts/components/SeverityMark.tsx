import type { Severity } from '@matterdesk/contract/conflicts.ts';
import { cx } from '../../../ui/cx.ts';
import { severityNames } from '../rules.ts';

/** Severity of a hit, in a word; filled with ink where it cannot be passed over silently. */
export function SeverityMark({ severity }: { severity: Severity | 'hidden' }) {
  return (
    <span
      className={cx(
        'inline-flex h-[22px] items-center rounded-full border px-2 text-xs font-medium',
        severity === 'direct'
          ? 'border-ink bg-ink text-paper'
          : severity === 'related' || severity === 'known' || severity === 'mention'
            ? 'border-transparent bg-sunken text-ink-2'
            : 'border-line-strong text-ink',
      )}
    >
      {severityNames[severity]}
    </span>
  );
}
