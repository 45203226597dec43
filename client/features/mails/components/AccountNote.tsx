// Components of the mailbox: list, reader, and compose panel.

import RotateCw from 'lucide-react/icons/rotate-cw';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import Unplug from 'lucide-react/icons/unplug';
import { Button } from '../../../ui/Button.tsx';
import { ageInWords } from '../rules.ts';
import type { Account } from '../hooks/use-account.ts';
import type { ShownList } from '../hooks/use-mail-list.ts';
import { useNow } from '../../../core/use-now.ts';

interface AccountNoteProps {
  account: Account;
  list: ShownList;
  onRefresh: () => void;
  onDisconnect: () => void;
}

/** The mailbox's address, the age of its list, and buttons to refresh and disconnect. */
export function AccountNote({ account, list, onRefresh, onDisconnect }: AccountNoteProps) {
  const now = useNow();
  const { data, isBusy } = list;
  return (
    <div className="text-xs text-ink-2 @max-5xl:hidden">
      {!account.isAnother && (
        <p className="px-2">
          <Address of={account.email} />
        </p>
      )}
      <p className="px-2">{isBusy ? 'Updating' : ageInWords(data?.readAt ?? null, now)}</p>
      <div className="mt-1.5 flex flex-col items-start">
        <Button
          size="small"
          variant="quiet"
          icon={RotateCw}
          aria-disabled={isBusy || undefined}
          onClick={() => !isBusy && onRefresh()}
        >
          Refresh
        </Button>
        {!account.isAnother && (
          <Button size="small" variant="quiet" icon={Unplug} onClick={onDisconnect}>
            Disconnect
          </Button>
        )}
      </div>
    </div>
  );
}

/** Warns that the mailbox belongs to another address than the user's, and offers to disconnect. */
export function OtherAccount({
  account,
  onDisconnect,
}: Pick<AccountNoteProps, 'account' | 'onDisconnect'>) {
  if (!account.isAnother) return null;
  return (
    <section
      aria-label="Another account"
      className="rounded-card bg-amber-soft px-2.5 py-2 text-xs text-amber"
    >
      <p className="flex gap-1.5">
        <TriangleAlert className="size-3.5" />
        <span className="min-w-0">
          This mailbox belongs to <Address of={account.email} />, not to{' '}
          <Address of={account.own} />. Mail is sent from that address.
        </span>
      </p>
      <Button size="small" icon={Unplug} className="mt-2" onClick={onDisconnect}>
        Disconnect
      </Button>
    </section>
  );
}

/** An email address that breaks before the @ if it is too long for its line. */
function Address({ of: address }: { of: string }) {
  const at = address.lastIndexOf('@');
  return (
    <span className="wrap-anywhere">
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </span>
  );
}
