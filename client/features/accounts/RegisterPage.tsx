import { zodResolver } from '@hookform/resolvers/zod';
import { RegistrationSchema, type Registration } from '@matterdesk/contract/accounts.ts';
import { useCallback, useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { showFieldErrors } from '../../core/form.ts';
import { paths } from '../../core/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { RadioGroup } from '../../ui/RadioGroup.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { readTerms, register } from './api.ts';
import { useRead } from '../../core/use-read.ts';
import { WayIn } from './components/WayIn.tsx';
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
  const form = useForm({ resolver: zodResolver(RegistrationSchema), defaultValues: EMPTY });
  const { errors, isSubmitting } = form.formState;
  const { setFocus } = form;
  useEffect(() => setFocus('firstName'), [setFocus]);
  const invitation = useSearchParams()[0].get('invitation') ?? undefined;
  const { data: terms } = useRead(useCallback(() => readTerms(invitation), [invitation]));
  const invited = terms?.invited;
  useEffect(() => {
    if (invited !== undefined) form.setValue('email', invited);
  }, [form, invited]);
  const handleSubmit = form.handleSubmit(async (registration) => {
    try {
      await register({ ...registration, invitation });
    } catch (error) {
      showFieldErrors(form, error);
      return;
    }
    form.reset();
    await navigate(paths.login);
  });
  return (
    <WayIn
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
      <form noValidate onSubmit={(event) => void handleSubmit(event)} className="mt-7 space-y-4">
        <div className="grid grid-cols-2 gap-3">
          <Field label="First Name" error={errors.firstName?.message}>
            <TextInput {...form.register('firstName')} autoComplete="given-name" />
          </Field>
          <Field label="Last Name" error={errors.lastName?.message}>
            <TextInput {...form.register('lastName')} autoComplete="family-name" />
          </Field>
        </div>
        <Field
          label="Email"
          error={errors.email?.message}
          hint={invited === undefined ? undefined : 'Your invitation is for this address.'}
        >
          <TextInput
            {...form.register('email')}
            type="email"
            autoComplete="username"
            readOnly={invited !== undefined}
          />
        </Field>
        <Field
          label="Password"
          error={errors.password?.message}
          hint={errors.password ? undefined : 'At least 8 characters'}
        >
          <PasswordInput {...form.register('password')} autoComplete="new-password" />
        </Field>
        <Field label="Phone Number" error={errors.phoneNumber?.message}>
          <TextInput {...form.register('phoneNumber')} type="tel" autoComplete="tel" />
        </Field>
        {terms?.needsSetupCode === true && (
          <Field
            label="Setup code"
            error={errors.setupCode?.message}
            hint="The server printed it when it started: the first account is the admin."
          >
            <TextInput {...form.register('setupCode')} autoComplete="off" placeholder="XXXX-XXXX" />
          </Field>
        )}
        {invitation === undefined && (
          <RadioGroup legend="Register as" options={roleOptions} {...form.register('role')} />
        )}
        {terms?.mode === 'approval' && !terms.needsSetupCode && invited === undefined && (
          <p className="text-note text-ink-2">
            An admin approves your account before you can sign in.
          </p>
        )}
        <Button
          type="submit"
          variant="primary"
          size="large"
          busy={isSubmitting}
          className="mt-2 w-full"
        >
          Register
        </Button>
      </form>
    </WayIn>
  );
}
