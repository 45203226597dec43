import type { Passkey } from '@matterdesk/contract/passkeys.ts';
import KeyRound from 'lucide-react/icons/key-round';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { formatDay, localDay } from '../../../ui/days.ts';
import { ProofForm } from './ProofForm.tsx';

interface PasskeyRowProps {
  passkey: Passkey;
  /** Whether it is the last factor while the firm demands one. */
  isLocked: boolean;
  onRemove: (currentPassword: string) => Promise<void>;
}

export function PasskeyRow({ passkey, isLocked, onRemove }: PasskeyRowProps) {
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
