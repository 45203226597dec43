import Copy from 'lucide-react/icons/copy';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useState, type SubmitEvent } from 'react';
import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import { CallError } from '../../../api.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { copyToClipboard } from '../../../ui/copy-to-clipboard.ts';
import { Field } from '../../../ui/Field.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { beginTotp, endTotp, confirmTotp } from '../api.factors.ts';
import { CodeInput } from './CodeInput.tsx';
import { ProofForm } from './ProofForm.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

type Step =
  | { at: 'start' | 'adding' | 'removing' }
  | { at: 'scanning'; secret: string; url: string }
  | { at: 'codes'; codes: string[] };

interface AccountTotpProps {
  current: CurrentUser;
  /** Whether it is the last factor while the firm demands one. */
  isLocked?: boolean;
  /** The user's factors have changed. */
  onChanged: () => void;
}

const START: Step = { at: 'start' };

/** Turns the user's authenticator app on and off. */
export function AccountTotp({ current, isLocked = false, onChanged }: AccountTotpProps) {
  const [step, setStep] = useState<Step>(START);
  const start = () => setStep(START);
  const finish = () => {
    start();
    onChanged();
  };
  if (step.at === 'codes') return <RecoveryCodes codes={step.codes} onDone={finish} />;
  if (step.at === 'scanning')
    return <TotpSetup {...step} onDone={(codes) => setStep({ at: 'codes', codes })} />;
  if (step.at === 'adding')
    return (
      <ProofForm
        action="Continue"
        onCancel={start}
        onSubmit={async ({ currentPassword }) =>
          setStep({ at: 'scanning', ...(await beginTotp({ body: { currentPassword } })) })
        }
      />
    );
  if (step.at === 'removing')
    return (
      <ProofForm
        action="Turn off"
        extraField={{ name: 'code', label: 'Code' }}
        onCancel={start}
        onSubmit={async ({ currentPassword, code }) => {
          await endTotp({ body: { currentPassword, code } });
          finish();
        }}
      />
    );
  if (current.secondFactor !== 'totp')
    return <Button onClick={() => setStep({ at: 'adding' })}>Set up authenticator app</Button>;
  return (
    <div className="flex min-h-[34px] flex-wrap items-center gap-x-3 gap-y-2">
      <ShieldCheck className="flex-none text-green" />
      <p className="grow">
        <span className="font-medium">Your authenticator app is on.</span>
        {isLocked && (
          <span className="block text-note text-ink-2">
            Your firm requires a second factor, so the last one cannot be removed.
          </span>
        )}
      </p>
      <Button size="small" disabled={isLocked} onClick={() => setStep({ at: 'removing' })}>
        Turn off
      </Button>
    </div>
  );
}

const QrCode = lazyNamed(() => import('./QrCode.tsx'), 'QrCode');

interface TotpSetupProps {
  secret: string;
  /** The `otpauth:` address of the secret. */
  url: string;
  onDone: (recoveryCodes: string[]) => void;
}

/** Shows a new secret as a QR code and as text, and asks for the first code. */
function TotpSetup({ secret, url, onDone }: TotpSetupProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    try {
      onDone((await confirmTotp({ body: { code } })).recoveryCodes);
    } catch (failed) {
      setError(failed instanceof CallError ? failed.message : undefined);
      setIsBusy(false);
    }
  };
  const groups = secret.match(/.{1,4}/g)?.join(' ');
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-4">
      <QrCode
        text={url}
        label="QR code for your authenticator app"
        fallback={<Skeleton className="size-[152px]" />}
      />
      <div className="min-w-0 flex-1 basis-72 space-y-3">
        <div>
          <p>
            <span className="font-semibold">1.</span> Scan this code with your authenticator app.
          </p>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-note text-ink-2">
            No camera? Enter
            <span className="font-medium text-ink wrap-anywhere">{groups}</span>
            <IconButton
              label="Copy the secret"
              icon={Copy}
              variant="quiet"
              size="small"
              onClick={() => void copyToClipboard(secret, 'Secret copied')}
            />
          </p>
        </div>
        <form noValidate onSubmit={(event) => void handleSubmit(event)} className="space-y-1.5">
          <p aria-hidden="true">
            <span className="font-semibold">2.</span> Enter the six digits that it shows.
          </p>
          <div className="flex flex-wrap items-start gap-3 [&_label]:sr-only">
            <Field label="Six digits" error={error} className="flex-none">
              <CodeInput value={code} onValue={setCode} />
            </Field>
            <Button
              type="submit"
              variant="primary"
              size="large"
              busy={isBusy}
              disabled={code.length < 6}
              className="mt-[5px]"
            >
              Turn on
            </Button>
          </div>
          <p className="text-note text-ink-2">
            You then get ten recovery codes to print, shown once.
          </p>
        </form>
      </div>
    </div>
  );
}
