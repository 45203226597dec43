import { useId, type Ref, useMemo, useRef } from 'react';
import { Controller, type FieldPath, useWatch } from 'react-hook-form';
import {
  caseTypes,
  DAYS_OPEN_MAX,
  statuses,
  statusTypes,
  type Person,
} from '@matterdesk/contract/cases.ts';
import type { Contact, PartyRole } from '@matterdesk/contract/contacts.ts';
import { FormField, SelectField, TextField } from '../../../core/fields.tsx';
import { fullName } from '../../../core/full-name.ts';
import { usePeople } from '../../../core/people.ts';
import type { ContactHints, NameCheck } from '../../../core/slots.ts';
import { humanize } from '../../../core/words.ts';
import { LAST_DAY } from '../../../ui/days.ts';
import { MultiSelect } from '../../../ui/MultiSelect.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import {
  type CaseForm,
  type CaseInputs,
  type CanBeEmpty,
  neverEmpty,
  type PartiesForm,
  type PartiesStep,
} from '../hooks/use-case-forms.ts';

const NO_PEOPLE: readonly Person[] = [];
const asOptionalNumber = {
  setValueAs: (value: string | number | null) =>
    value === '' || value === null ? null : Number(value),
};

type TextName = Exclude<FieldPath<CaseInputs>, `assignedUsers${string}`>;

interface CaseFieldsProps {
  form: CaseForm;
  /** Current members of the team; inactive ones can stay but not be added. */
  already?: readonly Person[];
  /** A remark on the SOL that is entered. */
  remarkOnSol?: (sol: string) => string | undefined;
  mayLack?: CanBeEmpty | undefined;
}

/** The fields of a case and its team. */
export function CaseFields(props: CaseFieldsProps) {
  const { form, already = NO_PEOPLE, remarkOnSol, mayLack = neverEmpty } = props;
  const { people } = usePeople();
  const attorneys = useId();
  const sol = useWatch({ control: form.control, name: 'SOL' });
  const field = (name: TextName) => ({ form, name, ...labelOf(name, mayLack) });
  return (
    <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
      <TextField {...field('caseName')} />
      <TextField {...field('caseNo')} />
      <SelectField
        {...field('statusType')}
        placeholder="Select status type"
        options={statusTypes}
        nullable
      />
      <SelectField {...field('status')} placeholder="Select status" options={statuses} nullable />
      <SelectField {...field('type')} placeholder="Select type" options={caseTypes} nullable />
      <TextField {...field('judge')} />
      <TextField {...field('dateOfOpening')} type="date" max={LAST_DAY} />
      <TextField {...field('managingAttorney')} list={attorneys} />
      <datalist id={attorneys}>
        {people
          .filter(({ active }) => active)
          .map((person) => (
            <option key={person.id} value={fullName(person)} />
          ))}
      </datalist>
      <TextField {...field('DOI')} hint="DOI (date of injury)" type="date" max={LAST_DAY} />
      <TextField {...field('SOL')} hint={remarkOnSol?.(sol)} type="date" max={LAST_DAY} />
      <DaysOpenField form={form} mayLack={mayLack} />
      <Controller
        control={form.control}
        name="assignedUsers"
        render={({ field }) => (
          <FormField form={form} name="assignedUsers" label={humanize(field.name)}>
            <TeamSelect {...field} already={already} />
          </FormField>
        )}
      />
    </div>
  );
}

/** The label of a field, which says whether the field may stay empty. */
function labelOf(name: string, mayLack: CanBeEmpty) {
  const optional = mayLack(name);
  return { label: humanize(name), optional, required: !optional };
}

function DaysOpenField({ form, mayLack }: { form: CaseForm; mayLack: CanBeEmpty }) {
  return (
    <FormField form={form} name="daysOpen" {...labelOf('daysOpen', mayLack)}>
      <TextInput
        type="number"
        inputMode="numeric"
        min={0}
        max={DAYS_OPEN_MAX}
        // Scrolling the dialog must not change the number.
        onWheel={(event) => event.currentTarget.blur()}
        {...form.register('daysOpen', asOptionalNumber)}
      />
    </FormField>
  );
}

interface TeamSelectProps {
  value: string[];
  onChange: (ids: string[]) => void;
  onBlur?: () => void;
  ref?: Ref<{ focus: () => void }>;
  /** Current members of the team; inactive ones can stay or be removed. */
  already: readonly Person[];
}

/** Adds active people to the team of a case, and removes them. */
function TeamSelect({ already, ...rest }: TeamSelectProps) {
  const { people, status } = usePeople();
  const options = useMemo(() => {
    const active = people.filter((person) => person.active);
    const ids = new Set(active.map(({ id }) => id));
    return [
      ...active.map((person) => ({ id: person.id, label: fullName(person), note: person.email })),
      ...already
        .filter(({ id }) => !ids.has(id))
        .map((person) => ({ id: person.id, label: fullName(person), note: 'Inactive' })),
    ];
  }, [people, already]);
  return <MultiSelect {...rest} options={options} loading={status === 'loading'} />;
}

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
  /** The intake being accepted; its own names are not hits. */
  intakeId?: string | undefined;
  /** If not, counsel may stay empty as a whole. */
  isCounselKnown?: boolean;
  mayLack?: CanBeEmpty | undefined;
  /** An existing contact was chosen; its fields are filled already. */
  onPick?: (member: Member, contact: Contact) => void;
}

/** The fields of the client and the opposing counsel. */
export function PartyFields({
  form,
  parts,
  intakeId,
  isCounselKnown = true,
  mayLack = neverEmpty,
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
