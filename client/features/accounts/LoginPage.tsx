import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import {
  CredentialsSchema,
  type Credentials,
  type SignedIn,
} from '@matterdesk/contract/accounts.ts';
import { CallError } from '../../api.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { paths } from '../../core/paths.ts';
import { useAppDispatch } from '../../core/store.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { PasswordInput, TextInput } from '../../ui/TextInput.tsx';
import { toast } from '../../ui/toast-store.ts';
import { login } from './api.ts';
import { SignInLayout } from './components/SignInLayout.tsx';
import { canUsePasskeys } from './rules.passkeys.ts';
import { signedIn } from './slice.ts';

type Errors = Partial<Record<keyof Credentials, string>>;
/** Right credentials of a user with a second factor, and what the server asks for. */
type PendingSignIn = { credentials: Credentials; asked: string; isWithoutApp: boolean };

const CodeStep = lazyNamed(() => import('./components/CodeStep.tsx'), 'CodeStep');

/** Without the form library, which would be a tenth of the first page's code. */
export function LoginPage() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const registered = registeredOf(useLocation().state);
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Errors>({});
  const [isChecked, setIsChecked] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [halfway, setHalfway] = useState<PendingSignIn>();
  const enter = async (session: SignedIn) => {
    dispatch(signedIn(session));
    await navigate(paths.dashboard, { replace: true });
  };
  const enterByPasskey = async () => {
    const { signInByPasskey } = await import('./api.factors.ts');
    try {
      await enter(await signInByPasskey());
    } catch (error) {
      toast.error(error instanceof CallError ? error.message : 'No passkey was used');
    }
  };
  const focus = (name: keyof Credentials) => inputOf(form.current, name)?.focus();
  useEffect(
    () => inputOf(form.current, registered === undefined ? 'email' : 'password')?.focus(),
    [registered],
  );
  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const { credentials, errors: found } = check(event.currentTarget);
    setIsChecked(true);
    setErrors(found);
    if (!credentials) return focus(found.email === undefined ? 'password' : 'email');
    setIsBusy(true);
    try {
      await enter(await login({ body: credentials }));
    } catch (error) {
      setIsBusy(false);
      if (!(error instanceof CallError)) return;
      const isWithoutApp = error.code === 'passkeyRequired';
      if (isWithoutApp || error.code === 'codeRequired')
        return setHalfway({ credentials, asked: error.message, isWithoutApp });
      toast.error(error.message);
      inputOf(form.current, 'password')?.select();
      focus('password');
    }
  };
  return (
    <SignInLayout
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
      {halfway && (
        <CodeStep
          {...halfway}
          onSignedIn={(session) => void enter(session)}
          onPasskey={canUsePasskeys() ? () => void enterByPasskey() : undefined}
          onBack={() => setHalfway(undefined)}
        />
      )}
      <form
        ref={form}
        // Keeps what was typed during the second step.
        hidden={halfway !== undefined}
        noValidate
        onSubmit={(event) => void handleSubmit(event)}
        onInput={(event) => isChecked && setErrors(check(event.currentTarget).errors)}
        className="mt-7 space-y-4"
      >
        <Field label="Email" error={errors.email}>
          <TextInput name="email" type="email" autoComplete="username" defaultValue={registered} />
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
        {canUsePasskeys() && (
          <Button variant="quiet" className="w-full" onClick={() => void enterByPasskey()}>
            Sign in with a passkey
          </Button>
        )}
      </form>
    </SignInLayout>
  );
}

/** The address of an account that was just registered, as the registration passes it on. */
function registeredOf(state: unknown): string | undefined {
  const { registered } = (state ?? {}) as { registered?: unknown };
  return typeof registered === 'string' ? registered : undefined;
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
