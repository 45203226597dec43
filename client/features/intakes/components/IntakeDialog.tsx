import { zodResolver } from '@hookform/resolvers/zod';
import { caseTypes } from '@matterdesk/contract/cases.ts';
import {
  NewIntakeSchema,
  type Intake,
  type IntakeInputs,
  type NewIntake,
  intakeRoles,
  type IntakeRole,
} from '@matterdesk/contract/intakes.ts';
import { useForm, useFieldArray, type UseFormReturn } from 'react-hook-form';
import { CallError } from '../../../api.ts';
import { showFieldErrors } from '../../../core/form.ts';
import type { NameCheck } from '../../../core/name-check.ts';
import { usePeople } from '../../../core/people.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import { useRead } from '../../../core/use-read.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { addIntake, changeIntake, readSettings } from '../api.ts';
import { fromLocalInput, toLocalInput, roleNames } from '../rules.ts';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { IconButton } from '../../../ui/IconButton.tsx';

interface IntakeDialogProps {
  /** The intake to edit; a new one without. */
  intake?: Intake;
  nameCheck?: NameCheck;
  onClose: () => void;
  onSaved: (intake: Intake) => void;
}

const orNull = { setValueAs: (value: string | null) => value || null };
const asInstant = { setValueAs: fromLocalInput };

/** 'New Intake': names first, then the story. Enter saves from every line, so that no mouse is needed. */
export function IntakeDialog({ intake, nameCheck: Check, onClose, onSaved }: IntakeDialogProps) {
  const withKey = useClickKey();
  const { data } = useRead(readSettings);
  const people = usePeople()
    .people.filter(({ active }) => active)
    .map(({ id, firstName, lastName }) => ({ value: id, label: `${firstName} ${lastName}` }));
  const form = useForm<IntakeInputs, unknown, NewIntake>({
    defaultValues: intake ? toInputs(intake) : blank,
    resolver: zodResolver(NewIntakeSchema),
  });
  const { register, formState } = form;
  const { errors, isDirty, isSubmitting } = formState;
  const submit = form.handleSubmit(async (values) => {
    try {
      const saved = await (intake
        ? changeIntake(intake.id, values)
        : withKey(values, (key) => addIntake(values, key)));
      onSaved(saved);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      showFieldErrors(form, error);
    }
  });
  const saving = intake ? 'Save' : 'Add intake';
  return (
    <Dialog
      open
      onClose={onClose}
      title={intake ? 'Edit intake' : 'New Intake'}
      isDirty={isDirty}
      onSubmit={(event) => void submit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting}>
            {saving}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <div className="sm:col-span-2">
          <Field label="Name" error={errors.name?.message}>
            <TextInput autoComplete="off" {...register('name')} />
          </Field>
          {Check && <Check name={form.watch('name')} partyRole="client" />}
        </div>
        <Field label="Phone" error={errors.phoneNumber?.message}>
          <TextInput type="tel" autoComplete="off" {...register('phoneNumber', orNull)} />
        </Field>
        <Field label="Email" error={errors.email?.message} hint="Phone or email: one is enough.">
          <TextInput type="email" autoComplete="off" {...register('email', orNull)} />
        </Field>
        <IntakeParties form={form} nameCheck={Check} />
        <Field label="What happened" error={errors.description?.message} className="sm:col-span-2">
          <TextArea rows={4} {...register('description')} />
        </Field>
        <Field label="Type" error={errors.type?.message}>
          <Select placeholder="Unknown" options={caseTypes} {...register('type', orNull)} />
        </Field>
        <Field label="Source" error={errors.source?.message}>
          <Select
            placeholder="Unknown"
            options={sourcesOf(data?.settings.sources, intake?.source)}
            {...register('source', orNull)}
          />
        </Field>
        <Field label="DOI" error={errors.DOI?.message}>
          <TextInput type="date" {...register('DOI', orNull)} />
        </Field>
        <Field label="SOL" error={errors.SOL?.message}>
          <TextInput type="date" {...register('SOL', orNull)} />
        </Field>
        <Field label="Owner" error={errors.owner?.message}>
          <Select
            placeholder="You"
            options={people}
            {...register('owner', { setValueAs: (value: string) => value || undefined })}
          />
        </Field>
        <Field label="Address" error={errors.address?.message}>
          <TextInput autoComplete="off" {...register('address', orNull)} />
        </Field>
        {intake && (
          <>
            <Field label="Next step" error={errors.nextStep?.message}>
              <TextInput autoComplete="off" {...register('nextStep')} />
            </Field>
            <Field label="Due" error={errors.dueAt?.message}>
              <TextInput type="datetime-local" {...register('dueAt', asInstant)} />
            </Field>
            <Field label="Consultation" error={errors.consultAt?.message}>
              <TextInput type="datetime-local" {...register('consultAt', asInstant)} />
            </Field>
          </>
        )}
      </div>
    </Dialog>
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
