import { sql } from 'kysely';
import type { Scoped } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import type { Term } from './rules.terms.ts';
import { weights } from './rules.weights.ts';
import {
  queriesOf,
  type Ranking,
  type RankOptions,
  rankPassages,
  rankWeights,
} from './store.passages.ts';
import type { Scope } from './store.ts';

/** Ranks the passages of a large case: the rarest words choose the documents, and all words rank their passages. */
export async function rankRare(db: Scoped, scope: Scope, options: RankOptions): Promise<Ranking> {
  const rare = await rarest(db, options.terms);
  if (rare.length === 0) return { rows: [], passages: 0, frequencies: {} };
  const documents = await candidates(db, scope, { rare, terms: options.terms });
  return rankPassages(db, new Map(documents.map((id) => [id, 0])), options);
}

/** The rarest asked terms, as many as the limit of rows allows. */
async function rarest(db: Scoped, terms: readonly Term[]): Promise<Term[]> {
  const asked = terms.filter((term) => term.asked.length > 0);
  const counted = await sql<{ at: number; rows: number }>`
    select ord::int - 1 as "at", (select count(*)::int from (
        select 1 from passages where tsv @@ query limit ${weights.mostRows + 1}) counted) "rows"
    from unnest(${queriesOf(asked)}::text[]::tsquery[]) with ordinality t(query, ord)`.execute(db);
  const chosen: Term[] = [];
  let sum = 0;
  for (const { at, rows } of counted.rows.toSorted((a, b) => a.rows - b.rows)) {
    const term = asked[at];
    if (!term || rows === 0) continue;
    if (chosen.length > 0 && sum + rows > weights.mostRows) break;
    sum += rows;
    chosen.push(term);
  }
  return chosen;
}

/** Documents of the passages that match the terms best. */
async function candidates(
  db: Scoped,
  { caseId, folder }: Scope,
  { rare, terms }: { rare: Term[]; terms: readonly Term[] },
): Promise<string[]> {
  const inFolder = folder === undefined ? sql`` : sql`and folders.name_key = ${fold(folder)}`;
  const found = await sql<{ document_id: string }>`
    with
      documents_in_case as materialized (select distinct documents.id
        from files join folders on folders.id = files.folder_id
          join trainings on trainings.file_id = files.id
          join documents on documents.id = trainings.document_id and documents.status = 'ready'
        where files.case_id = ${caseId} and files.deleted_at is null ${inFolder}),
      candidates as materialized (select document_id, id, ts_rank(${rankWeights()}, tsv,
          ${queriesOf(terms).join(' | ')}::tsquery, 0) rank
        from passages where tsv @@ ${queriesOf(rare).join(' | ')}::tsquery
          and document_id in (select id from documents_in_case)
        order by rank desc, id limit ${weights.candidates})
    select document_id from candidates group by 1 order by max(rank) desc, 1 limit ${weights.mostDocuments}`.execute(
    db,
  );
  return found.rows.map((row) => row.document_id);
}
