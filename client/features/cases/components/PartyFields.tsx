import type { FieldPath } from 'react-hook-form';
import { Field } from '../../../ui/Field.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { humanise } from '../rules.ts';
import type { PartiesForm, PartiesStep } from './use-case-forms.ts';

type Name = Extract<FieldPath<PartiesStep>, `${string}.${string}`>;

/** The fields of the client and the opposing counsel. */
export function PartyFields({ form }: { form: PartiesForm }) {
  return (
    <div className="grid gap-6">
      <fieldset className={GROUP}>
        <Legend>Client Info</Legend>
        <Line form={form} name="clientInfo.name" />
        <Line form={form} name="clientInfo.phoneNumber" type="tel" />
        <Line form={form} name="clientInfo.email" type="email" />
        <Lines form={form} name="clientInfo.address" />
      </fieldset>
      <fieldset className={GROUP}>
        <Legend>Opposing Counsel Info</Legend>
        <Line form={form} name="opposingCounselInfo.organization" />
        <Line form={form} name="opposingCounselInfo.name" />
        <Line form={form} name="opposingCounselInfo.phoneNumber" type="tel" />
        <Line form={form} name="opposingCounselInfo.email" type="email" />
        <Lines form={form} name="opposingCounselInfo.address" isWide />
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
}

function Line({ form, name, type = 'text' }: PartyFieldProps) {
  return (
    <Field label={labelOf(name)} error={form.getFieldState(name, form.formState).error?.message}>
      <TextInput type={type} autoComplete="off" {...form.register(name)} />
    </Field>
  );
}

function Lines({ form, name, isWide = false }: PartyFieldProps & { isWide?: boolean }) {
  return (
    <Field
      label={labelOf(name)}
      error={form.getFieldState(name, form.formState).error?.message}
      className={isWide ? 'sm:col-span-2' : ''}
    >
      <TextArea rows={1} className="field-sizing-content" {...form.register(name)} />
    </Field>
  );
}

/** Without the party's name, which the legend shows. */
function labelOf(name: Name): string {
  return humanise(name.slice(name.indexOf('.') + 1));
}
