import type { CountLine } from '@matterdesk/contract/court-rules.ts';
import { formatDay, useToday } from '../../../ui/days.ts';
import { PanelPart } from '../../../ui/PanelPart.tsx';
import { dayInWords } from '../rules.ts';

interface CountLinesProps {
  lines: readonly CountLine[];
  date: string;
  /** The rule behind it, with its version. */
  source: string | undefined;
}

/** Every line of the computation. */
export function CountLines({ lines, date, source }: CountLinesProps) {
  return (
    <PanelPart
      title="How the date was counted"
      aside={source !== undefined && <span className="text-note text-ink-2">{source}</span>}
    >
      <Lines lines={lines} />
      <p className="mt-2 flex justify-between border-t border-line pt-2 font-semibold">
        <span>Due</span>
        <span>{formatDay(date)}</span>
      </p>
    </PanelPart>
  );
}

export function Lines({ lines }: { lines: readonly CountLine[] }) {
  const today = useToday();
  return (
    <dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-4 gap-y-2">
      {lines.map((line) => (
        <div key={`${line.text} ${line.date}`} className="contents">
          <dt>
            {line.text}
            {line.authority && <span className="text-note text-ink-3"> · {line.authority}</span>}
          </dt>
          <dd className="text-right font-medium">{dayInWords(line.date, today)}</dd>
        </div>
      ))}
    </dl>
  );
}
