import type { Check } from '@matterdesk/contract/conflicts.ts';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShieldX from 'lucide-react/icons/shield-x';
import { fullName, momentInWords, outcomeNames } from '../rules.ts';

interface OutcomeBarProps {
  number: number;
  concluded: NonNullable<Check['concluded']>;
  today: string;
}

/** The outcome of a concluded check, in place of the form. */
export function OutcomeBar({ number, concluded, today }: OutcomeBarProps) {
  const { outcome, reason, by, at } = concluded;
  const isDeclined = outcome === 'declined';
  const Icon = isDeclined ? ShieldX : ShieldCheck;
  return (
    <section
      aria-label="Outcome"
      className="bottom-0 z-10 flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line-strong bg-surface px-4 py-3.5 sm:sticky sm:px-9"
    >
      <span
        className={`flex items-center gap-1.5 font-medium ${isDeclined ? 'text-red' : 'text-green'}`}
      >
        <Icon />
        {outcomeNames[outcome]}
      </span>
      <span className="wrap-anywhere">{reason}</span>
      <span className="ml-auto text-sm text-ink-2">
        {`${by ? fullName(by) : 'Matterdesk'}, ${momentInWords(at, today)} · record ${number}`}
      </span>
    </section>
  );
}
