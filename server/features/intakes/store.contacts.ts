import { sql } from 'kysely';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { phoneDigits } from '../../db/search.ts';
import type { IntakeRow } from './store.ts';

/** The contact, or the one it was merged into. */
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

/** Whether an intake that the transaction sees names the contact, or was referred to it. */
export async function refersTo(trx: Transaction, contactId: string): Promise<boolean> {
  const { rows } = await sql`
    select from intakes where ${contactId} in (contact_id, referred_to) limit 1`.execute(trx);
  return rows.length > 0;
}

/** Intakes that one mail or text is noted at, at most. */
const MAX_REACHED = 20;

/** Visible open intakes with one of these addresses or numbers. */
export async function listReached(
  trx: Transaction,
  { emails, numbers }: { emails: string[]; numbers: string[] },
): Promise<string[]> {
  const addresses = emails.map((email) => email.trim().toLowerCase());
  const digits = numbers.map(phoneDigits);
  const { rows } = await sql<{ id: string }>`
    select id from intakes where not is_spam and closed_at is null
      and (lower(email) = any(${addresses}::text[]) or phone_digits = any(${digits}::text[]))
    order by id limit ${MAX_REACHED}`.execute(trx);
  return rows.map(({ id }) => id);
}

/** An intake on a contact's card. */
type CardRow = {
  id: string;
  number: string;
  name: string;
  description: string;
  stage: string;
  received_at: Date;
  case: { id: string; caseName: string } | null;
};

/** Visible intakes of a contact, newest first. */
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

/** The contact of a case's client. */
export async function findClient(trx: Transaction, caseId: string): Promise<string | null> {
  const row = await trx
    .selectFrom('parties')
    .select('contact_id')
    .where('case_id', '=', caseId)
    .where('embedded', '=', 'clientInfo')
    .executeTakeFirst();
  return row?.contact_id ?? null;
}

/** Possible duplicates at most. */
const MAX_DUPLICATES = 20;

export type DuplicateRow = Pick<IntakeRow, 'id' | 'number' | 'stage' | 'closed_at'> & {
  same: string;
};

/** Other intakes with the same email, phone or name. */
export function listDuplicates(db: Scoped, row: IntakeRow): Promise<DuplicateRow[]> {
  const email = sql<boolean>`lower(email) = lower(${row.email})`;
  const phone = sql<boolean>`phone_digits = ${row.phone_digits}`;
  const name = sql<boolean>`lower(name) = lower(${row.name})`;
  return db
    .selectFrom('intakes')
    .select(['id', 'number', 'stage', 'closed_at'])
    .select(
      sql<string>`case when ${phone} then 'phone' when ${email} then 'email' else 'name' end`.as(
        'same',
      ),
    )
    .where('id', '!=', row.id)
    .where('is_spam', '=', false)
    .where((eb) => eb.or([email, phone, name]))
    .orderBy('number', 'desc')
    .limit(MAX_DUPLICATES)
    .execute();
}
