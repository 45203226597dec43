import { Controller, type UseFormReturn } from 'react-hook-form';
import { Field } from '../../../ui/Field.tsx';
import { RadioGroup } from '../../../ui/RadioGroup.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { kindNames } from '../rules.ts';
import type { ContactForm } from '../rules.form.ts';
import { LinesField } from './LinesField.tsx';
import { LinksField } from './LinksField.tsx';

const kinds = Object.entries(kindNames).map(([value, label]) => ({ value, label }));
const lists = [
  { name: 'phoneNumbers', label: 'Phone numbers', item: 'Phone number', type: 'tel' },
  { name: 'emails', label: 'Emails', item: 'Email', type: 'email' },
  { name: 'otherNames', label: 'Other names', item: 'Other name', type: 'text' },
] as const;

interface ContactFieldsProps {
  form: UseFormReturn<ContactForm>;
  /** The contact itself, which cannot be linked to itself. */
  ownId?: string;
}

/** The fields of a contact: name first, then how to reach it. */
export function ContactFields({ form, ownId }: ContactFieldsProps) {
  const { control, register, formState, watch } = form;
  const { errors } = formState;
  const isPerson = watch('kind') === 'person';
  return (
    <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
      <Field label="Name" error={errors.name?.message} className={isPerson ? '' : 'sm:col-span-2'}>
        <TextInput autoComplete="off" {...register('name')} />
      </Field>
      {isPerson && (
        <Field label="Organization" error={errors.organisation?.message}>
          <TextInput autoComplete="off" {...register('organisation')} />
        </Field>
      )}
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
              errors={messagesOf(errors[name], field.value.length)}
            />
          )}
        />
      ))}
      <Field label="Address" error={errors.address?.message}>
        <TextArea rows={2} className="field-sizing-content" {...register('address')} />
      </Field>
      {isPerson && (
        <Field label="Date of birth" error={errors.dateOfBirth?.message}>
          <TextInput type="date" max="9999-12-31" {...register('dateOfBirth')} />
        </Field>
      )}
      <Controller
        control={control}
        name="links"
        render={({ field }) => (
          <LinksField value={field.value} onChange={field.onChange} ownId={ownId} />
        )}
      />
      <Field label="Notes" error={errors.notes?.message} className="sm:col-span-2">
        <TextArea {...register('notes')} />
      </Field>
    </div>
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
