import { zodResolver } from '@hookform/resolvers/zod';
import { PasswordChangeSchema } from '@matterdesk/contract/passwords.ts';
import { useForm } from 'react-hook-form';
import { showFieldErrors } from '../../../core/form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { PasswordInput } from '../../../ui/PasswordInput.tsx';
import { changePassword } from '../api.access.ts';

/** Changes the user's own password. */
export function AccountPassword() {
  const form = useForm({
    resolver: zodResolver(PasswordChangeSchema),
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const handleSubmit = form.handleSubmit(async (values) => {
    try {
      await changePassword(values);
      form.reset();
    } catch (error) {
      showFieldErrors(form, error);
    }
  });
  return (
    <form
      noValidate
      onSubmit={(event) => void handleSubmit(event)}
      className="flex flex-wrap items-start gap-3"
    >
      <Field
        label="Current password"
        error={errors.currentPassword?.message}
        className="min-w-56 flex-1"
      >
        <PasswordInput {...form.register('currentPassword')} autoComplete="current-password" />
      </Field>
      <Field
        label="New password"
        error={errors.newPassword?.message}
        hint={errors.newPassword ? undefined : 'At least 8 characters, and not a common password'}
        className="min-w-56 flex-1"
      >
        <PasswordInput {...form.register('newPassword')} autoComplete="new-password" />
      </Field>
      <Button type="submit" busy={isSubmitting} className="sm:mt-[25px]">
        Change password
      </Button>
    </form>
  );
}
