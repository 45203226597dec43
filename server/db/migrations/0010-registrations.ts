import { sql, type Kysely } from 'kysely';

/** What Twilio says of a number's registration with the carriers of the US, and when it was last asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table phone_numbers
      add column registration text
        check (registration in ('registered', 'inReview', 'rejected', 'missing')),
      -- Twilio's own sentence on what was rejected.
      add column registration_reason text,
      add column registration_asked_at timestamptz(3)`.execute(db);
}
