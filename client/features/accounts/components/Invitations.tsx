import type { Invitation } from '@matterdesk/contract/invitations.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { fullName } from '../../../core/full-name.ts';
import { useRead } from '../../../core/use-read.ts';
import { Button } from '../../../ui/Button.tsx';
import { formatDay, localDay } from '../../../ui/days.ts';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import { listInvitations, withdrawInvitation } from '../api.access.ts';

const InviteUser = lazyNamed(() => import('./InviteUser.tsx'), 'InviteUser');

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
      {isInviting && <InviteUser isByAdmin={isByAdmin} onClose={onClose} onInvited={refresh} />}
    </>
  );
}

interface PendingInvitationsProps {
  invitations: readonly Invitation[];
  isAdmin: boolean;
  onWithdrawn: () => void;
}

/** Invitations that were not used yet. */
function PendingInvitations({ invitations, isAdmin, onWithdrawn }: PendingInvitationsProps) {
  const pending = invitations.filter(({ usedAt }) => usedAt === null);
  if (pending.length === 0) return null;
  const withdraw = (id: string) =>
    void withdrawInvitation({ params: { id } }).then(onWithdrawn, () => undefined);
  return (
    <section className="mt-8">
      <SectionHeading>Invitations</SectionHeading>
      <ul className="divide-y divide-line border-y border-line">
        {pending.map((invitation) => (
          <li
            key={invitation.id}
            className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 py-1.5"
          >
            <p className="min-w-0 grow wrap-anywhere">
              <span className="font-medium">{invitation.email}</span>{' '}
              <span className="text-note text-ink-2">{describe(invitation)}</span>
            </p>
            {(isAdmin || invitation.role !== 'admin') && (
              <Button
                size="small"
                onClick={() => withdraw(invitation.id)}
                aria-label={`Withdraw the invitation of ${invitation.email}`}
              >
                Withdraw
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function describe({ role, by, expiresAt }: Invitation): string {
  const until = formatDay(localDay(new Date(expiresAt)), 'short');
  const end = Date.parse(expiresAt) < Date.now() ? `expired ${until}` : `until ${until}`;
  return `${role === 'admin' ? 'Admin' : 'User'} · by ${fullName(by)} · ${end}`;
}
