import RotateCw from 'lucide-react/icons/rotate-cw';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import Unplug from 'lucide-react/icons/unplug';
import { useState } from 'react';
import { useAppDispatch, useAppSelector } from '../../../app/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { disconnect } from '../api.ts';
import type { MailList } from '../slice.ts';
import { useNow } from './use-now.ts';

interface AccountNoteProps {
  list: MailList | undefined;
  onRefresh: () => void;
}

/** Whose mailbox this is, how old what is shown of it is, and the way out. */
export function AccountNote({ list, onRefresh }: AccountNoteProps) {
  const current = useAppSelector(({ user }) => user.current);
  const account = current?.googleEmail ?? '';
  const isAnother = account !== '' && account.toLowerCase() !== current?.email.toLowerCase();
  return (
    <div className="text-xs text-ink-2">
      {isAnother && (
        <p className="mb-2 flex gap-1.5 rounded-card bg-amber-soft px-2 py-1.5 text-amber">
          <TriangleAlert className="size-3.5" />
          <span className="min-w-0 wrap-anywhere">
            This is the mailbox of {account}, not of {current?.email}. Mail leaves from there.
          </span>
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-3 @5xl:block">
        {!isAnother && <p className="truncate @5xl:px-2">{account}</p>}
        <p className="@5xl:px-2">
          <Age list={list} />
        </p>
        <div className="flex flex-wrap gap-1 @max-5xl:ml-auto @5xl:mt-1.5">
          <Button
            size="small"
            variant="quiet"
            icon={RotateCw}
            busy={(list?.asks ?? 0) > 0}
            onClick={onRefresh}
          >
            Refresh
          </Button>
          <Disconnect account={account} />
        </div>
      </div>
    </div>
  );
}

function Age({ list }: { list: MailList | undefined }) {
  const now = useNow();
  if (!list?.readAt) return '\u00A0';
  const minutes = Math.floor((now.getTime() - Date.parse(list.readAt)) / 60_000);
  if (minutes < 1) return 'Updated just now';
  if (minutes < 60) return `Updated ${minutes} min ago`;
  return `Updated ${new Date(list.readAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}`;
}

function Disconnect({ account }: { account: string }) {
  const dispatch = useAppDispatch();
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const handleConfirm = async () => {
    setIsBusy(true);
    try {
      await dispatch(disconnect());
    } catch {
      // The call has said what went wrong.
      setIsBusy(false);
      setIsAsking(false);
    }
  };
  return (
    <>
      <Button size="small" variant="quiet" icon={Unplug} onClick={() => setIsAsking(true)}>
        Disconnect
      </Button>
      <ConfirmDialog
        open={isAsking}
        title="Disconnect Google?"
        confirmLabel="Disconnect"
        busy={isBusy}
        onClose={() => setIsAsking(false)}
        onConfirm={() => void handleConfirm()}
      >
        Matterdesk forgets its access to {account || 'the mailbox'} at once. All mail stays at
        Google, and what was filed to a case stays there.
      </ConfirmDialog>
    </>
  );
}
