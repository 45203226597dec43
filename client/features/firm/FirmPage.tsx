import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useEffect } from 'react';
import { type Resolver, useWatch } from 'react-hook-form';
import { Link } from 'react-router';
import {
  type Firm,
  FirmPatchSchema,
  IDLE_MINUTES_MIN,
  IDLE_MINUTES_MAX,
} from '@matterdesk/contract/firm.ts';
import { changedMembers } from '../../core/changed-members.ts';
import { CheckboxField, NumberField, TextAreaField, TextField } from '../../core/fields.tsx';
import { type Form, resetToSaved, useSave } from '../../core/form.ts';
import { LeaveQuestion } from '../../core/LeaveQuestion.tsx';
import { paths } from '../../core/paths.ts';
import { Pending } from '../../core/Pending.tsx';
import { useAppSelector } from '../../core/store.ts';
import { TimeZoneField } from '../../core/TimeZoneField.tsx';
import { useFirm } from '../../core/use-firm.ts';
import { longLength } from '../../core/words.ts';
import { Button } from '../../ui/Button.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { RadioGroup } from '../../ui/RadioGroup.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { changeFirm } from './api.ts';
import { secondFactorOptions } from './rules.ts';

/** The settings of the whole firm, which admins change. */
export function FirmPage() {
  const { data, status, failure, refresh } = useFirm();
  const isAdmin = useAppSelector((state) => state.user.current?.role === 'admin');
  return (
    <>
      <PageHeader title="Firm">
        {isAdmin ? 'Settings for everyone.' : 'Only admins change these settings.'}{' '}
        <Link to={paths.templates} className="link">
          Templates of letters
        </Link>
        {isAdmin && (
          <>
            {' · '}
            <Link to={paths.imports} className="link">
              Move in
            </Link>
          </>
        )}
      </PageHeader>
      <div className="px-4 pt-5 pb-9 sm:px-9">
        {data ? (
          <FirmForm firm={data} isAdmin={isAdmin} onSaved={refresh} />
        ) : (
          <Pending of={{ failure, status, refresh }} what="the settings">
            <div className="animate-delayed space-y-5 border-t border-line pt-5">
              {['h-28', 'h-16', 'h-32'].map((height) => (
                <Skeleton key={height} className={`${height} w-full`} />
              ))}
            </div>
          </Pending>
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
  // Only what changed is sent, so only that is checked.
  const resolver: Resolver<Firm, unknown, Firm> = async (values, context, options) => {
    const { errors } = await validate(changedMembers(firm, values), context, options as never);
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
  };
  const { form, submit, isBusy } = useSave<Firm, Firm>(resolver, firm, async (values, _, form) => {
    const patch = changedMembers(firm, values);
    if (Object.keys(patch).length === 0) return;
    resetToSaved(form, values, (await changeFirm({ body: patch })).firm);
    onSaved();
  });
  const { reset } = form;
  useEffect(() => reset(firm, { keepDirtyValues: true }), [firm, reset]);
  const { isDirty } = form.formState;
  return (
    <form noValidate onSubmit={submit}>
      <fieldset disabled={!isAdmin} className="min-w-0">
        <OfficeFields form={form} />
        <DeadlineFields form={form} />
        <FileFields form={form} />
        <SignInFields form={form} />
      </fieldset>
      {isAdmin && (
        <div className="flex flex-wrap items-center gap-3 border-t border-line pt-4">
          <Button type="submit" variant="primary" busy={isBusy}>
            Save changes
          </Button>
          {isDirty && !isBusy && <Button onClick={() => reset(firm)}>Discard changes</Button>}
          {isDirty && <p className="text-note text-ink-2">Not saved yet</p>}
        </div>
      )}
      <LeaveQuestion isDirty={isDirty} />
    </form>
  );
}

interface FieldsProps {
  form: Form<Firm, Firm>;
}

function OfficeFields({ form }: FieldsProps) {
  return (
    <Section title="Office" hint="The name is for forms and letters.">
      <TextField form={form} name="name" label="Name" autoComplete="organization" />
      <TextField form={form} name="phone" label="Phone" type="tel" autoComplete="tel" />
      <TextAreaField form={form} name="address" label="Address" rows={3} />
      <TextAreaField
        form={form}
        name="letterhead"
        label="Letterhead"
        hint="Lines below the firm’s name in letters"
        rows={3}
      />
      <TimeZoneField form={form} name="timeZone" />
      <TextField
        form={form}
        name="morning"
        label="Morning"
        hint="When warnings and digests are sent"
        type="time"
      />
    </Section>
  );
}

function DeadlineFields({ form }: FieldsProps) {
  return (
    <Section title="Deadlines" hint="Who decides about hard deadlines.">
      <CheckboxField
        form={form}
        name="dualControl"
        label="A second person decides"
        hint="A change of a hard deadline waits for someone other than its author."
        wide
      />
    </Section>
  );
}

function FileFields({ form }: FieldsProps) {
  return (
    <Section title="Files" hint="What happens to new documents.">
      <CheckboxField
        form={form}
        name="trainUploads"
        label="Train the AI on uploads"
        hint="New files are searchable, and ready for questions, shortly after upload."
        wide
      />
    </Section>
  );
}

function SignInFields({ form }: FieldsProps) {
  const idle = useWatch({ control: form.control, name: 'idleMinutes' });
  return (
    <Section title="Sign-in" hint="How everyone signs in, and for how long.">
      <div className="sm:col-span-2">
        <RadioGroup
          legend="Second factor"
          options={secondFactorOptions}
          {...form.register('secondFactor')}
        />
      </div>
      <NumberField
        form={form}
        name="idleMinutes"
        label="Minutes until a page locks"
        hint={`${idle >= 60 ? `${longLength(idle)}. ` : ''}Then it asks for the password again.`}
        min={IDLE_MINUTES_MIN}
        max={IDLE_MINUTES_MAX}
      />
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
