import { type Firm, IDLE_LEAST, IDLE_MOST } from '@matterdesk/contract/firm.ts';
import type { ReactNode } from 'react';
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Combobox } from '../../../ui/Combobox.tsx';
import { Field } from '../../../ui/Field.tsx';
import { RadioGroup } from '../../../ui/RadioGroup.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { minutesInWords, secondFactorOptions, zoneOptions } from '../rules.ts';

interface FieldsProps {
  form: UseFormReturn<Firm>;
}

/** The fields of all settings, by what they are for. */
export function FirmFields({ form }: FieldsProps) {
  return (
    <>
      <OfficeFields form={form} />
      <DeadlineFields form={form} />
      <FileFields form={form} />
      <SignInFields form={form} />
    </>
  );
}

function OfficeFields({ form }: FieldsProps) {
  const { errors, disabled } = form.formState;
  return (
    <Section title="Office" hint="The name is for forms and letters.">
      <Field label="Name" error={errors.name?.message} className="sm:col-span-2">
        <TextInput {...form.register('name')} autoComplete="organization" />
      </Field>
      <Controller
        control={form.control}
        name="timeZone"
        render={({ field }) => {
          const options = zoneOptions(field.value);
          return (
            <Field label="Time zone" error={errors.timeZone?.message}>
              <Combobox
                ref={field.ref}
                value={options.find(({ id }) => id === field.value) ?? null}
                onChange={(option) => option && field.onChange(option.id)}
                onBlur={field.onBlur}
                options={options}
                placeholder="Choose a time zone"
                disabled={disabled}
              />
            </Field>
          );
        }}
      />
      <Field
        label="Morning"
        error={errors.morning?.message}
        hint="When warnings and digests are sent"
      >
        <TextInput type="time" {...form.register('morning')} />
      </Field>
    </Section>
  );
}

function DeadlineFields({ form }: FieldsProps) {
  return (
    <Section title="Deadlines" hint="Who decides about hard deadlines.">
      <div className="sm:col-span-2">
        <Checkbox
          {...form.register('dualControl')}
          label="A second person decides"
          hint="A change of a hard deadline waits for someone other than its author."
        />
      </div>
    </Section>
  );
}

function FileFields({ form }: FieldsProps) {
  return (
    <Section title="Files" hint="What happens to new documents.">
      <div className="sm:col-span-2">
        <Checkbox
          {...form.register('trainUploads')}
          label="Train the AI on uploads"
          hint="Files can be searched and asked soon after they are uploaded."
        />
      </div>
    </Section>
  );
}

function SignInFields({ form }: FieldsProps) {
  const { errors } = form.formState;
  const words = minutesInWords(useWatch({ control: form.control, name: 'idleMinutes' }));
  return (
    <Section title="Sign-in" hint="How everyone signs in, and for how long.">
      <div className="sm:col-span-2">
        <RadioGroup
          legend="Second factor"
          options={secondFactorOptions}
          {...form.register('secondFactor')}
        />
      </div>
      <Field
        label="Minutes until a page locks"
        error={errors.idleMinutes?.message}
        hint={`${words && `${words}. `}Then it asks for the password again.`}
      >
        <TextInput
          type="number"
          min={IDLE_LEAST}
          max={IDLE_MOST}
          {...form.register('idleMinutes', { valueAsNumber: true })}
        />
      </Field>
    </Section>
  );
}

interface SectionProps {
  title: string;
  hint: string;
  children: ReactNode;
}

/** Its name and a line about it at the left, its fields at the right. */
function Section({ title, hint, children }: SectionProps) {
  return (
    <section className="grid gap-x-10 gap-y-3 border-t border-line py-4 lg:grid-cols-[14.75rem_minmax(0,40rem)]">
      <div>
        <h2 className="text-heading font-semibold">{title}</h2>
        <p className="mt-0.5 text-note text-ink-2">{hint}</p>
      </div>
      <div className="grid min-w-0 items-start gap-x-3 gap-y-4 sm:grid-cols-2">{children}</div>
    </section>
  );
}
