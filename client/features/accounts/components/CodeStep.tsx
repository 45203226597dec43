import { type SubmitEvent, useState } from 'react';
import type { Credentials, SignedIn } from '@matterdesk/contract/accounts.ts';
import { CallError } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { firstControl } from '../../../ui/focus.ts';
import { TextInput } from '../../../ui/TextInput.tsx';
import { login } from '../api.ts';
import { CodeInput } from './CodeInput.tsx';

interface CodeStepProps {
  /** The address and the password, which were right. */
  credentials: Credentials;
  /** The server's prompt. */
  asked: string;
  /** Whether the user has no app, so that only a recovery code helps here. */
  isWithoutApp: boolean;
  onSignedIn: (session: SignedIn) => void;
  /** Signs in with a passkey instead, where that works. */
  onPasskey: (() => void) | undefined;
  onBack: () => void;
}

/** The second step of signing in. */
export function CodeStep(props: CodeStepProps) {
  const { credentials, asked, isWithoutApp, onSignedIn, onPasskey, onBack } = props;
  const [isRecovering, setIsRecovering] = useState(isWithoutApp);
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    if (code.trim() === '') return setError('Code is required');
    setIsBusy(true);
    try {
      onSignedIn(await login({ body: { ...credentials, code } }));
    } catch (failed) {
      setIsBusy(false);
      setError(failed instanceof CallError ? failed.message : undefined);
      setCode('');
    }
  };
  const change = (text: string) => {
    setCode(text);
    setError(undefined);
  };
  return (
    <form noValidate onSubmit={(event) => void handleSubmit(event)} className="mt-7 space-y-4">
      <p>{isRecovering && !isWithoutApp ? 'Enter one of your recovery codes' : asked}.</p>
      <div key={String(isRecovering)} ref={focusFirst}>
        {isRecovering ? (
          <Field label="Recovery code" error={error}>
            <TextInput
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              placeholder="XXXXX-XXXXX"
              value={code}
              onChange={(event) => change(event.target.value)}
            />
          </Field>
        ) : (
          <Field label="Six digits" error={error}>
            <CodeInput value={code} onValue={change} />
          </Field>
        )}
      </div>
      <Button type="submit" variant="primary" size="large" busy={isBusy} className="w-full">
        Login
      </Button>
      {isWithoutApp && onPasskey && (
        <Button size="large" className="w-full" onClick={onPasskey}>
          Sign in with a passkey
        </Button>
      )}
      <div className="flex flex-wrap justify-between gap-x-4">
        <Button variant="quiet" className="-ml-3" onClick={onBack}>
          Back
        </Button>
        {!isWithoutApp && (
          <Button
            variant="quiet"
            className="-mr-3"
            onClick={() => {
              setIsRecovering(!isRecovering);
              change('');
            }}
          >
            {isRecovering ? 'Use the app instead' : 'Use a recovery code'}
          </Button>
        )}
      </div>
    </form>
  );
}

function focusFirst(element: HTMLElement | null) {
  firstControl(element)?.focus();
}
