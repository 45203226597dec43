import UserPlus from 'lucide-react/icons/user-plus';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { listInvitations } from '../api.access.ts';
import { PendingInvitations } from './PendingInvitations.tsx';
import { useRead } from '../../../core/use-read.ts';

const InviteUser = lazy(async () => ({ default: (await import('./InviteUser.tsx')).InviteUser }));

/** Invites people, and lists the invitations that were not used yet. */
export function Invitations({ isByAdmin }: { isByAdmin: boolean }) {
  const { data = [], refresh } = useRead(listInvitations);
  const [isInviting, setIsInviting] = useState(false);
  return (
    <>
      <Button icon={UserPlus} className="mb-4" onClick={() => setIsInviting(true)}>
        Invite
      </Button>
      <PendingInvitations invitations={data} isAdmin={isByAdmin} onWithdrawn={refresh} />
      <Suspense>
        {isInviting && (
          <InviteUser
            isByAdmin={isByAdmin}
            onClose={() => setIsInviting(false)}
            onInvited={refresh}
          />
        )}
      </Suspense>
    </>
  );
}
