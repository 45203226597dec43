import {
  intakeRoles,
  type IntakeInputs,
  type IntakeRole,
  type NewIntake,
} from '@matterdesk/contract/intakes.ts';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useFieldArray, type UseFormReturn } from 'react-hook-form';
import type { NameCheck } from '../../../core/name-check.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { roleNames } from '../rules.ts';

const roles = intakeRoles
  .filter((role) => role !== 'client')
  .map((value) => ({ value, label: roleNames[value] }));

/** Other names, which the conflict check needs before the story. */
export function IntakeParties({
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
