import UserPlus from 'lucide-react/icons/user-plus';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { listInvitations } from '../api.access.ts';
import { PendingInvitations } from './PendingInvitations.tsx';
import { useRead } from '../../../core/use-read.ts';

const InviteUser = lazy(async () => ({ default: (await import('./InviteUser.tsx')).InviteUser }));

/** Invites people, and lists the invitations that were not used yet. */
export function Invitations({ isByAdmin }: { isByAdmin: boolean }) {
  const { data = [], isFailed, refresh } = useRead(listInvitations);
  const [isInviting, setIsInviting] = useState(false);
  return (
    <>
      <Button icon={UserPlus} className="mb-4" onClick={() => setIsInviting(true)}>
        Invite
      </Button>
      {isFailed && (
        <p role="alert" className="mb-4 flex flex-wrap items-center gap-2 text-sm text-red">
          Couldn’t load the invitations.
          <Button size="small" onClick={refresh}>
            Try again
          </Button>
        </p>
      )}
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
