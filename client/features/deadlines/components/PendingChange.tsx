import type { Deadline } from '@matterdesk/contract/deadlines.ts';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { formatDay } from '../../../ui/days.ts';
import { decideChange } from '../api.ts';
import { nameOf, type Reader, waitsForDecision } from '../rules.ts';
import { PanelPart } from './PanelPart.tsx';

interface PendingChangeProps {
  deadline: Deadline;
  pending: NonNullable<Deadline['pending']>;
  reader: Reader;
}

const actions = {
  move: 'a move',
  complete: 'to complete it',
  vacate: 'to vacate it',
  reopen: 'to reopen it',
} as const;

/** The change that waits, with its reason, and the decision for those who may make it. */
export function PendingChange({ deadline, pending, reader }: PendingChangeProps) {
  const [busy, setBusy] = useState<'accept' | 'decline' | null>(null);
  const isMine = waitsForDecision(deadline, reader);
  const decide = (answer: 'accept' | 'decline') => {
    setBusy(answer);
    void decideChange(deadline.id, answer === 'accept')
      .catch(() => undefined)
      .finally(() => setBusy(null));
  };
  const to = pending.date === null ? actions[pending.action] : formatDay(pending.date);
  return (
    <PanelPart
      title={isMine ? 'Change waiting for you' : 'Change waiting'}
      aside={
        pending.date !== null && (
          <Chip tone="amber">{`${formatDay(deadline.effectiveDate, 'short')} rules until then`}</Chip>
        )
      }
    >
      <p>
        {pending.by.id === reader.id ? 'You propose' : `${nameOf(pending.by)} proposes`}{' '}
        <strong className="font-semibold">{to}</strong>
      </p>
      <p className="mt-1 font-serif wrap-anywhere">“{pending.reason}”</p>
      {pending.proof !== '' && <p className="mt-1 text-ink-2">Proof: {pending.proof}</p>}
      {isMine && (
        <div className="mt-3 flex gap-2">
          <Button busy={busy === 'accept'} onClick={() => decide('accept')}>
            Accept change
          </Button>
          <Button busy={busy === 'decline'} onClick={() => decide('decline')}>
            Decline
          </Button>
        </div>
      )}
    </PanelPart>
  );
}
