import { sql, type Kysely } from 'kysely';

/** Which intake a user made of which mail, or of their texts with a number. Read with the views of intakes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table intake_origins (
      user_id uuid not null references users (id) on delete cascade,
      origin text not null,
      intake_id uuid not null references base.intakes (id) on delete cascade,
      primary key (user_id, origin)
    )`.execute(db);
  await sql`create index intake_origins_of_intake on intake_origins (intake_id)`.execute(db);
}
