import type { User } from '@matterdesk/contract/accounts.ts';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { removeSecondFactor } from '../api.factors.ts';

/** For a user who lost the telephone: the password alone opens the account until a new one is set up. */
export function RemoveSecondFactor({ person }: { person: User }) {
  const [step, setStep] = useState<'idle' | 'busy' | 'done'>('idle');
  const remove = () => {
    setStep('busy');
    removeSecondFactor(person.id).then(
      () => setStep('done'),
      () => setStep('idle'),
    );
  };
  return (
    <section className="mt-5 border-t border-line pt-4">
      <h3 className="font-semibold">Lost the telephone?</h3>
      <p className="mt-1 text-ink-2">
        {step === 'done'
          ? `${person.firstName} has no second factor now.`
          : `Removes the authenticator app, the passkeys and the recovery codes. Until ${person.firstName} sets up a new one, the password alone is enough.`}
      </p>
      {step !== 'done' && (
        <Button className="mt-3" busy={step === 'busy'} onClick={remove}>
          Remove second factor
        </Button>
      )}
    </section>
  );
}
