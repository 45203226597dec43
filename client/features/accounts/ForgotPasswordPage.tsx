import '../../ui/fonts.css';
import { type SubmitEvent, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../core/paths.ts';
import { useRead } from '../../core/use-read.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { forgotPassword } from './api.access.ts';
import { readTerms } from './api.ts';
import { SignInLayout } from './components/SignInLayout.tsx';

const read = () => readTerms();

/** Asks for a link by mail, or says whom to ask where the system sends none. */
export function ForgotPasswordPage() {
  const { data: terms, isFailed } = useRead(read);
  const [isSent, setIsSent] = useState(false);
  return (
    <SignInLayout
      title="Forgot password?"
      aside={
        <Link to={paths.login} className="link">
          Back to sign in
        </Link>
      }
    >
      {isSent ? (
        <p role="status" className="mt-7">
          If this address has an account, a link is on its way. It works for an hour.
        </p>
      ) : terms?.mail === false ? (
        <p className="mt-7">
          Ask an administrator of your firm for a link that sets a new password. It works for a day.
        </p>
      ) : (
        (terms || isFailed) && <AskForLink onSent={() => setIsSent(true)} />
      )}
    </SignInLayout>
  );
}

function AskForLink({ onSent }: { onSent: () => void }) {
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const input = event.currentTarget.elements.namedItem('email');
    const email = input instanceof HTMLInputElement ? input.value.trim() : '';
    if (email === '') return setError('Email is required');
    setIsBusy(true);
    try {
      await forgotPassword({ body: { email } });
      onSent();
    } catch (failed) {
      setIsBusy(false);
      setError(failed instanceof Error ? failed.message : undefined);
    }
  };
  return (
    <form noValidate onSubmit={(event) => void handleSubmit(event)} className="mt-7 space-y-4">
      <Field label="Email" error={error}>
        <TextInput name="email" type="email" autoComplete="username" />
      </Field>
      <Button type="submit" variant="primary" size="large" busy={isBusy} className="w-full">
        Send link
      </Button>
    </form>
  );
}
