import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { beginTotp, endTotp } from '../api.factors.ts';
import { ProofForm } from './ProofForm.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { TotpSetup } from './TotpSetup.tsx';

type Step =
  | { at: 'start' | 'adding' | 'removing' }
  | { at: 'scanning'; secret: string; url: string }
  | { at: 'keeping'; codes: string[] };

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
  if (step.at === 'keeping') return <RecoveryCodes codes={step.codes} onDone={finish} />;
  if (step.at === 'scanning')
    return <TotpSetup {...step} onDone={(codes) => setStep({ at: 'keeping', codes })} />;
  if (step.at === 'adding')
    return (
      <ProofForm
        action="Continue"
        onCancel={start}
        onSubmit={async ({ currentPassword }) =>
          setStep({ at: 'scanning', ...(await beginTotp(currentPassword)) })
        }
      />
    );
  if (step.at === 'removing')
    return (
      <ProofForm
        action="Turn off"
        also={{ name: 'code', label: 'Code' }}
        onCancel={start}
        onSubmit={async ({ currentPassword, code }) => {
          await endTotp({ currentPassword, code });
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
