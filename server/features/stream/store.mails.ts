// Mails of users from people of a matter that no one has filed yet.

import { type RawBuilder, sql } from 'kysely';
import type { Scoped } from '../../db/schema.ts';
import { everyWord, fold } from '../../db/search.ts';
import type { Place } from './store.entries.ts';
import type { Filter } from './store.ts';

export type MailRow = {
  id: string;
  at: Date;
  owner_id: string;
  first_name: string;
  last_name: string;
  mail_id: string;
  subject: string;
  snippet: string;
};

type Asked = {
  /** Addresses of the matter's parties, as the keys of contacts have them. */
  senders: readonly string[];
  readerId: string;
};

/** Newest first. */
export async function listUnfiledMails(
  db: Scoped,
  filter: Filter,
  { limit, after, ...asked }: Asked & { limit: number; after: Place | undefined },
): Promise<MailRow[]> {
  if (asked.senders.length === 0) return [];
  const { rows } = await sql<MailRow>`
    select t.id, t.at, t.owner_id, u.first_name, u.last_name, t.mail_id, t.name as subject, t.excerpt as snippet
    from tray_items t join users u on u.id = t.owner_id
    where ${matchingMails(filter, asked)}
      ${after ? sql`and (t.at, t.id::text collate "C") < (${after.at}::timestamptz, ${after.id})` : sql``}
    order by t.at desc, t.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function countUnfiledMails(db: Scoped, filter: Filter, asked: Asked): Promise<number> {
  if (asked.senders.length === 0) return 0;
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from tray_items t where ${matchingMails(filter, asked)}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** A search finds only what its reader may read. */
function matchingMails(
  { people, from, to, search = '' }: Filter,
  { senders, readerId }: Asked,
): RawBuilder<boolean> {
  const conditions = [
    sql<boolean>`t.source = 'mail' and t.state <> 'filed' and t.sender_key = any(${senders})`,
  ];
  if (people) conditions.push(sql`t.owner_id = any(${people}::uuid[])`);
  if (from) conditions.push(sql`t.at >= ${from}`);
  if (to) conditions.push(sql`t.at < ${to}`);
  if (search !== '') {
    const words = sql`lower(t.name || E'\n' || t.excerpt)`;
    conditions.push(
      sql`t.owner_id = ${readerId}`,
      everyWord(search, (word) => sql`strpos(${words}, ${fold(word)}) > 0`),
    );
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
