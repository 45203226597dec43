import { type SubmitEvent, useState } from 'react';
import { Link } from 'react-router';
import { eventInvitationRoutes } from '@matterdesk/contract/calendar-exchange.ts';
import { mutation } from '../../../core/mutation.ts';
import { paths } from '../../../core/paths.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { counted } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { nameOf, questionInWords, unsentInWords, type GuestQuestion } from '../rules.guests.ts';

interface GuestDialogProps {
  question: GuestQuestion;
  onClose: () => void;
}

/** 'Send the change to 2 guests?' */
export function GuestDialog({ question, onClose }: GuestDialogProps) {
  const { event, guests } = question;
  const isConnected = useAppSelector(({ user }) => user.current?.googleRefreshToken != null);
  const [text, setText] = useState('');
  const { isBusy, send } = useSendInvitations(question);
  const handleSubmit = async (submitted: SubmitEvent) => {
    submitted.preventDefault();
    if (isConnected && (await send(text))) onClose();
  };
  return (
    <Dialog
      open
      onClose={() => !isBusy && onClose()}
      size="small"
      title={questionInWords(question)}
      subtitle={event.title}
      isDirty={text !== ''}
      onSubmit={(submitted) => void handleSubmit(submitted)}
      footer={
        <>
          <DialogClose>Don’t send</DialogClose>
          {isConnected && (
            <Button type="submit" variant="primary" busy={isBusy}>
              Send
            </Button>
          )}
        </>
      }
    >
      <p className="wrap-anywhere">{guests.map(nameOf).join(', ')}</p>
      {isConnected ? (
        <div className="mt-4">
          <Field label="Message" hint="Each guest gets an email that names no other guest.">
            <TextArea value={text} onChange={({ target }) => setText(target.value)} />
          </Field>
        </div>
      ) : (
        <p className="mt-3 text-ink-2">
          Emails to guests leave from your own Google account.{' '}
          <Link className="link" to={paths.emails}>
            Connect Google
          </Link>
        </p>
      )}
    </Dialog>
  );
}

/** `send` resolves to whether the request succeeded, even if some of its mails could not be sent. */
function useSendInvitations({ event, guests }: GuestQuestion) {
  const { isBusy, attempt } = useAttempt();
  const send = (text: string): Promise<boolean> => {
    const body = { guests: guests.map(({ email }) => email), text };
    return attempt(body, async (idempotencyKey) => {
      const sent = await inviteGuests({ params: { id: event.id }, body, idempotencyKey });
      const unsent = unsentInWords(sent, guests);
      if (unsent === null) toast.success(`Sent to ${counted(guests.length, 'guest')}`);
      else toast.error(unsent);
    });
  };
  return { isBusy, send };
}

/** Sends an event, its change or its cancellation to guests. */
const inviteGuests = mutation(eventInvitationRoutes.inviteGuests, 'Couldn’t send the invitations', {
  toasts: 'errors',
});
