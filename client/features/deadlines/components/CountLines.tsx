import type { CountLine } from '@matterdesk/contract/court-rules.ts';
import { formatDay } from '../../../ui/days.ts';
import { PanelPart } from './PanelPart.tsx';

/** Every line of the computation. */
export function CountLines({ lines, date }: { lines: readonly CountLine[]; date: string }) {
  return (
    <PanelPart title="How the date was counted">
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-2">
        {lines.map((line) => (
          <div key={`${line.text} ${line.date}`} className="contents">
            <dt>
              {line.text}
              {line.authority && <span className="text-note text-ink-3"> · {line.authority}</span>}
            </dt>
            <dd className="text-right font-medium">{formatDay(line.date, 'weekday')}</dd>
          </div>
        ))}
        <dt className="border-t border-line pt-2 font-semibold">Due</dt>
        <dd className="border-t border-line pt-2 text-right font-semibold">{formatDay(date)}</dd>
      </dl>
    </PanelPart>
  );
}
