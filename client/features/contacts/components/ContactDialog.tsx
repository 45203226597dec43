import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useMemo, useState, useRef } from 'react';
import { flushSync } from 'react-dom';
import { Controller } from 'react-hook-form';
import { NOT_FILED } from '@matterdesk/contract/cases.ts';
import type {
  Contact,
  ContactCard,
  ContactPatch,
  MatterOfContact,
  Relation,
} from '@matterdesk/contract/contacts.ts';
import { FormField, TextAreaField, TextField } from '../../../core/fields.tsx';
import { type Form, useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { useOthersChanges } from '../../../core/others-changes.ts';
import { roleNames } from '../../../core/party-roles.ts';
import { useMay } from '../../../core/store.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { LAST_DAY } from '../../../ui/days.ts';
import { RadioGroup } from '../../../ui/RadioGroup.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { addContact, changeContact } from '../api.ts';
import {
  type ContactForm,
  emptyForm,
  mattersToAsk,
  toContact,
  toForm,
  toPatch,
} from '../rules.form.ts';
import { kindNames, relationOptions } from '../rules.ts';
import { ContactDropdown } from './ContactDropdown.tsx';

interface ContactDialogProps {
  /** The contact to edit, with its matters; a new one without. */
  card?: ContactCard;
  onClose: () => void;
  onSaved: (contact: Contact) => void;
}

/** 'New contact' or 'Edit contact'. Sends only the changed fields, since others may edit it too. */
export function ContactDialog({ card, onClose, onSaved }: ContactDialogProps) {
  const contact = card?.contact;
  const now = useMemo(() => (contact ? toForm(contact) : null), [contact]);
  const latest = now ?? emptyForm;
  const [chosen, setChosen] = useState<string[]>([]);
  const maySpread = useMay('createCases');
  const mattersFor = (patch: ContactPatch) =>
    card && maySpread ? mattersToAsk(patch, card.matters) : [];
  const save = async (values: ContactForm, idempotencyKey: string) => {
    if (!card) return addContact({ body: toContact(values), idempotencyKey });
    const patch = toPatch(latest, values);
    const ids = mattersFor(patch).map((matter) => matter.case.id);
    const ticked = chosen.filter((id) => ids.includes(id));
    const spread = ticked.length > 0 && { updateMatters: ticked };
    if (Object.keys(patch).length === 0) return card;
    return changeContact({ params: { id: card.contact.id }, body: { ...patch, ...spread } });
  };
  const saving = useSave<ContactForm, ContactForm>(null, latest, async (values, key) =>
    onSaved((await save(values, key)).contact),
  );
  const { form } = saving;
  useOthersChanges(form, now);
  const asked = mattersFor(toPatch(latest, form.watch()));
  const submit: typeof saving.submit = (event) => {
    // Drop empty lines before sending, since the server's errors refer to lines by index.
    for (const name of ['otherNames', 'phoneNumbers', 'emails'] as const)
      form.setValue(
        name,
        form.getValues(name).filter((line) => line.trim() !== ''),
      );
    saving.submit(event);
  };
  return (
    <FormDialog
      saving={{ ...saving, submit }}
      title={card ? 'Edit contact' : 'New contact'}
      subtitle={card?.contact.name}
      submit={card ? 'Save' : 'Add contact'}
      size="large"
      onClose={onClose}
    >
      <ContactFields form={form} {...(card && { ownId: card.contact.id })} />
      {asked.length > 0 && <MattersToChange matters={asked} chosen={chosen} onChange={setChosen} />}
    </FormDialog>
  );
}

interface MattersToChangeProps {
  matters: readonly MatterOfContact[];
  /** Ids of cases. */
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}

/** Asks which matters take the change of a contact too; none is ticked. */
function MattersToChange({ matters, chosen, onChange }: MattersToChangeProps) {
  return (
    <fieldset className="mt-2 rounded-card border border-line px-4 pt-2 pb-3 sm:col-span-2">
      <legend className="px-1 text-sm font-medium">Also change these matters?</legend>
      <p className="mb-2 text-sm text-ink-2">
        Matters keep their own copy. Those you tick take the change where they said the same.
      </p>
      {matters.map(({ case: { id, caseName, caseNo }, role }) => (
        <Checkbox
          key={`${id} ${role}`}
          label={caseName}
          hint={`${caseNo ?? NOT_FILED} · ${roleNames[role]}`}
          checked={chosen.includes(id)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
          }
        />
      ))}
    </fieldset>
  );
}

const kinds = Object.entries(kindNames).map(([value, label]) => ({ value, label }));
const lists = [
  { name: 'phoneNumbers', label: 'Phone numbers', item: 'Phone number', type: 'tel' },
  { name: 'emails', label: 'Emails', item: 'Email', type: 'email' },
  { name: 'otherNames', label: 'Other names', item: 'Other name', type: 'text' },
] as const;

interface ContactFieldsProps {
  form: Form<ContactForm, ContactForm>;
  /** The contact itself, which cannot be linked to itself. */
  ownId?: string;
}

/** The fields of a contact: name first, then how to reach it. */
function ContactFields({ form, ownId }: ContactFieldsProps) {
  const { control, register, formState, watch } = form;
  const { errors } = formState;
  const isPerson = watch('kind') === 'person';
  return (
    <>
      <TextField form={form} name="name" label="Name" wide={!isPerson} />
      {isPerson && <TextField form={form} name="organisation" label="Organization" />}
      <div className="sm:col-span-2">
        <RadioGroup legend="Kind" options={kinds} {...register('kind')} />
      </div>
      {lists.map(({ name, ...texts }) => (
        <Controller
          key={name}
          control={control}
          name={name}
          render={({ field }) => (
            <LinesField
              {...texts}
              value={field.value}
              onChange={field.onChange}
              error={errors[name]?.message}
              errors={messagesOf(errors[name], field.value.length)}
            />
          )}
        />
      ))}
      <FormField form={form} name="address" label="Address">
        <TextArea rows={2} className="field-sizing-content" {...form.register('address')} />
      </FormField>
      {isPerson && (
        <TextField
          form={form}
          name="dateOfBirth"
          label="Date of birth"
          type="date"
          max={LAST_DAY}
        />
      )}
      <TextField form={form} name="fax" label="Fax" type="tel" wide={!isPerson} />
      <TextField form={form} name="letterName" label="Name in letters" hint="Such as Ms. Abara" />
      <TextField form={form} name="salutation" label="Salutation" hint="Such as Dear Dr. Ng" />
      <Controller
        control={control}
        name="links"
        render={({ field }) => (
          <LinksField
            value={field.value}
            onChange={field.onChange}
            error={errors.links?.message}
            ownId={ownId}
          />
        )}
      />
      <TextAreaField form={form} name="notes" label="Notes" wide />
    </>
  );
}

/** The message of each line, by its place. */
function messagesOf(
  errors: readonly ({ message?: string } | undefined)[] | { message?: string } | undefined,
  count: number,
): (string | undefined)[] {
  const lines = Array.isArray(errors) ? (errors as ({ message?: string } | undefined)[]) : [];
  return Array.from({ length: count }, (_, index) => lines[index]?.message);
}

type Links = ContactForm['links'];

interface LinksFieldProps {
  value: Links;
  onChange: (links: Links) => void;
  error: string | undefined;
  ownId: string | undefined;
}

/** Other contacts and what they are to this one; a link shows on both. */
function LinksField({ value, onChange, error, ownId }: LinksFieldProps) {
  return (
    <fieldset className="min-w-0 sm:col-span-2">
      <legend className="mb-[5px] text-sm font-medium">Linked contacts</legend>
      <div className="grid gap-1.5">
        {value.map(({ contact, relation }, at) => (
          <div key={contact.id} className="flex items-center gap-2">
            <span className="min-w-0 grow truncate">{contact.name}</span>
            <Select
              aria-label={`What ${contact.name} is`}
              className="w-44 flex-none"
              placeholder="Relation"
              options={relationOptions}
              value={relation}
              onChange={({ target }) =>
                onChange(value.toSpliced(at, 1, { contact, relation: target.value as Relation }))
              }
            />
            <IconButton
              label={`Remove the link to ${contact.name}`}
              icon={X}
              variant="quiet"
              size="small"
              onClick={() => onChange(value.toSpliced(at, 1))}
            />
          </div>
        ))}
        <ContactDropdown
          aria-label="Link a contact"
          placeholder="Link a contact"
          value={null}
          without={[...value.map(({ contact }) => contact.id), ownId ?? '']}
          onChange={(option) => {
            if (option === null) return;
            const contact = { id: option.id, name: option.label };
            onChange([...value, { contact, relation: 'other' }]);
          }}
        />
        <Message>{error}</Message>
      </div>
    </fieldset>
  );
}

/** Why a line, or all of them, cannot be saved yet. */
function Message({ children }: { children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <p role="alert" className="mt-1 text-note/[1.125rem] text-red">
      {children}
    </p>
  );
}

/** Most lines that a contact keeps. */
const MAX_LINES = 20;

interface LinesFieldProps {
  label: string;
  /** One of them, such as 'Phone number'. */
  item: string;
  type: 'text' | 'tel' | 'email';
  value: readonly string[];
  onChange: (lines: string[]) => void;
  /** A message about all of them. */
  error: string | undefined;
  /** Messages by the place of their line. */
  errors: readonly (string | undefined)[];
}

/** A list of short texts, the main one first; without any there is an empty line to type in. */
function LinesField(props: LinesFieldProps) {
  const { label, item, type, value, onChange, error, errors } = props;
  const box = useRef<HTMLFieldSetElement>(null);
  const lines = value.length === 0 ? [''] : value;
  const inputs = () => [...(box.current?.querySelectorAll('input') ?? [])];
  const handleAdd = () => {
    flushSync(() => onChange([...lines, '']));
    inputs().at(-1)?.focus();
  };
  const handleRemove = (at: number) => {
    flushSync(() => onChange(lines.toSpliced(at, 1)));
    inputs()[Math.max(0, at - 1)]?.focus();
  };
  return (
    <fieldset ref={box} className="min-w-0">
      <legend className="mb-[5px] text-sm font-medium">{label}</legend>
      <div className="grid gap-1.5">
        {lines.map((line, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a line is known by its place
          <div key={at}>
            <div className="flex items-center gap-1">
              <TextInput
                type={type}
                id={`${type}-${item}-${at}`.replaceAll(' ', '-')}
                aria-label={at === 0 ? `${item}, main` : `${item} ${at + 1}`}
                aria-invalid={errors[at] === undefined ? undefined : true}
                autoComplete="off"
                value={line}
                onChange={({ target }) => onChange(lines.toSpliced(at, 1, target.value))}
              />
              {(lines.length > 1 || line !== '') && (
                <IconButton
                  label={`Remove ${item.toLowerCase()} ${at + 1}`}
                  icon={X}
                  variant="quiet"
                  size="small"
                  onClick={() => handleRemove(at)}
                />
              )}
            </div>
            <Message>{errors[at]}</Message>
          </div>
        ))}
      </div>
      <Message>{error}</Message>
      {lines.length < MAX_LINES && lines.at(-1) !== '' && (
        <Button variant="quiet" size="small" icon={Plus} className="mt-1" onClick={handleAdd}>
          {`Add ${item.toLowerCase()}`}
        </Button>
      )}
    </fieldset>
  );
}
