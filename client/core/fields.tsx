// Fields of a form: a label, a control and its error by the name of a member. A form that registers other controls
// does so in components of their own, since the first invalid field by order of registration gets the focus.

import { type ComponentProps, type ReactNode, useState } from 'react';
import { Controller, type FieldPath, type FieldValues } from 'react-hook-form';
import { Checkbox } from '../ui/Checkbox.tsx';
import { cx } from '../ui/cx.ts';
import { Field } from '../ui/Field.tsx';
import type { Option } from '../ui/option.ts';
import { Select } from '../ui/Select.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { PasswordInput, TextInput } from '../ui/TextInput.tsx';
import type { Form } from './form.ts';
import { personOption } from './full-name.ts';
import { usePeople } from './people.ts';
import type { CaseField } from './slots.ts';

interface FieldProps<Input extends FieldValues, Output> {
  form: Form<Input, Output>;
  name: FieldPath<Input>;
  label: string;
  hint?: string | undefined;
  /** Marked with an asterisk. */
  required?: boolean;
  /** The label ends in 'optional'. */
  optional?: boolean;
  /** Takes both columns of a FormDialog. */
  wide?: boolean;
  aside?: ReactNode;
  className?: string;
}

type FieldProp =
  | 'form'
  | 'name'
  | 'label'
  | 'hint'
  | 'required'
  | 'optional'
  | 'wide'
  | 'aside'
  | 'className';

/** A nullable member is sent as null when its control is empty. */
const orNull = { setValueAs: (value: unknown) => (value === '' ? null : value) } as const;
const asNumber = { valueAsNumber: true } as const;

/** The label and the error of a member around a control of another kind. */
export function FormField<Input extends FieldValues, Output>({
  form,
  name,
  wide = false,
  className,
  children,
  ...field
}: FieldProps<Input, Output> & { children: ReactNode }) {
  const { error } = form.getFieldState(name, form.formState);
  return (
    <Field {...field} error={error?.message} className={cx(wide && 'sm:col-span-2', className)}>
      {children}
    </Field>
  );
}

/** Parts a field's own props from those of its control. */
function splitProps<Input extends FieldValues, Output, Props extends FieldProps<Input, Output>>(
  props: Props,
) {
  const {
    form,
    name,
    label,
    hint,
    required = false,
    optional = false,
    wide = false,
    aside,
    className,
    ...control
  } = props;
  const field = {
    form,
    name,
    label,
    hint,
    required,
    optional,
    wide,
    aside,
    ...(className !== undefined && { className }),
  };
  return { field, control };
}

/** A line of text. */
export function TextField<Input extends FieldValues, Output>(
  props: FieldProps<Input, Output> & {
    nullable?: boolean;
  } & Omit<ComponentProps<typeof TextInput>, FieldProp>,
) {
  const { field, control } = splitProps<Input, Output, typeof props>(props);
  const { nullable = false, ...input } = control;
  return (
    <FormField {...field}>
      <TextInput
        autoComplete="off"
        {...input}
        {...field.form.register(field.name, nullable ? orNull : {})}
      />
    </FormField>
  );
}

/** A password, which can be shown. */
export function PasswordField<Input extends FieldValues, Output>(
  props: FieldProps<Input, Output> & Omit<ComponentProps<typeof PasswordInput>, FieldProp>,
) {
  const { field, control } = splitProps<Input, Output, typeof props>(props);
  return (
    <FormField {...field}>
      <PasswordInput {...control} {...field.form.register(field.name)} />
    </FormField>
  );
}

/** A calendar date; with `nullable`, none is null. */
export function DateField<Input extends FieldValues, Output>(
  props: FieldProps<Input, Output> & { nullable?: boolean },
) {
  return <TextField {...props} type="date" />;
}

/** A time of the day; none is null, and means the end of the day. */
export function TimeField<Input extends FieldValues, Output>(props: FieldProps<Input, Output>) {
  return <TextField hint="Leave blank for the end of the day" {...props} type="time" nullable />;
}

/** A number; an empty control is not a number, which the schema refuses. */
export function NumberField<Input extends FieldValues, Output>(
  props: FieldProps<Input, Output> & Omit<ComponentProps<typeof TextInput>, FieldProp | 'type'>,
) {
  const { field, control } = splitProps<Input, Output, typeof props>(props);
  return (
    <FormField {...field}>
      <TextInput {...control} type="number" {...field.form.register(field.name, asNumber)} />
    </FormField>
  );
}

/** A text of several lines. */
export function TextAreaField<Input extends FieldValues, Output>(
  props: FieldProps<Input, Output> & Omit<ComponentProps<typeof TextArea>, FieldProp>,
) {
  const { field, control } = splitProps<Input, Output, typeof props>(props);
  return (
    <FormField {...field}>
      <TextArea {...control} {...field.form.register(field.name)} />
    </FormField>
  );
}

interface SelectFieldProps<Input extends FieldValues, Output> extends FieldProps<Input, Output> {
  /** The first option, whose value is empty; with `nullable`, it is sent as null. */
  placeholder: string;
  options: ComponentProps<typeof Select>['options'];
  nullable?: boolean;
}

/** One of a few choices. */
export function SelectField<Input extends FieldValues, Output>(
  props: SelectFieldProps<Input, Output>,
) {
  const { field, control } = splitProps<Input, Output, typeof props>(props);
  const { nullable = false, ...select } = control;
  return (
    <FormField {...field}>
      <Select {...select} {...field.form.register(field.name, nullable ? orNull : {})} />
    </FormField>
  );
}

/** One of the firm's active people, and the person who is chosen already. With `nullable`, no one is null. */
export function PersonSelect<Input extends FieldValues, Output>({
  nullable = false,
  placeholder = nullable ? 'No one' : 'Select any user',
  ...props
}: FieldProps<Input, Output> & { nullable?: boolean; placeholder?: string }) {
  const chosen: unknown = props.form.getValues(props.name);
  const options = usePeople()
    .people.filter(({ active, id }) => active || id === chosen)
    .map(personOption);
  return <SelectField {...props} nullable={nullable} placeholder={placeholder} options={options} />;
}

/** A checkbox, whose label is its own. */
export function CheckboxField<Input extends FieldValues, Output>(
  props: Omit<FieldProps<Input, Output>, 'required' | 'optional' | 'aside'>,
) {
  const { form, name, label, hint, wide = false, className } = props;
  const { error } = form.getFieldState(name, form.formState);
  return (
    <div className={cx(wide && 'sm:col-span-2', className)}>
      <Checkbox label={label} {...(hint !== undefined && { hint })} {...form.register(name)} />
      {error?.message !== undefined && (
        <p className="mt-1 text-note/[1.125rem] text-red">{error.message}</p>
      )}
    </div>
  );
}

/** A matter, sent as its id; none is null. */
export function MatterField<Input extends FieldValues, Output>({
  picker: Picker,
  initial,
  ...props
}: FieldProps<Input, Output> & {
  /** The dropdown, which pages pass to features that cannot import the cases feature. */
  picker: CaseField;
  initial: Option | null;
}) {
  const [matter, setMatter] = useState(initial);
  return (
    <Controller
      control={props.form.control}
      name={props.name}
      render={({ field }) => (
        <FormField {...props}>
          <Picker
            ref={field.ref}
            value={[matter, initial].find((option) => option?.id === field.value) ?? null}
            onBlur={field.onBlur}
            onChange={(option) => {
              setMatter(option);
              field.onChange(option?.id ?? null);
            }}
          />
        </FormField>
      )}
    />
  );
}
