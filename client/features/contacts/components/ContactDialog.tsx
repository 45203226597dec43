import type { Contact, ContactCard } from '@matterdesk/contract/contacts.ts';
import { type SubmitEvent, useState } from 'react';
import { useForm } from 'react-hook-form';
import { showFieldErrors } from '../../../core/form.ts';
import { CallError } from '../../../api.ts';
import { useAppSelector } from '../../../core/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { addContact, changeContact } from '../api.ts';
import {
  type ContactForm,
  emptyForm,
  mattersToAsk,
  toContact,
  toForm,
  toPatch,
} from '../rules.form.ts';
import { ContactFields } from './ContactFields.tsx';
import { MattersToChange } from './MattersToChange.tsx';

interface ContactDialogProps {
  /** The contact to edit, with its matters; a new one without. */
  card?: ContactCard;
  onClose: () => void;
  onSaved: (contact: Contact) => void;
}

/** 'New Contact' or 'Edit Contact'. Sends only the changed fields, since others may edit it too. */
export function ContactDialog({ card, onClose, onSaved }: ContactDialogProps) {
  const [start] = useState(() => (card ? toForm(card.contact) : emptyForm));
  const [chosen, setChosen] = useState<string[]>([]);
  const form = useForm<ContactForm>({ defaultValues: start });
  const { isDirty, isSubmitting } = form.formState;
  const maySpread = useAppSelector(({ user }) => user.current?.permissions.createCases === true);
  const asked = card && maySpread ? mattersToAsk(toPatch(start, form.watch()), card.matters) : [];
  const save = (values: ContactForm) => {
    if (!card) return addContact(toContact(values));
    const ids = chosen.filter((id) => asked.some((matter) => matter.case.id === id));
    const patch = toPatch(start, values);
    return changeContact(
      card.contact.id,
      ids.length > 0 ? { ...patch, updateMatters: ids } : patch,
    );
  };
  const submit = form.handleSubmit(async (values) => {
    try {
      onSaved((await save(values)).contact);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      showFieldErrors(form, error);
    }
  });
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    // Errors of the server name lines by their place, so that empty lines go before it counts them.
    for (const name of ['otherNames', 'phoneNumbers', 'emails'] as const)
      form.setValue(
        name,
        form.getValues(name).filter((line) => line.trim() !== ''),
      );
    form.clearErrors();
    void submit(event);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={card ? 'Edit Contact' : 'New Contact'}
      {...(card && { subtitle: card.contact.name })}
      size="large"
      isDirty={isDirty}
      onSubmit={handleSubmit}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting}>
            {card ? 'Save' : 'Add contact'}
          </Button>
        </>
      }
    >
      <ContactFields form={form} {...(card && { ownId: card.contact.id })} />
      {asked.length > 0 && <MattersToChange matters={asked} chosen={chosen} onChange={setChosen} />}
    </Dialog>
  );
}
