// Intakes and the people behind them: duplicates, referrals, merges, and mails or texts sent to them.

import type { IntakeDuplicate } from '@matterdesk/contract/intakes.ts';
import { asActor } from '../../context.ts';
import type { Actor } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import { invalidField } from '../../core/refusal.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Follower } from '../contacts/service.merges.ts';
import { listKnown, type Sources } from '../contacts/service.ts';
import * as rules from './rules.ts';
import { lockIntake, newEntry, saveIntake } from './service.record.ts';
import * as store from './store.contacts.ts';
import type { ShownRow } from './store.ts';

/** Intakes on the card of a contact. */
const MAX_SHOWN = 50;

/** Possible duplicates with the reason for each. Never merges. */
export async function listDuplicates(db: Scoped, row: ShownRow): Promise<IntakeDuplicate[]> {
  const person = { name: row.name, email: row.email, phoneNumber: row.phone_number };
  const [known, twins] = await Promise.all([
    needsContact(row) ? listKnown(db, person) : [],
    store.listDuplicates(db, row),
  ]);
  return [
    ...known.map(({ id, same, name }) => ({
      kind: 'contact' as const,
      id,
      reason: `Same ${same} as the contact ${name}`,
    })),
    ...twins.map((twin) => ({
      kind: 'intake' as const,
      id: twin.id,
      reason: `Same ${twin.same} as intake ${twin.number}, ${rules.describeStage(twin)}`,
    })),
  ];
}

function needsContact({ contact_id, case_id, erased_at }: ShownRow): boolean {
  return contact_id === null && case_id === null && erased_at === null;
}

/** @returns the contact, or the one it was merged into @throws Refusal invalidInput for an unknown contact */
export async function requireReferral(trx: Transaction, id: string): Promise<string> {
  const found = isId(id) ? await store.findContact(trx, id) : undefined;
  if (found === undefined) throw invalidField('referredTo', 'Select a contact');
  return found;
}

/** Moves intakes along when contacts are merged. */
export const intakeFollower: Follower = {
  move: ({ trx }, pair) => store.moveContact(trx, pair),
  giveBack: async ({ trx }, { into, from }, ids) => {
    await store.moveContact(trx, { into: from, from: into }, ids);
  },
};

/** Whether an intake names the contact, or is referred to it. */
export const isInIntake: Sources['isInIntake'] = ({ trx }, contactId) =>
  store.refersTo(trx, contactId);

/** Intakes of a contact that the user may see. */
export const listIntakesOf: Sources['intakes'] = (context, contactId) =>
  store.listOfContact(asActor(context), contactId, MAX_SHOWN);

type Outreach = {
  emails?: string[];
  numbers?: string[];
  kind: 'mail' | 'message';
  /** Shown to its author alone. */
  text: string;
};

/** Notes a sent mail or text at the open intakes that it reaches; it may be their first response. */
export async function noteOutreach(
  unit: Unit,
  actor: Actor,
  { emails = [], numbers = [], kind, text }: Outreach,
): Promise<void> {
  for (const id of await store.listReached(unit.trx, { emails, numbers })) {
    const before = await lockIntake(unit.trx, id);
    const isFirst = before.first_response_at === null;
    await saveIntake(unit, before, {
      change: isFirst ? { first_response_at: new Date() } : {},
      entries: [{ ...newEntry(actor, kind, text), isOwn: true }],
      action: 'contacted',
    });
  }
}
