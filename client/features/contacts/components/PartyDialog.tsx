import type { NewParty, Party, PartyRole } from '@matterdesk/contract/contacts.ts';
import { type SubmitEvent, useState } from 'react';
import { useForm } from 'react-hook-form';
import { CallError } from '../../../api.ts';
import { showFieldErrors } from '../../../core/form.ts';
import type { NameCheck } from '../../../core/name-check.ts';
import { roleOptions } from '../../../core/party-roles.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import type { Option } from '../../../ui/option.ts';
import { RadioGroup } from '../../../ui/RadioGroup.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { addParty, changeParty } from '../api.ts';
import { emptyForm, toContact } from '../rules.form.ts';
import { kindNames } from '../rules.ts';
import { ContactDropdown } from './ContactDropdown.tsx';

interface PartyDialogProps {
  caseId: string;
  /** The party to change; a new one without. */
  party?: Party;
  nameCheck: NameCheck;
  onClose: () => void;
}

type PartyForm = {
  from: 'existing' | 'new';
  /** The id of an existing contact. */
  contactId: string;
  role: PartyRole | '';
  note: string;
  contact: { kind: 'person' | 'organisation'; name: string; phone: string; email: string };
};

const sources = [
  { value: 'existing', label: 'An existing contact' },
  { value: 'new', label: 'A new contact' },
];
const kinds = Object.entries(kindNames).map(([value, label]) => ({ value, label }));

/** 'Add Party' or 'Change Party': a contact and its role. */
export function PartyDialog({ caseId, party, nameCheck: Check, onClose }: PartyDialogProps) {
  const form = useForm<PartyForm>({ defaultValues: startOf(party) });
  const [chosen, setChosen] = useState<Option | null>(
    party ? { id: party.contact.id, label: party.contact.name } : null,
  );
  const { register, formState, watch, setValue } = form;
  const { errors, isDirty, isSubmitting } = formState;
  const { from, role, contact } = watch();
  const submit = form.handleSubmit(async (values) => {
    try {
      const body = toBody(values);
      await (party ? changeParty(caseId, party.id, body) : addParty(caseId, body));
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      showFieldErrors(form, error);
    }
  });
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    form.clearErrors();
    void submit(event);
  };
  const name = from === 'new' ? contact.name : (chosen?.label ?? '');
  const check = <Check name={name} partyRole={role || null} caseId={caseId} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={party ? 'Change Party' : 'Add Party'}
      isDirty={isDirty}
      onSubmit={handleSubmit}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting}>
            {party ? 'Save' : 'Add party'}
          </Button>
        </>
      }
    >
      <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        <div className="sm:col-span-2">
          <RadioGroup legend="Who" options={sources} {...register('from')} />
        </div>
        {from === 'existing' ? (
          <div className="sm:col-span-2">
            <Field label="Contact" error={errors.contactId?.message}>
              <ContactDropdown
                value={chosen}
                onChange={(option) => {
                  setChosen(option);
                  setValue('contactId', option?.id ?? '', { shouldDirty: true });
                }}
              />
            </Field>
            {check}
          </div>
        ) : (
          <>
            <div className="sm:col-span-2">
              <Field label="Name" error={errors.contact?.name?.message}>
                <TextInput autoComplete="off" {...register('contact.name')} />
              </Field>
              {check}
            </div>
            <div className="sm:col-span-2">
              <RadioGroup legend="Kind" options={kinds} {...register('contact.kind')} />
            </div>
            <Field label="Phone number">
              <TextInput type="tel" autoComplete="off" {...register('contact.phone')} />
            </Field>
            <Field label="Email">
              <TextInput type="email" autoComplete="off" {...register('contact.email')} />
            </Field>
          </>
        )}
        <Field label="Role" error={errors.role?.message}>
          <Select placeholder="Select a role" options={roleOptions} {...register('role')} />
        </Field>
        <Field label="Note" error={errors.note?.message}>
          <TextInput autoComplete="off" {...register('note')} />
        </Field>
      </div>
    </Dialog>
  );
}

function startOf(party: Party | undefined): PartyForm {
  return {
    from: 'existing',
    contactId: party?.contact.id ?? '',
    role: party?.role ?? '',
    note: party?.note ?? '',
    contact: { kind: 'person', name: '', phone: '', email: '' },
  };
}

/** The server says what is missing. */
function toBody({ from, contactId, role, note, contact }: PartyForm): NewParty {
  const shared = { role: role as PartyRole, note };
  if (from === 'existing') return { ...shared, contactId };
  const { kind, name, phone, email } = contact;
  const phoneNumbers = phone.trim() === '' ? [] : [phone];
  const emails = email.trim() === '' ? [] : [email];
  return { ...shared, contact: toContact({ ...emptyForm, kind, name, phoneNumbers, emails }) };
}
