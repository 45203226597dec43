// Matters that the clues of papers point to, as far as the reader sees them.

import { sql } from 'kysely';
import type { Clues } from '../../db/schema-tray.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';
import type {
  FoundClaim,
  FoundCorrespondent,
  FoundNumber,
  FoundParty,
  FoundThread,
  Matter,
} from './rules.proposals.ts';
import type { ItemRow } from './store.ts';

/** Matters per kind of clue, for all papers of a page. */
const MOST = 500;

const matter = sql<Matter>`
  json_build_object('id', c.id, 'caseName', c.case_name, 'caseNo', c.case_no)`;

/** Active matters first, then the newest. @param keys folded */
export async function listByNumber(db: Scoped, keys: string[]): Promise<FoundNumber[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<FoundNumber>`
    select c.case_no_key as key, ${matter} as matter from cases c
    where c.case_no_key = any(${keys})
    order by c.status_type = 'Active' desc, c.serial desc limit ${MOST}`.execute(db);
  return rows;
}

/** In active matters, the newest first. @param numbers in capitals */
export async function listByClaim(db: Scoped, numbers: string[]): Promise<FoundClaim[]> {
  if (numbers.length === 0) return [];
  const { rows } = await sql<FoundClaim>`
    with noted as (
      select e.case_id, numbers_in(e.text) as numbers, null as contact
      from entries e where numbers_in(e.text) && ${numbers} and e.deleted_at is null
      union all
      select p.case_id, numbers_in(p.note), k.name
      from parties p join contacts k on k.id = p.contact_id
      where p.note <> '' and numbers_in(p.note) && ${numbers}
      union all
      select p.case_id, numbers_in(k.notes), k.name
      from contacts k join parties p on p.contact_id = k.id
      where k.notes is not null and numbers_in(k.notes) && ${numbers})
    select distinct on (c.serial, number, contact) number, ${sql`
      jsonb_build_object('id', c.id, 'caseName', c.case_name, 'caseNo', c.case_no)`} as matter, contact
    from noted n join cases c on c.id = n.case_id, unnest(n.numbers) as number
    where c.status_type = 'Active' and number = any(${numbers})
    order by c.serial desc, number, contact nulls first limit ${MOST}`.execute(db);
  return rows;
}

/** In active matters, the newest first, with the address that the matter itself gives. @param keys of names */
export async function listByName(db: Scoped, keys: string[]): Promise<FoundParty[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<FoundParty>`
    select k.name_key as key, ${matter} as matter, k.name, p.role,
      k.date_of_birth as "dateOfBirth", coalesce(s.address, k.address) as address
    from contacts k join parties p on p.contact_id = k.id join cases c on c.id = p.case_id
      left join contact_sources s on s.contact_id = k.id and s.case_id = c.id
    where k.name_key = any(${keys}) and c.status_type = 'Active'
      and (k.date_of_birth is not null or coalesce(s.address, k.address) is not null)
    order by c.serial desc, k.name_key, p.role limit ${MOST}`.execute(db);
  return rows;
}

/** Matters in which mails of these threads of the user are filed, the latest filing first. */
export async function listByThread(
  db: Scoped,
  userId: string,
  threads: string[],
): Promise<FoundThread[]> {
  if (threads.length === 0) return [];
  const { rows } = await sql<FoundThread>`
    select m.thread_id as thread, ${matter} as matter
    from filed_mails m join files f on f.id = m.file_id join cases c on c.id = f.case_id
    where m.user_id = ${userId} and m.thread_id = any(${threads}) and f.deleted_at is null
    order by m.filed_at desc, c.serial desc limit ${MOST}`.execute(db);
  return rows;
}

/** Active matters whose parties have these addresses or numbers, two for each, which is one too many. */
export async function listByCorrespondent(
  db: Scoped,
  keys: string[],
): Promise<FoundCorrespondent[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<FoundCorrespondent>`
    select s.key, found.* from unnest(${keys}::text[]) as s (key), lateral (
      select distinct on (c.serial) ${sql`
        jsonb_build_object('id', c.id, 'caseName', c.case_name, 'caseNo', c.case_no)`} as matter, k.name, p.role
      from contacts k join parties p on p.contact_id = k.id join cases c on c.id = p.case_id
      where c.status_type = 'Active' and k.id in (
        select id from contacts where keys @> array[s.key]
        union all
        select contact_id from contact_sources where is_walled and keys @> array[s.key])
      order by c.serial desc, p.role limit 2) found`.execute(db);
  return rows;
}

export type Unread = Pick<ItemRow, 'name' | 'size' | 'mime_type'> & { blob_key: string };

/** A paper of the tray that was not read for clues yet. */
export async function findUnread(db: Executor, id: string): Promise<Unread | undefined> {
  return db
    .selectFrom('tray_items')
    .select(['name', 'size', 'mime_type', 'blob_key'])
    .where('blob_key', 'is not', null)
    .$narrowType<{ blob_key: string }>()
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('clues', 'is', null)
    .executeTakeFirst();
}

type Read = { clues: Clues; excerpt: string; pages: number | null };

/** @returns whose paper it is; undefined for one that is not there any more */
export function storeClues(
  trx: Transaction,
  id: string,
  { clues, ...read }: Read,
): Promise<{ owner_id: string | null } | undefined> {
  return trx
    .updateTable('tray_items')
    .set({ ...read, clues: JSON.stringify(clues) })
    .where('id', '=', id)
    .returning('owner_id')
    .executeTakeFirst();
}
