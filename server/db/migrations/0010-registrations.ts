import { sql, type Kysely } from 'kysely';

/** A number's registration with US carriers according to Twilio, and when it was last checked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table phone_numbers
      add column registration text
        check (registration in ('registered', 'inReview', 'rejected', 'missing')),
      -- Twilio's own reason for a rejection.
      add column registration_reason text,
      add column registration_asked_at timestamptz(3)`.execute(db);
}
