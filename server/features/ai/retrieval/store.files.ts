import { sql } from 'kysely';
import type { Scoped } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import type { FileMatch, FileMatches } from './rules.files.ts';
import type { Frequencies, Term } from './rules.terms.ts';
import { weights } from './rules.weights.ts';
import { queriesOf, WORTH } from './store.passages.ts';
import type { Scope } from './store.ts';

/** The best-matching files of a case, each document once. */
export async function rankFiles(
  db: Scoped,
  { caseId, folder }: Scope,
  { terms, limit }: { terms: readonly Term[]; limit: number },
): Promise<FileMatches> {
  const inFolder = folder === undefined ? sql`` : sql`and folders.name_key = ${fold(folder)}`;
  const lexemes = terms.map((term) => term.lexeme);
  const spellings = terms.map((term) => term.asked[0] ?? term.lexeme);
  const queries = queriesOf(terms);
  const found = await sql<{ best: FileMatch[] | null; files: number; frequencies: Frequencies }>`
    with
      documents_in_case as materialized (select distinct on (documents.id) documents.id document_id,
          ' ' || translate(files.name_key, '_-.,()[]&+', '          ') || ' ' as name
        from files join folders on folders.id = files.folder_id
          join trainings on trainings.file_id = files.id
          join documents on documents.id = trainings.document_id and documents.status = 'ready'
        where files.case_id = ${caseId} and files.deleted_at is null ${inFolder}
        order by documents.id),
      terms as (select * from unnest(${lexemes}::text[], ${spellings}::text[],
        ${queries}::text[]::tsquery[]) as t(lexeme, spelling, query)),
      beginnings as materialized (select document_id, tsv
        from documents_in_case join passages p using (document_id)
        where p.ordinal < 8 and p.start_offset < ${weights.openingLength}
          and p.tsv @@ ${queries.join(' | ')}::tsquery),
      matches as (select document_id, lexeme, count(*)::float8 occurrences, false is_name
          from beginnings join terms on tsv @@ query group by 1, 2
        union all
        select document_id, lexeme, ${weights.inName}::float8, true
          from documents_in_case join terms
          on strpos(name, ' ' || spelling || ' ') > 0
            or length(spelling) > 3 and strpos(name, ' ' || spelling) > 0
            or strpos(name, ' ' || lexeme || ' ') > 0),
      held as (select document_id, lexeme, sum(occurrences) occurrences, bool_or(is_name) is_name
        from matches group by 1, 2),
      frequencies as (select lexeme, count(*)::float8 n from held group by 1),
      total as (select count(*)::float8 n from documents_in_case),
      top as (select document_id, json_agg(lexeme) held,
          coalesce(json_agg(lexeme) filter (where is_name), '[]') named,
          sum(occurrences * ${1 + weights.fileSaturation}::float8
            / (occurrences + ${weights.fileSaturation}::float8) * ${WORTH}) score
        from held join frequencies using (lexeme), total
        group by 1 order by score desc, document_id limit ${limit})
    select (select json_agg(json_build_object('documentId', document_id, 'score', score,
        'held', held, 'named', named) order by score desc, document_id) from top) best,
      (select n from total) files,
      (select coalesce(json_object_agg(lexeme, n), '{}') from frequencies) frequencies`.execute(db);
  const [row] = found.rows;
  if (!row) throw new Error('a query without from has a row');
  return { ...row, best: row.best ?? [] };
}
