import type { DeadlineEntry } from '@matterdesk/contract/deadlines.ts';
import { formatDay } from '../../../ui/days.ts';
import type { Next } from '../rules.next.ts';
import { entryInWords, type Reader } from '../rules.ts';
import { PanelPart } from './PanelPart.tsx';

const MOMENT = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const SEAL = 4;

/** Who did and saw what, newest first; each entry seals the one before. */
export function DeadlineHistory(props: {
  history: readonly DeadlineEntry[];
  reader: Reader;
  /** Whether dates are kept from the reader. */
  isHidden: boolean;
  next: Next | undefined;
}) {
  return (
    <PanelPart
      title="History"
      aside={<span className="text-note text-ink-2">Each entry seals the one before</span>}
    >
      {props.next && !props.isHidden && (
        <p className="mb-2 grid grid-cols-[7.5rem_1fr] gap-x-3 border-b border-line pb-2 text-note font-medium">
          <span>
            Next{props.next.day === null ? '' : `, ${formatDay(props.next.day, 'short')}`}
          </span>
          <span>{props.next.words}</span>
        </p>
      )}
      <ol className="space-y-1.5">
        {props.history.map((entry) => (
          <li key={entry.hash} className="grid grid-cols-[7.5rem_1fr_auto] gap-x-3 text-note">
            <time dateTime={entry.at} className="text-ink-2 tabular-nums">
              {MOMENT.format(new Date(entry.at))}
            </time>
            <span className="wrap-anywhere">
              {entryInWords(entry, props.reader, props.isHidden)}
              {entry.reason && <span className="block text-ink-2">“{entry.reason}”</span>}
            </span>
            <span className="text-ink-3">{entry.hash.slice(0, SEAL)}</span>
          </li>
        ))}
      </ol>
    </PanelPart>
  );
}
