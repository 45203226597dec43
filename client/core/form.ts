import { zodResolver } from '@hookform/resolvers/zod';
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type Resolver,
  useForm,
  type UseFormReturn,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import { CallError } from '../api.ts';
import { useIdempotencyKey } from './use-attempt.ts';

/** A form whose fields hold `Input` and whose schema turns them into `Output`. */
export type Form<Input extends FieldValues, Output> = UseFormReturn<Input, unknown, Output>;

/** A form with its submit handler, as the fields and dialogs of this kit take it. */
export interface FormSave<Input extends FieldValues, Output> {
  form: Form<Input, Output>;
  /** For a `<form>`'s `onSubmit`; validates first and focuses the first invalid field. */
  submit: (event?: { preventDefault?: () => void }) => void;
  isBusy: boolean;
}

/**
 * A form that is validated by the contract's schema and saved by one call. A refused call shows its field errors under
 * their fields and leaves what was typed; its sentence is already in a toast.
 * @param schema a resolver where what is validated differs from what was typed; null if the server alone validates
 * @param save receives the validated values and the idempotency key of this click; a retry after a lost reply has the
 * same key. What follows a success, such as closing the dialog, belongs at its end.
 */
export function useSave<Input extends FieldValues, Output>(
  schema: z.ZodMiniType<Output, Input> | Resolver<Input, unknown, Output> | null,
  defaults: DefaultValues<Input>,
  save: (values: Output, key: string, form: Form<Input, Output>) => Promise<unknown>,
): FormSave<Input, Output> {
  const form = useForm<Input, unknown, Output>({
    defaultValues: defaults,
    ...(schema !== null && {
      resolver: typeof schema === 'function' ? schema : zodResolver(schema),
    }),
  });
  const withKey = useIdempotencyKey();
  const submit = form.handleSubmit(async (values) => {
    try {
      await withKey(values, (key) => save(values, key, form));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      showFieldErrors(form, error);
    }
  });
  return {
    form,
    submit: (event) => {
      // The server's errors of the last attempt would keep a form without a schema from being sent.
      if (schema === null) form.clearErrors();
      void submit(event as never);
    },
    isBusy: form.formState.isSubmitting,
  };
}

/** Resets a form to what was saved; a field that was changed after it was sent keeps its value, unsaved. */
export function resetToSaved<Input extends FieldValues, Output>(
  form: Form<Input, Output>,
  sent: Input,
  saved: Input,
): void {
  const entered = form.getValues();
  form.reset(saved);
  for (const name of Object.keys(sent) as FieldPath<Input>[])
    if (JSON.stringify(entered[name]) !== JSON.stringify(sent[name]))
      form.setValue(name, entered[name], { shouldDirty: true });
}

/**
 * Shows the server's field errors under their fields, and focuses the first.
 * @returns whether there were any
 */
export function showFieldErrors<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  error: unknown,
): boolean {
  if (!(error instanceof CallError)) return false;
  for (const [index, { path, message }] of error.errors.entries())
    form.setError(path as FieldPath<Values>, { message }, { shouldFocus: index === 0 });
  return error.errors.length > 0;
}

/**
 * For calls without a toast: shows a refusal that names no field at this one, and passes it on.
 * `save: (values) => invite(values).catch(refusedAt(form, 'email'))`
 */
export function showRefusalAt<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  name: FieldPath<Values> | 'root',
) {
  return (error: unknown): never => {
    if (error instanceof CallError && error.errors.length === 0)
      form.setError(name, { message: error.message }, { shouldFocus: name !== 'root' });
    throw error;
  };
}

/**
 * For forms whose members are not those of the wire: passes a refusal on with the paths of the form.
 * `save: (values) => add(toBody(values)).catch(renamed(placeOf))`
 */
export function renameFieldErrors(nameOf: (path: string) => string) {
  return (error: unknown): never => {
    if (!(error instanceof CallError)) throw error;
    const errors = error.errors.map(({ path, message }) => ({ path: nameOf(path), message }));
    const { code } = error;
    throw new CallError(error.message, error.status, { ...(code && { code }), errors });
  };
}
