import type { Actor } from '../../core/actor.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { entryOf, keepIntake, lockIntake } from './service.keeping.ts';
import { findReached } from './store.checks.ts';

type Contact = { emails?: string[]; numbers?: string[]; kind: 'mail' | 'message'; text: string };

/** Notes a mail or a text that was sent to open intakes: it may be their first response. @param contact.text for its author alone */
export async function noteContact(
  unit: Unit,
  actor: Actor,
  { emails = [], numbers = [], kind, text }: Contact,
): Promise<void> {
  for (const id of await findReached(unit.trx, { emails, numbers })) {
    const before = await lockIntake(unit.trx, id);
    const isFirst = before.first_response_at === null;
    await keepIntake(unit, before, {
      change: isFirst ? { first_response_at: new Date() } : {},
      entries: [{ ...entryOf(actor, kind, text), isOwn: true }],
      action: 'contacted',
    });
  }
}
