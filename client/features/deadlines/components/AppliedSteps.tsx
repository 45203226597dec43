import type { Rule, RuleStep } from '@matterdesk/contract/court-rules.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { formatDay } from '../../../ui/days.ts';
import { Lines } from './CountLines.tsx';
import { countedDate } from '../slice.ts';

interface AppliedStepsProps {
  rule: Rule;
  date: string;
  /** Days that replace those of the steps. */
  service: number | undefined;
  /** Places of the steps that are not wanted. */
  left: ReadonlySet<number>;
  onToggle: (place: number) => void;
}

/** The dates that a rule gives, each with its lines and warnings. */
export function AppliedSteps({ rule, date, service, left, onToggle }: AppliedStepsProps) {
  return (
    <section aria-label="Dates" className="mt-5">
      <h3 className="font-semibold">Dates</h3>
      <ul>
        {rule.steps.map((step, place) => (
          <Step
            key={JSON.stringify(step)}
            step={{ ...step, service: service ?? step.service }}
            jurisdiction={rule.jurisdiction}
            date={date}
            isWanted={!left.has(place)}
            onToggle={() => onToggle(place)}
          />
        ))}
      </ul>
    </section>
  );
}

function Step(props: {
  step: RuleStep;
  jurisdiction: string;
  date: string;
  isWanted: boolean;
  onToggle: () => void;
}) {
  const { step, jurisdiction, date } = props;
  const { count, unit, direction, roll, service } = step;
  const asked = { jurisdiction, date, count, unit, direction, roll, service };
  const { data, failure } = useResource(countedDate, asked);
  const label = (
    <>
      <span className="font-medium">{step.title}</span>
      <span className="text-ink-2"> · {step.hard ? 'hard' : 'soft'}</span>
    </>
  );
  return (
    <li className="border-b border-line py-2.5">
      <div className="flex items-start justify-between gap-4">
        <Checkbox
          label={label}
          hint={step.authority || undefined}
          checked={props.isWanted}
          onChange={props.onToggle}
        />
        <strong className="font-semibold tabular-nums">
          {data ? formatDay(data.date) : (failure?.message ?? '…')}
        </strong>
      </div>
      {data?.warnings.map((warning) => (
        <p key={warning} className="mt-1 ml-6.5 text-note text-amber">
          {warning}
        </p>
      ))}
      {data && (
        <details className="mt-1.5 ml-6.5">
          <summary className="cursor-pointer text-note text-accent-ink">How it was counted</summary>
          <Lines lines={data.lines} />
        </details>
      )}
    </li>
  );
}
