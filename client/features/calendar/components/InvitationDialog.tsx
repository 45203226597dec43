import { type SubmitEvent, useState } from 'react';
import { eventKinds, type EventKind } from '@matterdesk/contract/calendar.ts';
import type { MailDetail } from '@matterdesk/contract/mails.ts';
import type { CaseField } from '../../../core/case-field.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import type { Option } from '../../../ui/option.ts';
import { Select } from '../../../ui/Select.tsx';
import { kindLabels } from '../rules.ts';
import { useTaking } from './use-taking.ts';

interface InvitationDialogProps {
  mail: MailDetail;
  title: string;
  caseField: CaseField;
  onTaken: () => void;
  onClose: () => void;
}

const kinds = eventKinds.map((value) => ({ value, label: kindLabels[value] }));

/** Where the event of an invitation belongs; the proposed matter is selected. */
export function InvitationDialog(props: InvitationDialogProps) {
  const { mail, title, caseField: Case, onTaken, onClose } = props;
  const { proposedCase } = mail;
  const [matter, setMatter] = useState<Option | null>(
    proposedCase && { id: proposedCase.id, label: proposedCase.caseName },
  );
  const [kind, setKind] = useState<EventKind>('meeting');
  const [isPrivate, setIsPrivate] = useState(false);
  const { isBusy, take } = useTaking(mail.id, onTaken);
  const handleSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await take({ case: matter?.id ?? null, kind, private: isPrivate && !matter })) onClose();
  };
  return (
    <Dialog
      open
      onClose={() => !isBusy && onClose()}
      size="small"
      title="Add to calendar"
      subtitle={title}
      onSubmit={(event) => void handleSubmit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isBusy}>
            Add
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Field label="Matter" hint={proposedCase ? `Proposed: ${proposedCase.reason}` : undefined}>
          <Case value={matter} onChange={setMatter} />
        </Field>
        <Field label="Kind">
          <Select
            placeholder="Select a kind"
            options={kinds}
            value={kind}
            onChange={({ target }) =>
              setKind(eventKinds.find((name) => name === target.value) ?? 'meeting')
            }
          />
        </Field>
        {matter === null && (
          <Field label="Private">
            <Checkbox
              label="Others see only that you are busy"
              checked={isPrivate}
              onChange={({ target }) => setIsPrivate(target.checked)}
            />
          </Field>
        )}
      </div>
    </Dialog>
  );
}
