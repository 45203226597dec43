// Signing in, registration and the directory of users.

import { CredentialsSchema, type Credentials } from '@matterdesk/contract/accounts.ts';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { paths } from '../../core/paths.ts';
import { useAppDispatch } from '../../core/store.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { login } from './api.ts';
import { WayIn } from './components/WayIn.tsx';
import { signedIn } from './slice.ts';

type Errors = Partial<Record<keyof Credentials, string>>;

/** Without the form library, which would be a tenth of the first page's code. */
export function LoginPage() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Errors>({});
  const [isChecked, setIsChecked] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const focus = (name: keyof Credentials) => inputOf(form.current, name)?.focus();
  useEffect(() => inputOf(form.current, 'email')?.focus(), []);
  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const { credentials, errors: found } = check(event.currentTarget);
    setIsChecked(true);
    setErrors(found);
    if (!credentials) return focus(found.email === undefined ? 'password' : 'email');
    setIsBusy(true);
    try {
      dispatch(signedIn(await login(credentials)));
    } catch {
      setIsBusy(false);
      inputOf(form.current, 'password')?.select();
      return focus('password');
    }
    await navigate(paths.dashboard, { replace: true });
  };
  return (
    <WayIn
      title="Sign in"
      aside={
        <>
          New here?{' '}
          <Link to={paths.register} className="link">
            Register
          </Link>
        </>
      }
    >
      <form
        ref={form}
        noValidate
        onSubmit={(event) => void handleSubmit(event)}
        onInput={(event) => isChecked && setErrors(check(event.currentTarget).errors)}
        className="mt-7 space-y-4"
      >
        <Field label="Email" error={errors.email}>
          <TextInput name="email" type="email" autoComplete="username" />
        </Field>
        <Field
          label="Password"
          error={errors.password}
          aside={
            <Link to={paths.forgotPassword} className="text-sm text-accent hover:underline">
              Forgot password?
            </Link>
          }
        >
          <PasswordInput name="password" autoComplete="current-password" />
        </Field>
        <Button type="submit" variant="primary" size="large" busy={isBusy} className="mt-2 w-full">
          Login
        </Button>
      </form>
    </WayIn>
  );
}

function check(form: HTMLFormElement): { credentials?: Credentials; errors: Errors } {
  const { success, data, error } = CredentialsSchema.safeParse({
    email: inputOf(form, 'email')?.value,
    password: inputOf(form, 'password')?.value,
  });
  if (success) return { credentials: data, errors: {} };
  const entries = error.issues.map(({ path, message }) => [path[0], message]);
  // Only the first error of each field is shown.
  return { errors: Object.fromEntries(entries.toReversed()) as Errors };
}

function inputOf(form: HTMLFormElement | null, name: keyof Credentials) {
  const input = form?.elements.namedItem(name);
  return input instanceof HTMLInputElement ? input : null;
}
