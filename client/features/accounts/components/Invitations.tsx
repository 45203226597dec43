import { lazy, Suspense } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { listInvitations } from '../api.access.ts';
import { PendingInvitations } from './PendingInvitations.tsx';
import { useRead } from '../../../core/use-read.ts';

const InviteUser = lazy(async () => ({ default: (await import('./InviteUser.tsx')).InviteUser }));

interface InvitationsProps {
  isByAdmin: boolean;
  isInviting: boolean;
  onClose: () => void;
}

/** Lists the invitations that were not used yet, and adds one. */
export function Invitations({ isByAdmin, isInviting, onClose }: InvitationsProps) {
  const { data = [], isFailed, refresh } = useRead(listInvitations);
  return (
    <>
      {isFailed && (
        <p role="alert" className="mt-6 flex flex-wrap items-center gap-2 text-sm text-red">
          Couldn’t load the invitations.
          <Button size="small" onClick={refresh}>
            Try again
          </Button>
        </p>
      )}
      <PendingInvitations invitations={data} isAdmin={isByAdmin} onWithdrawn={refresh} />
      <Suspense>
        {isInviting && <InviteUser isByAdmin={isByAdmin} onClose={onClose} onInvited={refresh} />}
      </Suspense>
    </>
  );
}
