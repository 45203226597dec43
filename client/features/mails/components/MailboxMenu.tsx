import Ellipsis from 'lucide-react/icons/ellipsis';
import RotateCw from 'lucide-react/icons/rotate-cw';
import Unplug from 'lucide-react/icons/unplug';
import { lazy, Suspense, useState } from 'react';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { useAccount } from './use-account.ts';

const DisconnectDialog = lazy(async () => ({
  default: (await import('./DisconnectDialog.tsx')).DisconnectDialog,
}));

/** The mailbox's address and actions, on screens too narrow for a column. */
export function MailboxMenu({ onRefresh }: { onRefresh: () => void }) {
  const { email } = useAccount();
  const [isLeaving, setIsLeaving] = useState(false);
  return (
    <div className="flex-none @5xl:hidden">
      <MenuButton
        label="Mailbox"
        icon={Ellipsis}
        variant="quiet"
        heading={email}
        entries={[
          { label: 'Refresh', icon: RotateCw, onSelect: onRefresh },
          { label: 'Disconnect', icon: Unplug, onSelect: () => setIsLeaving(true) },
        ]}
      />
      <Suspense>
        {isLeaving && <DisconnectDialog email={email} onClose={() => setIsLeaving(false)} />}
      </Suspense>
    </div>
  );
}
