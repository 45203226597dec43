import { useState } from 'react';
import { Link } from 'react-router';
import type { Conversation } from '@matterdesk/contract/messages.ts';
import { CallError } from '../../../api.ts';
import { nameOfUrl } from '../../../core/file-link.ts';
import { filedToCase } from '../../../core/filed.ts';
import { paths } from '../../../core/paths.ts';
import type { CaseField } from '../../../core/slots.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import type { Option } from '../../../ui/option.ts';
import { exportConversation } from '../api.ts';
import { nameOf } from '../rules.ts';

interface ExportDialogProps {
  contact: Conversation;
  own: string;
  /** The contact's case. */
  proposed: Option | null;
  caseField: CaseField;
  onClose: () => void;
}

/** Saves a transcript of a conversation to the files of a case, and links to it. */
export function ExportDialog(props: ExportDialogProps) {
  const { contact, own, proposed, onClose } = props;
  const dispatch = useAppDispatch();
  const [picked, setPicked] = useState<Option | null>();
  const matter = picked === undefined ? proposed : picked;
  const [error, setError] = useState<string>();
  const { isBusy, attempt } = useAttempt();
  const [done, setDone] = useState<{ url: string; matter: Option }>();
  if (done) return <Exported {...done} onClose={onClose} />;
  const submit = () => {
    if (!matter) return setError('Please select any case');
    const body = { from: own, to: contact.phoneNumber, caseId: matter.id };
    void attempt(body, async () => {
      try {
        const { url } = await exportConversation({ body });
        dispatch(filedToCase(matter.id));
        setDone({ url, matter });
      } catch (failure) {
        if (failure instanceof CallError) setError(failure.errors[0]?.message);
        throw failure;
      }
    });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Export conversation"
      subtitle={`With ${nameOf(contact)}, as a PDF with times, numbers and delivery status`}
      size="small"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isBusy}>
            Export
          </Button>
        </>
      }
    >
      <Field label="Case" error={error} hint="Saved with the case files.">
        <props.caseField
          value={matter}
          onChange={(option) => {
            setPicked(option);
            setError(undefined);
          }}
        />
      </Field>
    </Dialog>
  );
}

function Exported(props: { url: string; matter: Option; onClose: () => void }) {
  const name = nameOfUrl(props.url);
  return (
    <Dialog
      open
      onClose={props.onClose}
      title="Conversation exported"
      size="small"
      footer={<DialogClose />}
    >
      <p>
        <a href={props.url} target="_blank" rel="noreferrer" className="link">
          {name}
        </a>{' '}
        was saved to the files of{' '}
        <Link to={paths.caseDetails(props.matter.id)} className="link">
          {props.matter.label}
        </Link>
        .
      </p>
    </Dialog>
  );
}
