import '../../ui/fonts.css';
import { useCallback, useEffect } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { RegistrationSchema, type Registration } from '@matterdesk/contract/accounts.ts';
import { PasswordField, TextField } from '../../core/fields.tsx';
import { useSave } from '../../core/form.ts';
import { paths } from '../../core/paths.ts';
import { useRead } from '../../core/use-read.ts';
import { Button } from '../../ui/Button.tsx';
import { RadioGroup } from '../../ui/RadioGroup.tsx';
import { readTerms, register } from './api.ts';
import { SignInLayout } from './components/SignInLayout.tsx';
import { roleOptions } from './rules.ts';

const EMPTY: Registration = {
  firstName: '',
  lastName: '',
  email: '',
  password: '',
  phoneNumber: '',
  role: 'user',
  setupCode: '',
};

export function RegisterPage() {
  const navigate = useNavigate();
  const invitation = useSearchParams()[0].get('invitation') ?? undefined;
  const { form, submit, isBusy } = useSave(RegistrationSchema, EMPTY, async (values, _, form) => {
    await register({ body: { ...values, invitation } });
    form.reset();
    await navigate(paths.login, { state: { registered: values.email } });
  });
  const { errors } = form.formState;
  const { setFocus } = form;
  useEffect(() => setFocus('firstName'), [setFocus]);
  const { data: terms } = useRead(useCallback(() => readTerms(invitation), [invitation]));
  const invited = terms?.invited;
  useEffect(() => {
    if (invited !== undefined) form.setValue('email', invited);
  }, [form, invited]);
  return (
    <SignInLayout
      title="Register"
      aside={
        <>
          Already have an account?{' '}
          <Link to={paths.login} className="link">
            Login
          </Link>
        </>
      }
    >
      {invitation !== undefined && terms && invited === undefined && (
        <p role="alert" className="mt-4 text-red">
          This invitation is no longer valid. Ask for a new one.
        </p>
      )}
      <form noValidate onSubmit={submit} className="mt-7 space-y-4">
        <div className="grid grid-cols-2 gap-3">
          <TextField form={form} name="firstName" label="First Name" autoComplete="given-name" />
          <TextField form={form} name="lastName" label="Last Name" autoComplete="family-name" />
        </div>
        <TextField
          form={form}
          name="email"
          label="Email"
          hint={invited === undefined ? undefined : 'Your invitation is for this address.'}
          type="email"
          autoComplete="username"
          readOnly={invited !== undefined}
        />
        <PasswordField
          form={form}
          name="password"
          label="Password"
          hint={errors.password ? undefined : 'At least 8 characters'}
          autoComplete="new-password"
        />
        <TextField
          form={form}
          name="phoneNumber"
          label="Phone Number"
          type="tel"
          autoComplete="tel"
        />
        {terms?.needsSetupCode === true && (
          <TextField
            form={form}
            name="setupCode"
            label="Setup code"
            hint="The server printed it when it started: the first account is the admin."
            placeholder="XXXX-XXXX"
          />
        )}
        {invitation === undefined && (
          <RadioGroup legend="Register as" options={roleOptions} {...form.register('role')} />
        )}
        {terms?.isFirst === true && (
          <p className="text-note text-ink-2">
            This is the first account, so it is the firm’s admin, whichever you choose.
          </p>
        )}
        {terms?.mode === 'approval' && !terms.needsSetupCode && invited === undefined && (
          <p className="text-note text-ink-2">
            An admin approves your account before you can sign in.
          </p>
        )}
        <Button type="submit" variant="primary" size="large" busy={isBusy} className="mt-2 w-full">
          Register
        </Button>
      </form>
    </SignInLayout>
  );
}
