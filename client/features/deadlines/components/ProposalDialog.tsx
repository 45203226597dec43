import type { Proposal } from '@matterdesk/contract/proposals.ts';
import { type SubmitEvent, useState } from 'react';
import { CallError } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { formatDay } from '../../../ui/days.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { decideProposal } from '../api.ts';
import { nameOf } from '../rules.ts';
import { proposalInWords } from '../rules.proposals.ts';
import { Lines } from './CountLines.tsx';

type Item = Proposal['items'][number];

/** Which deadlines follow what moved; the rest stays, for a reason. */
export function ProposalDialog(props: { proposal: Proposal; onClose: () => void }) {
  const { proposal, onClose } = props;
  const { items, by } = proposal;
  const open = items.filter(({ status }) => status === 'open');
  const mine = open.filter(({ canDecide }) => canDecide);
  const [accept, setAccept] = useState<readonly string[]>([]);
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const isPartial = accept.length < mine.length;
  const decide = async () => {
    setIsBusy(true);
    try {
      await decideProposal(proposal.id, { accept: [...accept], reason });
      onClose();
    } catch (problem) {
      if (!(problem instanceof CallError)) throw problem;
      setError(problem.errors.find(({ path }) => path === 'reason')?.message);
    } finally {
      setIsBusy(false);
    }
  };
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void decide();
  };
  const toggle = (id: string) =>
    setAccept((before) =>
      before.includes(id) ? before.filter((other) => other !== id) : [...before, id],
    );
  const count = accept.length === 1 ? '1 deadline' : `${accept.length} deadlines`;
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={proposalInWords(proposal)}
      subtitle={`${by ? `${nameOf(by)} changed it. ` : ''}Nothing has moved yet: choose which deadlines follow.`}
      isDirty={accept.length > 0 || reason !== ''}
      onSubmit={handleSubmit}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isBusy}>
            {accept.length > 0 ? `Move ${count}` : 'Keep all dates'}
          </Button>
        </>
      }
    >
      <ul>
        {open.map((item) => (
          <ItemRow
            key={item.deadline.id}
            item={item}
            isTicked={accept.includes(item.deadline.id)}
            onToggle={() => toggle(item.deadline.id)}
          />
        ))}
      </ul>
      {isPartial && (
        <Field label="Reason why the others stay" error={error} className="mt-4">
          <TextArea value={reason} onChange={({ target }) => setReason(target.value)} />
        </Field>
      )}
    </Dialog>
  );
}

function ItemRow(props: { item: Item; isTicked: boolean; onToggle: () => void }) {
  const { deadline, from, to, lines, canDecide } = props.item;
  const { title, hard } = deadline;
  const label = (
    <>
      <span className="font-medium">{title}</span>
      <span className="text-ink-2"> · {hard ? 'hard' : 'soft'}</span>
      <span className="block tabular-nums">
        {formatDay(from)} → {to === null ? 'vacated' : formatDay(to)}
      </span>
    </>
  );
  return (
    <li className="border-b border-line py-2.5">
      <Checkbox
        label={label}
        hint={
          canDecide
            ? deadline.case?.caseName
            : hard
              ? 'Another person decides about this one'
              : 'Its second or an editor of the calendar decides'
        }
        checked={props.isTicked}
        disabled={!canDecide}
        onChange={props.onToggle}
      />
      {lines.length > 0 && (
        <details className="mt-1.5 ml-6.5">
          <summary className="cursor-pointer text-note text-accent-ink">How it was counted</summary>
          <Lines lines={lines} />
        </details>
      )}
    </li>
  );
}
