import { sql } from 'kysely';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import type { Scoped } from '../../db/schema.ts';
import { containing, everyWord, fold } from '../../db/search.ts';

export type FoundRow = {
  id: string;
  folder: string;
  name: string;
  /** Text around a word of the search, longer than an excerpt; null when only the name matches. */
  around: string | null;
};

type Query = { caseId: string; search: string; after: string | undefined; limit: number };

/** Code points before and in all of the text around a word. */
const BEFORE = 200;
const AROUND = 600;

/**
 * Files whose names and texts together contain every word, by folder and name.
 * @param after the file that the page before ended with
 */
export async function searchFiles(db: Scoped, { caseId, search, after, limit }: Query) {
  const words = searchWords(search).map(fold);
  const isMatch = everyWord(
    search,
    (word) => sql<boolean>`(name_key like ${containing(word)} or document_id in (
      select l.document_id from listed l join document_pages p on p.document_id = l.document_id
      where p.search_text like ${containing(word)}))`,
  );
  // A file that was deleted since keeps its place.
  const place = sql`(select o.name_key, f.name_key from files f join folders o on o.id = f.folder_id
    where f.id = ${after ?? null}::uuid and f.case_id = ${caseId})`;
  const { rows } = await sql<{ total: number; rows: FoundRow[] | null }>`
    with
      listed as materialized (
        select f.id, f.name, f.name_key, o.name folder, o.name_key folder_key, d.id document_id
        from files f join folders o on o.id = f.folder_id
          left join trainings t on t.file_id = f.id
          left join documents d on d.id = t.document_id and d.status = 'ready'
        where f.case_id = ${caseId} and f.deleted_at is null),
      matched as materialized (select * from listed where ${isMatch}),
      paged as (
        select * from matched
        where ${after ?? null}::uuid is null or (folder_key, name_key) > ${place}
        order by folder_key, name_key limit ${limit + 1})
    select
      (select count(*)::int from (select from matched limit ${TOTAL_CAP + 1}) counted) total,
      (select json_agg(found order by folder_key, name_key) from (
        select paged.*, text_around.around from paged left join lateral (
          select substr(p.text, greatest(strpos(p.search_text, word) - ${BEFORE}, 1), ${AROUND}) around
          from document_pages p, unnest(${words}::text[]) with ordinality w (word, n)
          where p.document_id = paged.document_id and strpos(p.search_text, word) > 0
          order by p.page, n limit 1) text_around on true) found) rows`.execute(db);
  return { total: rows[0]?.total ?? 0, rows: rows[0]?.rows ?? [] };
}
