import {
  NewInvitationSchema,
  type Invitation,
  type NewInvitation,
} from '@matterdesk/contract/invitations.ts';
import { allow, type Actor } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { Database } from '../../../db/schema.ts';
import type { Writer } from '../../../db/unit-of-work.ts';
import { addressTaken, mayChange } from '../rules.ts';
import type { Post } from '../service.post.ts';
import * as accounts from '../store.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

type Parts = { db: Database; writer: Writer; post: Post; publicUrl: string };

/** Invites people by a link that makes an active account. */
export class InvitationService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async list(actor: Actor): Promise<{ invitations: Invitation[] }> {
    allow(actor, 'manageUsers');
    const rows = await store.listInvitations(this.#parts.db);
    return { invitations: rows.map(store.toInvitation) };
  }

  /** Before the body is validated, so that a refusal says nothing about it. @throws Refusal notPermitted */
  requireMayInvite(actor: Actor, json: unknown): void {
    const { data } = NewInvitationSchema.safeParse(json);
    if (data && !rules.mayInvite(actor, data)) throw new Refusal('notPermitted');
  }

  /** @throws Refusal notPermitted, alreadyExists */
  async invite(actor: Actor, invited: NewInvitation) {
    allow(actor, 'manageUsers');
    if (!rules.mayInvite(actor, invited)) throw new Refusal('notPermitted');
    const { writer, post, publicUrl } = this.#parts;
    return writer.run(actor, async (unit) => {
      if (await accounts.findUserByEmail(unit.trx, invited.email)) throw addressTaken();
      const { id, token } = await store.insertInvitation(unit.trx, invited, actor.id);
      const row = await store.findInvitation(unit.trx, id);
      if (!row) throw notFound('Invitation');
      const invitation = store.toInvitation(row);
      const url = `${publicUrl}/register?invitation=${token}`;
      await unit.record({ ...about(id), action: 'created', after: invitation });
      if (post.isOn)
        await post.add(unit, { letter: rules.writeInvitation(invited.email, actor, url) });
      return { invitation, url };
    });
  }

  /** @throws Refusal notPermitted, notFound */
  async withdraw(actor: Actor, id: string): Promise<void> {
    allow(actor, 'manageUsers');
    await this.#parts.writer.run(actor, async (unit) => {
      const row = isId(id) ? await store.findInvitation(unit.trx, id) : undefined;
      if (!row) throw notFound('Invitation');
      if (!mayChange(actor, row)) throw new Refusal('notPermitted');
      await store.deleteInvitation(unit.trx, id);
      await unit.record({ ...about(id), action: 'deleted', before: store.toInvitation(row) });
    });
  }
}

function about(id: string) {
  return { entity: 'invitation', entityId: id } as const;
}
