import { sql } from 'kysely';
import type { Scoped, Transaction } from '../../db/schema.ts';

/** One of a user's mails, or their texts with a number. */
export type Origin = { userId: string; kind: 'mail' | 'message'; of: string };

const textOf = ({ kind, of }: Origin) => `${kind} ${of}`;

/** Serializes the makings of intakes of one origin. */
export async function lockOrigin(trx: Transaction, origin: Origin): Promise<void> {
  const name = `matterdesk.intake ${origin.userId} ${textOf(origin)}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

/** The intake that was made of it, if the reader still sees it. Texts go on after an intake is closed, a mail does not. */
export async function findMade(db: Scoped, origin: Origin): Promise<string | undefined> {
  const row = await db
    .selectFrom('intake_origins as o')
    .innerJoin('intakes as i', 'i.id', 'o.intake_id')
    .select('i.id')
    .where('o.user_id', '=', origin.userId)
    .where('o.origin', '=', textOf(origin))
    .$if(origin.kind === 'message', (query) => query.where('i.closed_at', 'is', null))
    .executeTakeFirst();
  return row?.id;
}

export async function keepOrigin(trx: Transaction, origin: Origin, intakeId: string) {
  await trx
    .insertInto('intake_origins')
    .values({ user_id: origin.userId, origin: textOf(origin), intake_id: intakeId })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'origin']).doUpdateSet({ intake_id: intakeId }),
    )
    .execute();
}
