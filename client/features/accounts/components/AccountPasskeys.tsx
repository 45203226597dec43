import type { Passkey } from '@matterdesk/contract/passkeys.ts';
import KeyRound from 'lucide-react/icons/key-round';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { CallError } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { addPasskey, removePasskey } from '../api.passkeys.ts';
import { deviceInWords } from '../rules.devices.ts';
import { canUsePasskeys } from '../rules.passkeys.ts';
import { PasskeyRow } from './PasskeyRow.tsx';
import { type Proof, ProofForm } from './ProofForm.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import type { useRead } from '../../../core/use-read.ts';

interface AccountPasskeysProps extends ReturnType<typeof useRead<Passkey[]>> {
  /** Whether the firm demands a second factor, and these are the only ones. */
  isLocked?: boolean;
  /** The user's factors have changed. */
  onChanged: () => void;
}

/** The user's passkeys, with which they sign in without a password. */
export function AccountPasskeys(props: AccountPasskeysProps) {
  const { data, isFailed, refresh, isLocked = false, onChanged } = props;
  const [isAdding, setIsAdding] = useState(false);
  const [codes, setCodes] = useState<string[]>();
  const change = () => {
    refresh();
    onChanged();
  };
  const add = async (proof: Proof) => {
    const added = await addPasskey(proof).catch(explain);
    if (!added) return;
    setIsAdding(false);
    refresh();
    if (added.recoveryCodes) setCodes(added.recoveryCodes);
    else onChanged();
  };
  if (codes)
    return (
      <RecoveryCodes
        codes={codes}
        onDone={() => {
          setCodes(undefined);
          onChanged();
        }}
      />
    );
  if (isFailed && !data) return <ErrorState title="Couldn’t load the passkeys" onRetry={refresh} />;
  if (!data) return <Skeleton className="h-11 w-full" />;
  return (
    <>
      <ul className="divide-y divide-line">
        {data.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            isLocked={isLocked && data.length === 1}
            onRemove={async (currentPassword) => {
              await removePasskey(passkey.id, currentPassword);
              change();
            }}
          />
        ))}
      </ul>
      {isAdding ? (
        <div className="mt-2">
          <ProofForm
            action="Add passkey"
            also={{ name: 'name', label: 'Name', value: deviceInWords(navigator.userAgent) }}
            onSubmit={add}
            onCancel={() => setIsAdding(false)}
          />
        </div>
      ) : canUsePasskeys() ? (
        <Button
          icon={data.length > 0 ? Plus : KeyRound}
          className="mt-2"
          onClick={() => setIsAdding(true)}
        >
          Add passkey
        </Button>
      ) : (
        <p className="text-note text-ink-2">
          Passkeys need an address with https and a name. Ask your administrator.
        </p>
      )}
    </>
  );
}

/** The browser's own refusal, such as after Cancel, changes nothing. @throws what the server refused */
function explain(error: unknown): undefined {
  if (error instanceof CallError) throw error;
  toast.error('No passkey was added');
}
