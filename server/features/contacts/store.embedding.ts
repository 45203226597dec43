import { sql } from 'kysely';
import { sendLater } from '../../db/connection.ts';
import type { Transaction } from '../../db/schema.ts';
import type { Copies } from './rules.copies.ts';
import { selectContacts, type ContactRow } from './store.ts';

/** Serializes the making of contacts with these names. Sent with the transaction's next statement. */
export async function lockNames(trx: Transaction, names: string[]): Promise<void> {
  const keys = [...new Set(names)].toSorted().map((name) => `matterdesk.contact ${name}`);
  await sendLater(
    trx,
    sql`select pg_advisory_xact_lock(k) from (
      select hashtextextended(n, 0) as k from unnest(${keys}::text[]) n order by 1) s`.compile(trx),
  );
}

type Match = Pick<ContactRow, 'id'> & { ref: number };
type Same = { ref: number; name: string; addresses: string[]; keys: string[] };

/** For each name the oldest contact that has it with one of the addresses, also by what a walled matter in scope says. */
export async function findSame(trx: Transaction, wanted: Same[]): Promise<Match[]> {
  if (wanted.length === 0) return [];
  const { rows } = await sql<Match>`
    select w.ref, c.id
    from unnest(${wanted.map((one) => JSON.stringify(one))}::json[]) as each (one),
      json_to_record(each.one) as w (ref int, name text, addresses text[], keys text[])
    cross join lateral (
      select answering_contact(f.id) as id from (
        select k.id, k.created_at from contacts k where k.keys && w.keys
        union all
        select k.id, k.created_at from walled_sources s join contacts k on k.id = s.contact_id
          where s.keys && w.addresses and k.name_key = w.name) f
      order by f.created_at, f.id limit 1) found
    join contacts c on c.id = found.id`.execute(trx);
  return rows;
}

/** Those of these contacts that the transaction sees. */
export function findChosen(trx: Transaction, ids: string[]): Promise<ContactRow[]> {
  return selectContacts(trx)
    .where('id', '=', sql<string>`any(${ids})`)
    .where('merged_into', 'is', null)
    .execute();
}

type BareCase = Copies & { serial: string };

/** Cases above a serial without a client among the parties, or of whose client it is not kept what they say, locked, so that none of their copies change meanwhile. */
export async function listUnparted(
  trx: Transaction,
  { after, limit }: { after: string; limit: number },
): Promise<BareCase[]> {
  const rows = await trx
    .selectFrom('cases as c')
    .select(['c.id', 'c.serial', 'c.client_name', 'c.client_phone_number', 'c.client_email'])
    .select(['c.client_address', 'c.counsel_organization', 'c.counsel_name'])
    .select(['c.counsel_phone_number', 'c.counsel_email', 'c.counsel_address'])
    .select(['c.access', 'c.is_walled'])
    .where('c.serial', '>', after)
    .where(
      sql<boolean>`not exists (select from parties p join contact_sources s
        on s.case_id = c.id and s.contact_id = p.contact_id
        where p.case_id = c.id and p.embedded = 'clientInfo')`,
    )
    .orderBy('c.serial')
    .limit(limit)
    // Weaker than for a deletion, so that rows which refer to the case are added meanwhile.
    .forNoKeyUpdate('c')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    serial: row.serial,
    ...(row.is_walled && { access: row.access }),
    clientInfo: {
      name: row.client_name,
      phoneNumber: row.client_phone_number,
      email: row.client_email,
      address: row.client_address,
    },
    opposingCounselInfo: {
      organization: row.counsel_organization,
      name: row.counsel_name,
      phoneNumber: row.counsel_phone_number,
      email: row.counsel_email,
      address: row.counsel_address,
    },
  }));
}
