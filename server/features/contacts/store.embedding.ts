import { sql } from 'kysely';
import { sendLater } from '../../db/connection.ts';
import type { Transaction } from '../../db/schema.ts';
import type { Copies } from './rules.copies.ts';
import { columns, selectContacts, type ContactRow } from './store.ts';

/** Serializes the making of contacts with these names. Sent with the transaction's next statement. */
export async function lockNames(trx: Transaction, names: string[]): Promise<void> {
  const keys = [...new Set(names)].toSorted().map((name) => `matterdesk.contact ${name}`);
  await sendLater(
    trx,
    sql`select pg_advisory_xact_lock(k) from (
      select hashtextextended(n, 0) as k from unnest(${keys}::text[]) n order by 1) s`.compile(trx),
  );
}

type Match = Omit<ContactRow, 'links'> & { ref: number };

/** For each list of keys the oldest contact that has one of them. */
export async function findSame(
  trx: Transaction,
  wanted: { ref: number; keys: string[] }[],
): Promise<Match[]> {
  if (wanted.length === 0) return [];
  const shown = sql.join(columns.map((column) => sql.ref(`c.${column}`)));
  const { rows } = await sql<Match>`
    select w.ref, ${shown}
    from unnest(${wanted.map((one) => JSON.stringify(one))}::json[]) as each (one),
      json_to_record(each.one) as w (ref int, keys text[])
    cross join lateral (
      select answering_contact(k.id) as id from contacts k
      where k.keys && w.keys order by k.created_at, k.id limit 1) found
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

/** Cases above a serial without a client among the parties, locked, so that none of their copies change meanwhile. */
export async function listUnparted(
  trx: Transaction,
  { after, limit }: { after: string; limit: number },
): Promise<BareCase[]> {
  const rows = await trx
    .selectFrom('cases as c')
    .select(['c.id', 'c.serial', 'c.client_name', 'c.client_phone_number', 'c.client_email'])
    .select(['c.client_address', 'c.counsel_organization', 'c.counsel_name'])
    .select(['c.counsel_phone_number', 'c.counsel_email', 'c.counsel_address'])
    .where('c.serial', '>', after)
    .where(
      sql<boolean>`not exists (select from parties p where p.case_id = c.id and p.embedded = 'clientInfo')`,
    )
    .orderBy('c.serial')
    .limit(limit)
    // Weaker than for a deletion, so that rows which refer to the case are added meanwhile.
    .forNoKeyUpdate('c')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    serial: row.serial,
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
