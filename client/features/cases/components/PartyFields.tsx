import { useRef } from 'react';
import { type FieldPath, useWatch } from 'react-hook-form';
import type { Contact, PartyRole } from '@matterdesk/contract/contacts.ts';
import type { ContactHints } from '../../../core/contact-hints.ts';
import { FormField, TextField } from '../../../core/fields.tsx';
import type { NameCheck } from '../../../core/name-check.ts';
import { humanize } from '../../../core/words.ts';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import {
  type MayLack,
  nothing,
  type PartiesForm,
  type PartiesStep,
} from '../hooks/use-case-forms.ts';

type Name = Extract<FieldPath<PartiesStep>, `${string}.${string}`>;

type Member = 'clientInfo' | 'opposingCounselInfo';

/** Helpers beside the names of a new case. */
export interface NameParts {
  contactHints: ContactHints;
  nameCheck: NameCheck;
}

interface PartyFieldsProps {
  form: PartiesForm;
  parts?: NameParts | undefined;
  /** Whose own names are no hits. */
  intakeId?: string | undefined;
  /** If not, counsel may stay empty as a whole. */
  isCounselKnown?: boolean;
  mayLack?: MayLack | undefined;
  /** An existing contact was chosen; its fields are filled already. */
  onPick?: (member: Member, contact: Contact) => void;
}

/** The fields of the client and the opposing counsel. */
export function PartyFields({
  form,
  parts,
  intakeId,
  isCounselKnown = true,
  mayLack = nothing,
  onPick,
}: PartyFieldsProps) {
  const field = (name: Name) => {
    const isKnown = isCounselKnown || !name.startsWith('opposingCounselInfo');
    const optional = mayLack(name);
    return { form, name, optional, required: isKnown && !optional };
  };
  const named = (member: Member, role: PartyRole) =>
    parts ? (
      <Named
        {...field(`${member}.name`)}
        partyRole={role}
        parts={parts}
        intakeId={intakeId}
        onPick={(contact) => {
          fill(form, member, contact);
          onPick?.(member, contact);
        }}
      />
    ) : (
      <Line {...field(`${member}.name`)} />
    );
  return (
    <div className="grid gap-6">
      <fieldset className={GROUP}>
        <Legend>Client Info</Legend>
        {named('clientInfo', 'client')}
        <Line {...field('clientInfo.phoneNumber')} type="tel" />
        <Line {...field('clientInfo.email')} type="email" />
        <Lines {...field('clientInfo.address')} />
      </fieldset>
      <fieldset className={GROUP}>
        <Legend>Opposing Counsel Info</Legend>
        <Line {...field('opposingCounselInfo.organization')} />
        {named('opposingCounselInfo', 'opposingCounsel')}
        <Line {...field('opposingCounselInfo.phoneNumber')} type="tel" />
        <Line {...field('opposingCounselInfo.email')} type="email" />
        <Lines {...field('opposingCounselInfo.address')} isWide />
      </fieldset>
    </div>
  );
}

const GROUP = 'grid gap-x-5 gap-y-4 sm:grid-cols-2';

function Legend({ children }: { children: string }) {
  return <legend className="mb-3 text-heading font-semibold">{children}</legend>;
}

interface PartyFieldProps {
  form: PartiesForm;
  name: Name;
  type?: 'text' | 'tel' | 'email';
  required: boolean;
  optional: boolean;
}

function Line({ type = 'text', ...field }: PartyFieldProps) {
  return <TextField {...field} label={partyLabelOf(field.name)} type={type} />;
}

interface NamedProps {
  form: PartiesForm;
  name: Name;
  partyRole: PartyRole;
  parts: NameParts;
  intakeId: string | undefined;
  required: boolean;
  optional: boolean;
  onPick: (contact: Contact) => void;
}

/** A name that offers existing contacts, and says what it matches. */
function Named({ form, name, partyRole, parts, ...props }: NamedProps) {
  const { intakeId, required, optional, onPick } = props;
  const { contactHints: Hints, nameCheck: Check } = parts;
  const value = useWatch({ control: form.control, name });
  const input = useRef<HTMLInputElement>(null);
  const { ref, ...registered } = form.register(name);
  return (
    <div className="min-w-0">
      <FormField {...{ form, name, required, optional }} label={partyLabelOf(name)}>
        <TextInput
          autoComplete="off"
          {...registered}
          ref={(element) => {
            input.current = element;
            ref(element);
          }}
        />
      </FormField>
      <Check name={value} partyRole={partyRole} {...(intakeId && { intakeId })} />
      <Hints name={value} input={input} onPick={onPick} />
    </div>
  );
}

/** Fills what the contact says; the rest stays as typed. */
function fill(form: PartiesForm, member: Member, contact: Contact): void {
  const { name, phoneNumbers, emails, address, organisation } = contact;
  const options = { shouldDirty: true, shouldValidate: form.formState.isSubmitted };
  form.setValue(`${member}.name`, name, options);
  if (phoneNumbers[0]) form.setValue(`${member}.phoneNumber`, phoneNumbers[0], options);
  if (emails[0]) form.setValue(`${member}.email`, emails[0], options);
  if (address) form.setValue(`${member}.address`, address, options);
  if (member === 'opposingCounselInfo' && organisation)
    form.setValue(`${member}.organization`, organisation, options);
}

function Lines({ isWide = false, ...field }: PartyFieldProps & { isWide?: boolean }) {
  const { form, name } = field;
  return (
    <FormField {...field} label={partyLabelOf(name)} wide={isWide}>
      <TextArea rows={1} className="field-sizing-content" {...form.register(name)} />
    </FormField>
  );
}

/** Without the party's name, which the legend shows. */
function partyLabelOf(name: Name): string {
  return humanize(name.slice(name.indexOf('.') + 1));
}
