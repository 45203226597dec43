import '../../ui/fonts.css';
import { Link, useNavigate, useParams } from 'react-router';
import { PasswordResetSchema } from '@matterdesk/contract/passwords.ts';
import { PasswordField } from '../../core/fields.tsx';
import { showRefusalAt, useSave } from '../../core/form.ts';
import { paths } from '../../core/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { resetPassword } from './api.access.ts';
import { SignInLayout } from './components/SignInLayout.tsx';

/** Sets a new password by a link. */
export function ResetPasswordPage() {
  const { token = '' } = useParams();
  const navigate = useNavigate();
  const blank = { token, password: '' };
  const { form, submit, isBusy } = useSave(PasswordResetSchema, blank, async (values, _, form) => {
    await resetPassword({ body: values }).catch(showRefusalAt(form, 'password'));
    await navigate(paths.login, { replace: true });
  });
  const { errors } = form.formState;
  return (
    <SignInLayout
      title="Set a new password"
      aside={
        <Link to={paths.forgotPassword} className="link">
          Ask for another link
        </Link>
      }
    >
      <form noValidate onSubmit={submit} className="mt-7 space-y-4">
        <PasswordField
          form={form}
          name="password"
          label="New password"
          hint={errors.password ? undefined : 'At least 8 characters, and not a common password'}
          autoComplete="new-password"
        />
        <Button type="submit" variant="primary" size="large" busy={isBusy} className="mt-2 w-full">
          Set password
        </Button>
      </form>
    </SignInLayout>
  );
}
