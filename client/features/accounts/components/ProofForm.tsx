import { useEffect } from 'react';
import { showRefusalAt, useSave } from '../../../core/form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { PasswordInput, TextInput } from '../../../ui/TextInput.tsx';

const EMPTY = { currentPassword: '', code: '', name: '' };
export type Proof = typeof EMPTY;

interface ProofFormProps {
  /** The verb, such as 'Turn off'. */
  action: string;
  /** A second field beside the password. */
  extraField?: { name: 'code' | 'name'; label: string; value?: string };
  onSubmit: (proof: Proof) => Promise<unknown>;
  onCancel: () => void;
}

/** Asks for the password again before something about the ways to sign in changes. */
export function ProofForm({ action, extraField, onSubmit, onCancel }: ProofFormProps) {
  const blank = {
    ...EMPTY,
    ...(extraField?.value !== undefined && { [extraField.name]: extraField.value }),
  };
  const { form, submit, isBusy } = useSave<Proof, Proof>(null, blank, (proof, _, form) =>
    onSubmit(proof).catch(showRefusalAt(form, 'currentPassword')),
  );
  const { errors } = form.formState;
  const { setFocus } = form;
  // In place of the button that opened this form, which had the focus.
  useEffect(() => setFocus('currentPassword'), [setFocus]);
  const required = (label: string) => ({ required: `${label} is required` });
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
      <Field
        label="Current password"
        error={errors.currentPassword?.message}
        className="max-w-80 min-w-56 flex-1"
      >
        <PasswordInput
          {...form.register('currentPassword', required('Password'))}
          autoComplete="current-password"
        />
      </Field>
      {extraField !== undefined && (
        <Field
          label={extraField.label}
          error={errors[extraField.name]?.message}
          className="max-w-80 min-w-56 flex-1"
        >
          <TextInput
            {...form.register(extraField.name, required(extraField.label))}
            autoComplete="off"
          />
        </Field>
      )}
      <div className="flex gap-2 sm:mt-[25px]">
        <Button type="submit" busy={isBusy}>
          {action}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
