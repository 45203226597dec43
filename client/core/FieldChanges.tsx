import type { Change } from '@matterdesk/contract/cases.ts';
import { valueInWords } from './value-in-words.ts';

interface FieldChangesProps {
  changes: readonly Change[];
  className?: string;
}

/** Changed fields with their values before and after. */
export function FieldChanges({ changes, className }: FieldChangesProps) {
  return (
    <dl className={className}>
      {changes.map(({ field, label, kind, from, to }) => (
        <div
          key={field}
          className="grid grid-cols-2 gap-x-4 border-b border-line py-1.5 text-sm last:border-0 lg:grid-cols-[10rem_1fr_1fr]"
        >
          <dt className="col-span-2 text-ink-2 lg:col-span-1">{label}</dt>
          {from === null ? (
            <dd className="col-span-2 text-ink-3">Confidential</dd>
          ) : (
            <>
              <dd className="wrap-anywhere text-ink-3">
                {from === '' ? (
                  <span aria-label="Empty">–</span>
                ) : (
                  <del>{valueInWords(kind, from)}</del>
                )}
              </dd>
              <dd className="wrap-anywhere">
                {to ? valueInWords(kind, to) : <span aria-label="Empty">–</span>}
              </dd>
            </>
          )}
        </div>
      ))}
    </dl>
  );
}
