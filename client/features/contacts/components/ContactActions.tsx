import type { ContactCard } from '@matterdesk/contract/contacts.ts';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Mail from 'lucide-react/icons/mail';
import MessageCircle from 'lucide-react/icons/message-circle';
import Pencil from 'lucide-react/icons/pencil';
import { lazy, Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { CallError } from '../../../api.ts';
import { paths } from '../../../core/paths.ts';
import { textable } from '../../../core/textable.ts';
import { buttonClass } from '../../../ui/button-class.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { deleteContact } from '../api.ts';

const ContactDialog = lazy(async () => ({
  default: (await import('./ContactDialog.tsx')).ContactDialog,
}));
const MergeDialog = lazy(async () => ({
  default: (await import('./MergeDialog.tsx')).MergeDialog,
}));

/** What can be done with a contact: write to it, change, merge and delete it. */
export function ContactActions({ card, mayWrite }: { card: ContactCard; mayWrite: boolean }) {
  const { contact } = card;
  const [dialog, setDialog] = useState<'edit' | 'merge' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const number = contact.phoneNumbers.map(textable).find((found) => found !== undefined);
  const [email] = contact.emails;
  return (
    <>
      {number !== undefined && (
        <Link to={paths.messagesWith(number)} className={buttonClass()}>
          <MessageCircle />
          Text
        </Link>
      )}
      {email !== undefined && (
        <a href={`mailto:${email}`} className={buttonClass()}>
          <Mail />
          Email
        </a>
      )}
      {mayWrite && (
        <>
          <Button icon={Pencil} onClick={() => setDialog('edit')}>
            Edit
          </Button>
          <MenuButton
            label="More actions"
            icon={Ellipsis}
            entries={[
              { label: 'Merge with another contact', onSelect: () => setDialog('merge') },
              'line',
              { label: 'Delete contact', tone: 'red', onSelect: () => setDialog('delete') },
            ]}
          />
        </>
      )}
      <Suspense>
        {dialog === 'edit' && <ContactDialog card={card} onClose={close} onSaved={close} />}
        {dialog === 'merge' && <MergeDialog contact={contact} other={null} onClose={close} />}
      </Suspense>
      <DeleteQuestion card={card} isOpen={dialog === 'delete'} onClose={close} />
    </>
  );
}

interface DeleteQuestionProps {
  card: ContactCard;
  isOpen: boolean;
  onClose: () => void;
}

function DeleteQuestion({ card: { contact }, isOpen, onClose }: DeleteQuestionProps) {
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const run = async () => {
    setIsBusy(true);
    try {
      await deleteContact(contact.id);
      void navigate(paths.contacts);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      onClose();
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <ConfirmDialog
      open={isOpen}
      title={`Delete ${contact.name}?`}
      confirmLabel="Delete contact"
      busy={isBusy}
      onClose={onClose}
      onConfirm={() => void run()}
    >
      Only a contact without matters, intakes and links can be deleted.
    </ConfirmDialog>
  );
}
