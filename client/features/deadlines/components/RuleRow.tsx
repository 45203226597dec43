import type { Jurisdiction, Rule, RuleStep } from '@matterdesk/contract/court-rules.ts';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { signRule } from '../api.ts';
import { spanInWords } from '../rules.counting.ts';

interface RuleRowProps {
  rule: Rule;
  court: Jurisdiction | undefined;
  mayEdit: boolean;
  onEdit: () => void;
}

/** A rule with its steps, and whether someone of the firm has signed it. */
export function RuleRow({ rule, court, mayEdit, onEdit }: RuleRowProps) {
  const [isBusy, setIsBusy] = useState(false);
  const { id, name, trigger, version, reviewed } = rule;
  const sign = () => {
    setIsBusy(true);
    void signRule(id, !reviewed)
      .catch(() => undefined)
      .finally(() => setIsBusy(false));
  };
  return (
    <li className="border-b border-line py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{name}</span>
            <Chip tone={reviewed ? 'green' : 'amber'}>
              {reviewed ? 'Reviewed' : 'Not reviewed'}
            </Chip>
          </p>
          <p className="text-note text-ink-2">
            {court?.name ?? ''} · from {trigger} · version {version}
          </p>
        </div>
        {mayEdit && (
          <div className="flex gap-2">
            <Button size="small" busy={isBusy} onClick={sign} aria-label={signLabel(rule)}>
              {reviewed ? 'Withdraw review' : 'Sign as reviewed'}
            </Button>
            <Button size="small" onClick={onEdit} aria-label={`Edit ${name}`}>
              Edit
            </Button>
          </div>
        )}
      </div>
      <ul className="mt-1.5">
        {rule.steps.map((step) => (
          <Step key={`${step.title} ${step.count}`} step={step} />
        ))}
      </ul>
    </li>
  );
}

function signLabel({ name, reviewed }: Rule): string {
  return reviewed ? `Withdraw review of ${name}` : `Sign ${name} as reviewed`;
}

function Step({ step }: { step: RuleStep }) {
  return (
    <li className="text-sm">
      {step.title}: {spanInWords(step)}
      <span className="text-ink-3">
        {step.authority && ` · ${step.authority}`} · {step.hard ? 'hard' : 'soft'}
      </span>
    </li>
  );
}
