import KeyRound from 'lucide-react/icons/key-round';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import type { Passkey } from '@matterdesk/contract/second-factors.ts';
import { CallError } from '../../../api.ts';
import { deviceInWords } from '../../../core/device.ts';
import type { useRead } from '../../../core/use-read.ts';
import { Button } from '../../../ui/Button.tsx';
import { formatDay, localDay } from '../../../ui/days.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { addPasskey, removePasskey } from '../api.factors.ts';
import { canUsePasskeys } from '../rules.passkeys.ts';
import { type Proof, ProofForm } from './ProofForm.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

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
              await removePasskey({ params: { id: passkey.id }, body: { currentPassword } });
              change();
            }}
          />
        ))}
      </ul>
      {isAdding ? (
        <div className="mt-2">
          <ProofForm
            action="Add passkey"
            extraField={{ name: 'name', label: 'Name', value: deviceInWords(navigator.userAgent) }}
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

interface PasskeyRowProps {
  passkey: Passkey;
  /** Whether it is the last factor while the firm demands one. */
  isLocked: boolean;
  onRemove: (currentPassword: string) => Promise<void>;
}

function PasskeyRow({ passkey, isLocked, onRemove }: PasskeyRowProps) {
  const { name, createdAt, usedAt } = passkey;
  const [isRemoving, setIsRemoving] = useState(false);
  const used = usedAt === null ? 'not used yet' : `used ${dayOf(usedAt)}`;
  return (
    <li className="py-1.5">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <KeyRound className="flex-none" />
        <p className="min-w-0 grow">
          <span className="font-medium wrap-anywhere">{name}</span>{' '}
          <span className="text-note text-ink-2 tabular-nums">
            added {dayOf(createdAt)} · {used}
          </span>
          {isLocked && (
            <span className="block text-note text-ink-2">
              Your firm requires a second factor, so the last one cannot be removed.
            </span>
          )}
        </p>
        {!isRemoving && (
          <Button
            variant="quiet"
            size="small"
            disabled={isLocked}
            aria-label={`Remove ${name}`}
            onClick={() => setIsRemoving(true)}
          >
            Remove
          </Button>
        )}
      </div>
      {isRemoving && (
        <ProofForm
          action="Remove"
          onSubmit={({ currentPassword }) => onRemove(currentPassword)}
          onCancel={() => setIsRemoving(false)}
        />
      )}
    </li>
  );
}

function dayOf(at: string): string {
  const day = localDay(new Date(at));
  return day === localDay(new Date()) ? 'today' : formatDay(day, 'short');
}
