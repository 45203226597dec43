import { sql } from 'kysely';
import type { Executor } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import type { Frequencies, Term } from './rules.terms.ts';
import { queriesOf, type Scope } from './store.ts';

/** How well a file's name and first lines fit the words of a question. */
export type Card = {
  documentId: string;
  score: number;
  /** Lexemes that the name or the first lines hold. */
  held: string[];
  /** Those of the file's own name. */
  named: string[];
};
export type Cards = { best: Card[]; files: number; frequencies: Frequencies };

/** Units of the beginning that are a file's card. */
const CARD = 1500;

/** The files of a case that fit best, each document once. A word in the file's name counts twice. */
export async function rankCards(
  db: Executor,
  { caseId, folder }: Scope,
  { terms, limit }: { terms: readonly Term[]; limit: number },
): Promise<Cards> {
  const inFolder = folder === undefined ? sql`` : sql`and folders.name_key = ${fold(folder)}`;
  const lexemes = terms.map((term) => term.lexeme);
  const spellings = terms.map((term) => term.asked[0] ?? term.lexeme);
  const queries = queriesOf(terms);
  const found = await sql<{ best: Card[] | null; files: number; frequencies: Frequencies }>`
    with f as materialized (select distinct on (documents.id) documents.id document_id,
          ' ' || translate(files.name_key, '_-.,()[]&+', '          ') || ' ' as name
        from files join folders on folders.id = files.folder_id
          join trainings on trainings.file_id = files.id
          join documents on documents.id = trainings.document_id and documents.status = 'ready'
        where files.case_id = ${caseId} and files.deleted_at is null ${inFolder}
        order by documents.id),
      t as (select * from unnest(${lexemes}::text[], ${spellings}::text[],
        ${queries}::text[]::tsquery[]) as t(l, spelling, q)),
      h as materialized (select f.document_id, p.tsv from f join passages p
        on p.document_id = f.document_id and p.ordinal < 8 and p.start_offset < ${CARD}
        where p.tsv @@ ${queries.join(' | ')}::tsquery),
      m as (select h.document_id, t.l, count(*)::float8 tf, false is_name
          from h join t on h.tsv @@ t.q group by 1, 2
        union all
        select f.document_id, t.l, 2, true from f join t
          on strpos(f.name, ' ' || t.spelling || ' ') > 0
            or length(t.spelling) > 3 and strpos(f.name, ' ' || t.spelling) > 0 or strpos(f.name, ' ' || t.l || ' ') > 0),
      hits as (select document_id, l, sum(tf) tf, bool_or(is_name) is_name from m group by 1, 2),
      df as (select l, count(*)::float8 f from hits group by 1),
      n as (select count(*)::float8 n from f),
      s as (select document_id, json_agg(l) held,
          coalesce(json_agg(l) filter (where is_name), '[]') named,
          sum(tf * 2.2 / (tf + 1.2) * ln(1 + (n.n - df.f + .5) / (df.f + .5))) score
        from hits join df using (l), n group by 1 order by score desc, document_id limit ${limit})
    select (select json_agg(json_build_object('documentId', document_id, 'score', score,
        'held', held, 'named', named) order by score desc, document_id) from s) best,
      (select n from n) files,
      (select coalesce(json_object_agg(l, f), '{}') from df) frequencies`.execute(db);
  const [row] = found.rows;
  if (!row) throw new Error('a query without from has a row');
  return { ...row, best: row.best ?? [] };
}
