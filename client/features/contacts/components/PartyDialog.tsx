import { useMemo, useState } from 'react';
import type { NewParty, Party, PartyRole } from '@matterdesk/contract/contacts.ts';
import { FormField, SelectField, TextField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { useOthersChanges } from '../../../core/others-changes.ts';
import { roleNames, roleOptions } from '../../../core/party-roles.ts';
import type { NameCheck } from '../../../core/slots.ts';
import type { Option } from '../../../ui/option.ts';
import { RadioGroup } from '../../../ui/RadioGroup.tsx';
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

/** 'Add party' or 'Change party': a contact and its role. */
export function PartyDialog({ caseId, party, nameCheck: Check, onClose }: PartyDialogProps) {
  const start = useMemo(() => startOf(party), [party]);
  const saving = useSave<PartyForm, PartyForm>(null, start, async (values, key) => {
    const body = toBody(values);
    await (party
      ? changeParty({ params: { id: caseId, partyId: party.id }, body })
      : addParty({ params: { id: caseId }, body, idempotencyKey: key }));
    onClose();
  });
  const { form } = saving;
  useOthersChanges(form, party ? start : null, party && wordsOf(party));
  const [picked, setPicked] = useState<Option | null>(null);
  const { from, contactId, role, contact } = form.watch();
  const saved = party && { id: party.contact.id, label: party.contact.name };
  const chosen = [picked, saved].find((option) => option?.id === contactId) ?? null;
  const name = from === 'new' ? contact.name : (chosen?.label ?? '');
  const check = <Check name={name} partyRole={role || null} caseId={caseId} />;
  return (
    <FormDialog
      saving={saving}
      title={party ? 'Change party' : 'Add party'}
      submit={party ? 'Save' : 'Add party'}
      onClose={onClose}
    >
      <div className="sm:col-span-2">
        <RadioGroup legend="Who" options={sources} {...form.register('from')} />
      </div>
      {from === 'existing' ? (
        <div className="sm:col-span-2">
          <FormField form={form} name="contactId" label="Contact">
            <ContactDropdown
              value={chosen}
              onChange={(option) => {
                setPicked(option);
                form.setValue('contactId', option?.id ?? '', { shouldDirty: true });
              }}
            />
          </FormField>
          {check}
        </div>
      ) : (
        <>
          <div className="sm:col-span-2">
            <TextField form={form} name="contact.name" label="Name" />
            {check}
          </div>
          <div className="sm:col-span-2">
            <RadioGroup legend="Kind" options={kinds} {...form.register('contact.kind')} />
          </div>
          <TextField form={form} name="contact.phone" label="Phone number" type="tel" />
          <TextField form={form} name="contact.email" label="Email" type="email" />
        </>
      )}
      <SelectField
        form={form}
        name="role"
        label="Role"
        placeholder="Select a role"
        options={roleOptions}
      />
      <TextField form={form} name="note" label="Note" />
    </FormDialog>
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

const wordsOf = ({ contact, role }: Party) => ({ contactId: contact.name, role: roleNames[role] });

/** The server says what is missing. */
function toBody({ from, contactId, role, note, contact }: PartyForm): NewParty {
  const shared = { role: role as PartyRole, note };
  if (from === 'existing') return { ...shared, contactId };
  const { kind, name, phone, email } = contact;
  const phoneNumbers = phone.trim() === '' ? [] : [phone];
  const emails = email.trim() === '' ? [] : [email];
  return { ...shared, contact: toContact({ ...emptyForm, kind, name, phoneNumbers, emails }) };
}
