import { sql } from 'kysely';
import type { Outcome } from '@matterdesk/contract/conflicts.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { phoneDigits } from '../../db/search.ts';

export type AskedOf = { name: string; otherNames: string[] };
export type ConcludedRow = { names: AskedOf[]; outcome: Outcome };

/** Concluded checks of an intake, newest first. */
export async function listConcluded(trx: Transaction, intakeId: string): Promise<ConcludedRow[]> {
  const { rows } = await sql<ConcludedRow>`
    select k.names, e.body ->> 'outcome' as outcome
    from conflict_checks k join conflict_entries e on e.check_id = k.id and e.action = 'concluded'
    where k.intake_id = ${intakeId} order by k.number desc`.execute(trx);
  return rows;
}

/** The contact, or the one that it answers like. */
export async function findContact(db: Scoped, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('contacts')
    .select('id')
    .where('id', '=', sql<string>`answering_contact(${id})`)
    .executeTakeFirst();
  return row?.id;
}

/** Moves intakes, and referrals, from one contact to another. @returns ids of the intakes */
export async function moveContact(
  trx: Transaction,
  { into, from }: { into: string; from: string },
  among?: string[],
): Promise<string[]> {
  const chosen =
    among === undefined ? sql<boolean>`true` : sql<boolean>`id = any(${among}::uuid[])`;
  const { rows } = await sql<{ id: string }>`
    update intakes set
      contact_id = case when contact_id = ${from} then ${into} else contact_id end,
      referred_to = case when referred_to = ${from} then ${into} else referred_to end
    where ${from} in (contact_id, referred_to) and ${chosen} returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Intakes that one sending reaches at most. */
const REACHED = 20;

/** Open intakes that the person in scope sees, with one of these addresses or numbers. */
export async function findReached(
  trx: Transaction,
  { emails, numbers }: { emails: string[]; numbers: string[] },
): Promise<string[]> {
  const addresses = emails.map((email) => email.trim().toLowerCase());
  const digits = numbers.map(phoneDigits);
  const { rows } = await sql<{ id: string }>`
    select id from intakes where not is_spam and closed_at is null
      and (lower(email) = any(${addresses}::text[]) or phone_digits = any(${digits}::text[]))
    order by id limit ${REACHED}`.execute(trx);
  return rows.map(({ id }) => id);
}

/** What a card shows of an intake. */
type CardRow = {
  id: string;
  number: string;
  name: string;
  description: string;
  stage: string;
  received_at: Date;
  case: { id: string; caseName: string } | null;
};

/** Intakes of a contact that the person in scope sees, newest first. */
export async function listOfContact(db: Scoped, contactId: string, limit: number) {
  const { rows } = await sql<CardRow>`
    select i.id, i.number, i.name, i.description, i.stage, i.received_at,
      case when c.id is not null then jsonb_build_object('id', c.id, 'caseName', c.case_name) end as case
    from intakes i left join cases c on c.id = i.case_id
    where i.contact_id = ${contactId} and not i.is_spam
    order by i.number desc limit ${limit}`.execute(db);
  return rows.map(({ received_at: at, number, ...row }) => ({
    ...row,
    number: Number(number),
    receivedAt: at.toISOString(),
  }));
}
