import { zodResolver } from '@hookform/resolvers/zod';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useMemo } from 'react';
import { type Resolver, useFieldArray, type UseFormReturn } from 'react-hook-form';
import { caseTypes } from '@matterdesk/contract/cases.ts';
import {
  NewIntakeSchema,
  type Intake,
  type IntakeInputs,
  type NewIntake,
  intakeRoles,
  type IntakeRole,
} from '@matterdesk/contract/intakes.ts';
import {
  DateField,
  FormField,
  SelectField,
  TextAreaField,
  TextField,
} from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { fullName, personOption } from '../../../core/full-name.ts';
import { useOthersChanges } from '../../../core/others-changes.ts';
import { usePeople } from '../../../core/people.ts';
import type { NameCheck } from '../../../core/slots.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useRead } from '../../../core/use-read.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { toLocalInput } from '../../../ui/local-input.ts';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { addIntake, changeIntake, readSettings } from '../api.ts';
import { changesOf, fromLocalInput, roleNames } from '../rules.ts';

interface IntakeDialogProps {
  /** The intake to edit; a new one without. */
  intake?: Intake;
  nameCheck?: NameCheck;
  onClose: () => void;
  onSaved: (intake: Intake) => void;
}

const asOwner = { setValueAs: (value: string) => value || undefined };

const validate = zodResolver(NewIntakeSchema);
/** Validates what will be sent: instants, not the local times of the inputs. */
const resolve: Resolver<IntakeInputs, unknown, NewIntake> = (values, ...rest) => {
  const { dueAt, consultAt } = values;
  const instants = {
    ...(dueAt !== undefined && { dueAt: fromLocalInput(dueAt) }),
    ...(consultAt !== undefined && { consultAt: fromLocalInput(consultAt) }),
  };
  return validate({ ...values, ...instants }, ...rest);
};

/** 'New Intake': names first, then the story. Enter saves from every line, so that no mouse is needed. */
export function IntakeDialog({ intake, nameCheck: Check, onClose, onSaved }: IntakeDialogProps) {
  const { data } = useRead(readSettings);
  const me = useAppSelector(({ user }) => user.current?.id);
  const people = usePeople()
    .people.filter(({ active }) => active)
    .map(personOption);
  const now = useMemo(() => (intake ? toInputs(intake) : null), [intake]);
  const save = async (values: NewIntake, idempotencyKey: string) => {
    if (!intake) return addIntake({ body: values, idempotencyKey });
    const body = changesOf(intake, values);
    if (Object.keys(body).length === 0) return { intake };
    return changeIntake({ params: { id: intake.id }, body });
  };
  const saving = useSave<IntakeInputs, NewIntake>(resolve, now ?? blank, async (values, key) =>
    onSaved((await save(values, key)).intake),
  );
  const { form } = saving;
  useOthersChanges(form, now, intake?.owner ? { owner: fullName(intake.owner) } : {});
  return (
    <FormDialog
      saving={saving}
      title={intake ? 'Edit intake' : 'New Intake'}
      submit={intake ? 'Save' : 'Add intake'}
      onClose={onClose}
    >
      <div className="sm:col-span-2">
        <TextField form={form} name="name" label="Name" />
        {Check && <Check name={form.watch('name')} partyRole="client" />}
      </div>
      <TextField form={form} name="phoneNumber" label="Phone" type="tel" nullable />
      <TextField
        form={form}
        name="email"
        label="Email"
        type="email"
        hint="Phone or email: one is enough."
        nullable
      />
      <IntakeParties form={form} nameCheck={Check} />
      <TextAreaField form={form} name="description" label="What happened" rows={4} wide />
      <SelectField
        form={form}
        name="type"
        label="Type"
        placeholder="Unknown"
        options={caseTypes}
        nullable
      />
      <SelectField
        form={form}
        name="source"
        label="Source"
        placeholder="Unknown"
        options={sourcesOf(data?.settings.sources, intake?.source)}
        nullable
      />
      <DateField form={form} name="DOI" label="DOI" nullable />
      <DateField form={form} name="SOL" label="SOL" nullable />
      <FormField form={form} name="owner" label="Owner">
        <Select
          placeholder={!intake ? 'You' : intake.owner ? 'No change' : 'No owner'}
          options={intake ? people : people.filter(({ value }) => value !== me)}
          {...form.register('owner', asOwner)}
        />
      </FormField>
      <TextField form={form} name="address" label="Address" nullable />
      {intake && (
        <>
          <TextField form={form} name="nextStep" label="Next step" />
          <FormField form={form} name="dueAt" label="Due">
            <TextInput type="datetime-local" {...form.register('dueAt')} />
          </FormField>
          <FormField form={form} name="consultAt" label="Consultation">
            <TextInput type="datetime-local" {...form.register('consultAt')} />
          </FormField>
        </>
      )}
    </FormDialog>
  );
}

function sourcesOf(known: string[] = [], own?: string | null): string[] {
  return own && !known.includes(own) ? [...known, own] : known;
}

const blank: IntakeInputs = {
  name: '',
  phoneNumber: null,
  email: null,
  parties: [],
  description: '',
  type: null,
  source: null,
  DOI: null,
  SOL: null,
  address: null,
  owner: undefined,
};

function toInputs(intake: Intake): IntakeInputs {
  const { name, phoneNumber, email, parties, type, source, DOI, SOL, address, owner } = intake;
  const known = { name, phoneNumber, email, parties, type, source, DOI, SOL, address };
  return Object.assign(known, {
    description: intake.description ?? '',
    owner: owner?.id,
    nextStep: intake.nextStep ?? '',
    dueAt: toLocalInput(intake.dueAt),
    consultAt: toLocalInput(intake.consultAt),
  });
}

const roles = intakeRoles
  .filter((role) => role !== 'client')
  .map((value) => ({ value, label: roleNames[value] }));

/** Other names, which the conflict check needs before the story. */
function IntakeParties({
  form,
  nameCheck: Check,
}: {
  form: UseFormReturn<IntakeInputs, unknown, NewIntake>;
  nameCheck: NameCheck | undefined;
}) {
  const { control, register, formState } = form;
  const { errors } = formState;
  const typed = form.watch('parties') ?? [];
  const parties = useFieldArray({ control, name: 'parties' });
  return (
    <fieldset className="sm:col-span-2">
      <legend className="mb-[5px] text-sm font-medium">Others involved</legend>
      {parties.fields.map((field, index) => (
        <div key={field.id} className="mb-2 flex items-start gap-2">
          <div className="min-w-0 grow">
            <Field label={`Name ${index + 1}`} error={errors.parties?.[index]?.name?.message}>
              <TextInput autoComplete="off" {...register(`parties.${index}.name`)} />
            </Field>
            {Check && (
              <Check name={typed[index]?.name ?? ''} partyRole={typed[index]?.role ?? null} />
            )}
          </div>
          <Field label="Role" className="w-40">
            <Select placeholder="Role" options={roles} {...register(`parties.${index}.role`)} />
          </Field>
          <IconButton
            label={`Remove name ${index + 1}`}
            icon={X}
            variant="quiet"
            className="mt-6"
            onClick={() => parties.remove(index)}
          />
        </div>
      ))}
      <Button
        size="small"
        icon={Plus}
        onClick={() => parties.append({ name: '', role: 'opposingParty' satisfies IntakeRole })}
      >
        Add a name
      </Button>
    </fieldset>
  );
}
