import { zodResolver } from '@hookform/resolvers/zod';
import { PasswordResetSchema } from '@matterdesk/contract/passwords.ts';
import { useForm } from 'react-hook-form';
import { Link, useNavigate, useParams } from 'react-router';
import { CallError } from '../../api.ts';
import { showFieldErrors } from '../../core/field-errors.ts';
import { paths } from '../../core/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { resetPassword } from './api.access.ts';
import { WayIn } from './components/WayIn.tsx';

/** Sets a new password by a link. */
export function ResetPasswordPage() {
  const { token = '' } = useParams();
  const navigate = useNavigate();
  const form = useForm({
    resolver: zodResolver(PasswordResetSchema),
    defaultValues: { token, password: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const handleSubmit = form.handleSubmit(async (values) => {
    try {
      await resetPassword(values);
    } catch (error) {
      if (!showFieldErrors(form, error) && error instanceof CallError)
        form.setError('password', { message: error.message });
      return;
    }
    await navigate(paths.login, { replace: true });
  });
  return (
    <WayIn
      title="Set a new password"
      aside={
        <Link to={paths.forgotPassword} className="link">
          Ask for another link
        </Link>
      }
    >
      <form noValidate onSubmit={(event) => void handleSubmit(event)} className="mt-7 space-y-4">
        <Field
          label="New password"
          error={errors.password?.message}
          hint={errors.password ? undefined : 'At least 8 characters, and not a common password'}
        >
          <PasswordInput {...form.register('password')} autoComplete="new-password" />
        </Field>
        <Button
          type="submit"
          variant="primary"
          size="large"
          busy={isSubmitting}
          className="mt-2 w-full"
        >
          Set password
        </Button>
      </form>
    </WayIn>
  );
}
