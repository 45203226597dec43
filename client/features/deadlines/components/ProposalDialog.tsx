import type { Proposal } from '@matterdesk/contract/proposals.ts';
import { TextAreaField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { fullName } from '../../../core/full-name.ts';
import { counted } from '../../../core/words.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { formatDay } from '../../../ui/days.ts';
import { decideProposal } from '../api.ts';
import { proposalInWords } from '../rules.ts';
import { Lines } from './CountLines.tsx';

type Item = Proposal['items'][number];
type Decision = { accept: string[]; reason: string };

/** Which deadlines follow what moved; the rest stays, for a reason. */
export function ProposalDialog(props: { proposal: Proposal; onClose: () => void }) {
  const { proposal, onClose } = props;
  const { items, by } = proposal;
  const open = items.filter(({ status }) => status === 'open');
  const mine = open.filter(({ canDecide }) => canDecide);
  const blank = { accept: [], reason: '' };
  const saving = useSave<Decision, Decision>(null, blank, async (body) => {
    await decideProposal({ params: { id: proposal.id }, body });
    onClose();
  });
  const { form } = saving;
  const accept = form.watch('accept');
  const toggle = (id: string) => {
    const others = accept.filter((other) => other !== id);
    const next = others.length < accept.length ? others : [...accept, id];
    form.setValue('accept', next, { shouldDirty: true });
  };
  const count = counted(accept.length, 'deadline');
  return (
    <FormDialog
      saving={saving}
      size="large"
      title={proposalInWords(proposal)}
      subtitle={`${by ? `${fullName(by)} changed it. ` : ''}Nothing has moved yet: choose which deadlines follow.`}
      submit={accept.length > 0 ? `Move ${count}` : 'Keep all dates'}
      onClose={onClose}
    >
      <ul className="sm:col-span-2">
        {open.map((item) => (
          <ItemRow
            key={item.deadline.id}
            item={item}
            isTicked={accept.includes(item.deadline.id)}
            onToggle={() => toggle(item.deadline.id)}
          />
        ))}
      </ul>
      {accept.length < mine.length && (
        <TextAreaField form={form} name="reason" label="Reason why the others stay" wide />
      )}
    </FormDialog>
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
              : 'The second person or a calendar editor decides'
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
