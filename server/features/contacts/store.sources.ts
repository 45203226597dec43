import { sql } from 'kysely';
import type { PartyRole } from '@matterdesk/contract/contacts.ts';
import { sendLater } from '../../db/connection.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { searchText } from '../../db/search.ts';
import type { Source } from './rules.sources.ts';
import * as rules from './rules.ts';
import { saidBy } from './store.ts';

/** With the role that the contact has in the matter, where it has one. */
export type SourceRow = Source & { contactId: string; role: PartyRole | null };

/** What is entered at these contacts, and what the matters in scope say of them, the oldest first. */
export async function listSources(db: Scoped, contactIds: string[]): Promise<SourceRow[]> {
  const rows = await db
    .selectFrom('contact_sources as s')
    .select(['s.id', 's.contact_id', 's.case_id', 's.is_walled', saidBy('s').as('said')])
    .select(
      sql<PartyRole | null>`(select p.role from parties p
        where p.contact_id = s.contact_id and p.case_id = s.case_id
        order by p.embedded nulls last, p.created_at limit 1)`.as('role'),
    )
    .where('s.contact_id', '=', sql<string>`any(${contactIds}::uuid[])`)
    .orderBy(sql`s.case_id is not null`)
    .orderBy('s.serial')
    .execute();
  return rows.map(({ id, contact_id: contactId, case_id: caseId, is_walled, said, role }) => ({
    ...said,
    id,
    contactId,
    caseId,
    role,
    isWalled: is_walled,
  }));
}

/** Contacts of which a matter says something. */
export async function listSaidOf(db: Scoped, caseId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('contact_sources')
    .select('contact_id')
    .where('case_id', '=', caseId)
    .execute();
  return rows.map(({ contact_id: id }) => id);
}

type NewSource = Omit<SourceRow, 'isWalled' | 'role'>;

function toStored(source: NewSource) {
  const { id, contactId, caseId, otherNames, emails, phoneNumbers, address, organisation } = source;
  const digits = rules.textNumbers({ phoneNumbers });
  const searched = [...otherNames, organisation, ...emails, ...phoneNumbers, ...digits, address];
  return {
    id,
    contact_id: contactId,
    case_id: caseId,
    emails,
    address,
    organisation,
    other_names: otherNames,
    phone_numbers: phoneNumbers,
    keys: rules.sourceKeys({ otherNames, emails, phoneNumbers }),
    search_text: searchText(searched.map((text) => text ?? '')),
  };
}

/** Adds sources, or replaces what they say; sent with the transaction's next statement. */
export async function keepSources(trx: Transaction, sources: NewSource[]): Promise<void> {
  if (sources.length === 0) return;
  const given = JSON.stringify(sources.map(toStored));
  const keep = sql`
    insert into contact_sources (id, contact_id, case_id, other_names, emails, phone_numbers, address,
        organisation, keys, search_text)
      select id, contact_id, case_id, other_names, emails, phone_numbers, address, organisation, keys, search_text
        from json_populate_recordset(null::contact_sources, ${given})
      on conflict (contact_id, case_id) do update set other_names = excluded.other_names,
        emails = excluded.emails, phone_numbers = excluded.phone_numbers, address = excluded.address,
        organisation = excluded.organisation, keys = excluded.keys, search_text = excluded.search_text`;
  await sendLater(trx, keep.compile(trx));
}
