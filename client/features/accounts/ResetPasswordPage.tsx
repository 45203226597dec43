import { PasswordResetSchema } from '@matterdesk/contract/passwords.ts';
import { Link, useNavigate, useParams } from 'react-router';
import { refusedAt, useSave } from '../../core/form.ts';
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
  const blank = { token, password: '' };
  const { form, submit, isBusy } = useSave(PasswordResetSchema, blank, async (values, _, form) => {
    await resetPassword({ body: values }).catch(refusedAt(form, 'password'));
    await navigate(paths.login, { replace: true });
  });
  const { errors } = form.formState;
  return (
    <WayIn
      title="Set a new password"
      aside={
        <Link to={paths.forgotPassword} className="link">
          Ask for another link
        </Link>
      }
    >
      <form noValidate onSubmit={submit} className="mt-7 space-y-4">
        <Field
          label="New password"
          error={errors.password?.message}
          hint={errors.password ? undefined : 'At least 8 characters, and not a common password'}
        >
          <PasswordInput {...form.register('password')} autoComplete="new-password" />
        </Field>
        <Button type="submit" variant="primary" size="large" busy={isBusy} className="mt-2 w-full">
          Set password
        </Button>
      </form>
    </WayIn>
  );
}
