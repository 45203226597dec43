// Invites people by a link that makes an active account.

import type { Role } from '@matterdesk/contract/accounts.ts';
import {
  type Invitation,
  type NewInvitation,
  NewInvitationSchema,
} from '@matterdesk/contract/invitations.ts';
import { type ActorContext, write } from '../../../context.ts';
import { type Actor, allow, fullName } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { Letter } from '../../../integrations/smtp/mailer.ts';
import { addressTaken, mayChange } from '../rules.ts';
import { canSendSystemMail, queueSystemMail } from '../service.letters.ts';
import * as accounts from '../store.ts';
import * as store from './store.ts';

type By = { firstName: string; lastName: string };

export async function listInvitations(
  context: ActorContext,
): Promise<{ invitations: Invitation[] }> {
  allow(context.actor, 'manageUsers');
  const rows = await store.listInvitations(context.db);
  return { invitations: rows.map(store.toInvitation) };
}

/** Before the body is validated, so that a refusal says nothing about it. @throws Refusal notPermitted */
export function requireMayInvite(actor: Actor, json: unknown): void {
  const { data } = NewInvitationSchema.safeParse(json);
  if (data && !mayInvite(actor, data)) throw new Refusal('notPermitted');
}

/** @throws Refusal notPermitted, alreadyExists */
export async function inviteUser(context: ActorContext, invited: NewInvitation) {
  allow(context.actor, 'manageUsers');
  if (!mayInvite(context.actor, invited)) throw new Refusal('notPermitted');
  const { publicUrl } = context.config;
  return write(context, async (unit) => {
    if (await accounts.findUserByEmail(unit.trx, invited.email)) throw addressTaken();
    const { id, token } = await store.insertInvitation(unit.trx, invited, context.actor.id);
    const row = await store.findInvitation(unit.trx, id);
    if (!row) throw notFound('Invitation');
    const invitation = store.toInvitation(row);
    const url = `${publicUrl}/register?invitation=${token}`;
    await unit.record({ ...aboutInvitation(id), action: 'created', after: invitation });
    if (canSendSystemMail(context))
      await queueSystemMail(context, unit, {
        letter: writeInvitation(invited.email, context.actor, url),
      });
    return { invitation, url };
  });
}

/** @throws Refusal notPermitted, notFound */
export async function withdrawInvitation(context: ActorContext, id: string): Promise<void> {
  allow(context.actor, 'manageUsers');
  await write(context, async (unit) => {
    const row = isId(id) ? await store.findInvitation(unit.trx, id) : undefined;
    if (!row) throw notFound('Invitation');
    if (!mayChange(context.actor, row)) throw new Refusal('notPermitted');
    await store.deleteInvitation(unit.trx, id);
    await unit.record({ ...aboutInvitation(id), action: 'deleted', before: store.toInvitation(row) });
  });
}

function aboutInvitation(id: string) {
  return { entity: 'invitation', entityId: id } as const;
}

/** Only an admin invites admins or grants permissions. */
function mayInvite(actor: { role: Role }, { role, permissions }: Partial<NewInvitation>) {
  const isGranting = Object.values(permissions ?? {}).includes(true);
  return actor.role === 'admin' || (role !== 'admin' && !isGranting);
}

function writeInvitation(to: string, by: By, url: string): Letter {
  return {
    to,
    subject: `${fullName(by)} invites you to Matterdesk`,
    text: `${fullName(by)} invites you to your firm's Matterdesk.

Create your account within three days:
${url}

If you do not expect this, ignore this mail.
`,
  };
}
