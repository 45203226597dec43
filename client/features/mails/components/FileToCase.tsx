import { type SubmitEvent, useState } from 'react';
import type { MailDetail } from '@matterdesk/contract/mails.ts';
import type { CaseField } from '../../../core/slots.ts';
import { fullMoment } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import type { Option } from '../../../ui/option.ts';
import { useFileMail } from '../hooks/use-file-mail.ts';
import { subjectOf } from '../rules.ts';

interface FileToCaseProps {
  mail: MailDetail;
  caseField: CaseField;
  onClose: () => void;
}

/** Chooses the case to file a mail to; the proposed case is preselected. */
export function FileToCase({ mail, caseField: CaseField, onClose }: FileToCaseProps) {
  const { proposedCase } = mail;
  const [chosen, setChosen] = useState<Option | null>(
    proposedCase && { id: proposedCase.id, label: proposedCase.caseName },
  );
  const [error, setError] = useState<string>();
  const { isBusy, file } = useFileMail(mail);
  const handleSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!chosen) setError('Please select any case');
    else if (await file(chosen.id)) onClose();
  };
  const before = mail.filed.find((filed) => filed.case.id === chosen?.id);
  return (
    <Dialog
      open
      onClose={onClose}
      title="File to case"
      subtitle={subjectOf(mail.subject)}
      size="small"
      onSubmit={(event) => void handleSubmit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isBusy}>
            File to case
          </Button>
        </>
      }
    >
      <Field
        label="Case"
        error={error}
        hint={
          before
            ? `Already filed there ${fullMoment(before.at)}`
            : chosen !== null && chosen.id === proposedCase?.id
              ? `Proposed: ${proposedCase.reason}`
              : 'The email and its attachments are saved to the case’s E-mail folder.'
        }
      >
        <CaseField
          value={chosen}
          onChange={(option) => {
            setChosen(option);
            setError(undefined);
          }}
        />
      </Field>
    </Dialog>
  );
}
