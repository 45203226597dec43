import { useFirm } from '../../core/use-firm.ts';
import { useAppSelector } from '../../core/store.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { zodResolver } from '@hookform/resolvers/zod';
import { type Firm, FirmPatchSchema, IDLE_LEAST, IDLE_MOST } from '@matterdesk/contract/firm.ts';
import { type Resolver, useForm, Controller, type UseFormReturn, useWatch } from 'react-hook-form';
import { showFieldErrors } from '../../core/form.ts';
import { LeaveQuestion } from '../../core/LeaveQuestion.tsx';
import { Button } from '../../ui/Button.tsx';
import { changeFirm } from './api.ts';
import { patchOf, minutesInWords, secondFactorOptions, zoneOptions } from './rules.ts';
import type { ReactNode } from 'react';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Combobox } from '../../ui/Combobox.tsx';
import { Field } from '../../ui/Field.tsx';
import { RadioGroup } from '../../ui/RadioGroup.tsx';
import { TextInput } from '../../ui/TextInput.tsx';

/** The settings of the whole firm, which admins change. */
export function FirmPage() {
  const { data, status, failure, refresh } = useFirm();
  const isAdmin = useAppSelector((state) => state.user.current?.role === 'admin');
  return (
    <>
      <PageHeader title="Firm">
        {isAdmin ? 'Settings for everyone.' : 'Only admins change these settings.'}
      </PageHeader>
      <div className="px-4 pt-5 pb-9 sm:px-9">
        {data ? (
          <FirmForm firm={data} isAdmin={isAdmin} onSaved={refresh} />
        ) : failure ? (
          <ErrorState
            title="Couldn’t load the settings"
            detail={failure.message}
            busy={status === 'loading'}
            onRetry={refresh}
          />
        ) : (
          <div className="animate-delayed space-y-5 border-t border-line pt-5">
            {['h-28', 'h-16', 'h-32'].map((height) => (
              <Skeleton key={height} className={`${height} w-full`} />
            ))}
          </div>
        )}
      </div>
    </>
  );
}

interface FirmFormProps {
  firm: Firm;
  isAdmin: boolean;
  onSaved: () => void;
}

const validate = zodResolver(FirmPatchSchema);

/** All settings in one form, which keeps what is typed when another admin saves. */
function FirmForm({ firm, isAdmin, onSaved }: FirmFormProps) {
  const form = useForm<Firm>({
    values: firm,
    disabled: !isAdmin,
    resetOptions: { keepDirtyValues: true },
    // Only what changed is sent, so only that is checked.
    resolver: (async (values, context, options) => {
      const { errors } = await validate(patchOf(firm, values), context, options as never);
      return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
    }) as Resolver<Firm>,
  });
  const { isDirty, isSubmitting } = form.formState;
  const handleSubmit = form.handleSubmit(async (values) => {
    const patch = patchOf(firm, values);
    if (Object.keys(patch).length === 0) return;
    try {
      form.reset(await changeFirm(patch));
      onSaved();
    } catch (error) {
      showFieldErrors(form, error);
    }
  });
  return (
    <form noValidate onSubmit={(event) => void handleSubmit(event)}>
      <FirmFields form={form} />
      {isAdmin && (
        <div className="flex flex-wrap items-center gap-3 border-t border-line pt-4">
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Save changes
          </Button>
          {isDirty && !isSubmitting && (
            <Button onClick={() => form.reset(firm)}>Discard changes</Button>
          )}
          {isDirty && <p className="text-note text-ink-2">Not saved yet</p>}
        </div>
      )}
      <LeaveQuestion isDirty={isDirty} />
    </form>
  );
}

interface FieldsProps {
  form: UseFormReturn<Firm>;
}

/** The fields of all settings, by what they are for. */
function FirmFields({ form }: FieldsProps) {
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
          hint="New files are searchable, and ready for questions, shortly after upload."
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
