import { sql } from 'kysely';
import type { Scoped } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import { toIndexText } from '../training/rules.ts';
import type { Frequencies, Lexemes, Term } from './rules.terms.ts';
import type { FileMatch, FileMatches } from './rules.ts';
import { weights } from './rules.weights.ts';
import type { Scope } from './store.ts';

export type PassageRow = {
  id: number;
  documentId: string;
  ordinal: number;
  page: number;
  start: number;
  end: number;
  heading: string;
  location: string | null;
  /** Sum of the weights of the terms that it contains. */
  score: number;
  /** Found by its position on the front page or by its meaning, not only by its words. */
  isFavored: boolean;
};

export type Ranking = { rows: PassageRow[]; passages: number; frequencies: Frequencies };

export type RankOptions = {
  terms: readonly Term[];
  limit: number;
  /** Added to the rank of a document's beginning, decreasing with the offset, relative to the best score. */
  frontPage: number;
};

const asPassage = sql`json_build_object('id', p.id, 'documentId', p.document_id,
  'ordinal', p.ordinal, 'page', p.page, 'start', p.start_offset, 'end', p.end_offset,
  'heading', p.heading, 'location', p.location, 'score', top.score, 'isFavored', top.front)`;

/** `idf` in SQL, of a term in `frequencies.n` of `total.n` passages. */
const WORTH = sql`ln(1 + (total.n - frequencies.n + .5) / (frequencies.n + .5))`;

/** Stems words as the index does. */
export async function readLexemes(db: Scoped, words: readonly string[]): Promise<Lexemes> {
  const found = await sql<{ word: string; lexeme: string }>`
    select word, lexeme from unnest(${words}::text[]) asked(word),
      unnest(to_tsvector('english', word))`.execute(db);
  const lexemes = new Map<string, string[]>();
  for (const { word, lexeme } of found.rows)
    lexemes.set(word, [...(lexemes.get(word) ?? []), lexeme]);
  return lexemes;
}

/**
 * Passages of the given documents, best first, scored by the rank of each term times its inverse frequency.
 * @param boosts added to the passages of each document, relative to the best score
 */
export async function rankPassages(
  db: Scoped,
  boosts: ReadonlyMap<string, number>,
  { terms, limit, frontPage }: RankOptions,
): Promise<Ranking> {
  const found = await sql<{
    rows: PassageRow[] | null;
    passages: number;
    frequencies: Frequencies;
  }>`
    with
      chosen as (select * from unnest(${[...boosts.keys()]}::uuid[],
        ${[...boosts.values()]}::float8[]) as c(document_id, boost)),
      -- Materialized, because otherwise the planner intersects the index of the whole firm.
      searched as materialized (select id, document_id, start_offset, tsv, boost
        from passages join chosen using (document_id)),
      terms as (select * from ${unnestTerms(terms)}),
      matches as materialized (select searched.id, lexeme, weight,
          ts_rank(${rankWeights()}, tsv, query, 0) rank
        from searched join terms on tsv @@ query),
      frequencies as (select lexeme, count(*)::float8 n from matches group by 1),
      total as (select count(*)::float8 n from searched),
      scores as materialized (select matches.id, sum(weight * rank * ${WORTH}) score
        from matches join frequencies using (lexeme), total group by 1),
      best as (select coalesce(nullif(max(score), 0), 1) score from scores),
      top as (select searched.id, coalesce(scores.score, 0) score,
          ${frontPage}::float8 > 0 and start_offset < ${weights.frontLength} front,
          coalesce(scores.score, 0) / best.score + boost
            + case when start_offset < ${weights.frontLength}
              then ${frontPage}::float8 * (1 - start_offset / ${weights.frontFade}::float8) else 0 end rank
        from searched left join scores using (id), best
        order by rank desc, searched.id limit ${limit})
    select (select json_agg(${asPassage} order by top.rank desc, p.id)
        from top join passages p using (id)) "rows",
      (select n from total) passages,
      (select coalesce(json_object_agg(lexeme, n), '{}') from frequencies) frequencies`.execute(db);
  const [row] = found.rows;
  if (!row) throw new Error('a query without from has a row');
  return { ...row, rows: row.rows ?? [] };
}

/**
 * All passages of a document in order, unscored.
 * @returns undefined when they are longer than `limit` UTF-16 units in total
 */
export async function listPassages(db: Scoped, documentId: string, limit = Infinity) {
  const found = await sql<{ rows: PassageRow[] | null }>`
    select json_agg(${asPassage} order by p.ordinal) "rows"
    from passages p, (select 0::float8 score, false front) top where p.document_id = ${documentId}
      and (select sum(end_offset - start_offset) from passages where document_id = ${documentId})
        <= ${limit}::float8`.execute(db);
  return found.rows[0]?.rows ?? undefined;
}

/** Weights of headings and texts, in the format of `ts_rank`. */
function rankWeights() {
  return sql.lit(`{1,1,1,${weights.heading}}`);
}

/** Lexemes as queries that are not stemmed again. */
function queriesOf(terms: readonly Term[]): string[] {
  return terms.map((term) => `'${term.lexeme.replaceAll(/['\\]/g, '$&$&')}'`);
}

/** For each text, the lexemes of the terms that it contains. */
export async function findTerms(
  db: Scoped,
  texts: readonly string[],
  terms: readonly Term[],
): Promise<string[][]> {
  const found = await sql<{ at: number; lexeme: string }>`
    with indexed as materialized (select ord::int - 1 as "at", to_tsvector('english', text) tsv
        from unnest(${texts.map(toIndexText)}::text[]) with ordinality given(text, ord))
    select "at", lexeme from indexed join ${unnestTerms(terms)} on tsv @@ query`.execute(db);
  const held: string[][] = texts.map(() => []);
  for (const { at, lexeme } of found.rows) held[at]?.push(lexeme);
  return held;
}

/** Near spellings of the given words in the documents, weighed by their similarity. */
export async function findSpellings(
  db: Scoped,
  documentIds: readonly string[],
  words: readonly string[],
): Promise<Term[]> {
  // `ts_stat` takes a statement as text; the only values in it are ids from our own rows.
  const rows = `select tsv from passages where document_id = any('{${documentIds.join(',')}}'::uuid[]) limit ${weights.spellingPassages}`;
  const found = await sql<{ lexeme: string; likeness: number }>`
    with vocabulary as materialized (select word from ts_stat(${rows}))
    select near.word lexeme, near.likeness::float8
    from unnest(${words}::text[]) question(asked), lateral (
      select word, similarity(word, asked) likeness from vocabulary
      where similarity(word, asked) >= ${weights.spellingLikeness}::real
      order by likeness desc, word limit ${weights.mostSpellings}) near`.execute(db);
  const best = new Map<string, number>();
  for (const { lexeme, likeness } of found.rows)
    best.set(lexeme, Math.max(best.get(lexeme) ?? 0, likeness));
  return [...best].map(([lexeme, weight]) => ({ lexeme, weight, asked: [], isMeant: true }));
}

/** Other words of the passages, weighed by their frequency and by the score of each passage. */
export async function findExpansionTerms(
  db: Scoped,
  passages: readonly PassageRow[],
  terms: readonly Term[],
): Promise<Term[]> {
  const known = terms.map((term) => term.lexeme);
  const found = await sql<{ lexeme: string; mass: number }>`
    select lexeme, sum(score * ln(1 + cardinality(positions)))::float8 mass
    from unnest(${passages.map((passage) => passage.id)}::bigint[],
        ${passages.map((passage) => passage.score)}::float8[]) as top(id, score)
      join passages p using (id), unnest(p.tsv)
    where length(lexeme) >= ${weights.shortestExpansion} and lexeme !~ '[0-9]' and lexeme <> all(${known}::text[])
    group by 1 order by 2 desc, 1 limit ${weights.expansionTerms}`.execute(db);
  const most = found.rows[0]?.mass ?? 1;
  return found.rows.map(({ lexeme, mass }) => ({
    lexeme,
    weight: (weights.expansion * mass) / most,
    asked: [],
    isMeant: false,
  }));
}

/** Ranks the passages of a large case: the rarest words choose the documents, and all words rank their passages. */
export async function rankRare(db: Scoped, scope: Scope, options: RankOptions): Promise<Ranking> {
  const rare = await rarest(db, options.terms);
  if (rare.length === 0) return { rows: [], passages: 0, frequencies: {} };
  const documents = await candidates(db, scope, { rare, terms: options.terms });
  return rankPassages(db, new Map(documents.map((id) => [id, 0])), options);
}

/** `lexeme`, `weight` and `query` of each term. */
function unnestTerms(terms: readonly Term[]) {
  const weighed = terms.map((term) => term.weight);
  return sql`unnest(${lexemesOf(terms)}::text[], ${weighed}::float8[],
    ${queriesOf(terms)}::text[]::tsquery[]) as t(lexeme, weight, query)`;
}

function lexemesOf(terms: readonly Term[]) {
  return terms.map((term) => term.lexeme);
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

type Vectors = { documentId: string; dimensions: number; vectors: Buffer };

/** The vectors of one model; documents without vectors are left out. */
export async function readVectors(
  db: Scoped,
  documentIds: readonly string[],
  model: string,
): Promise<Vectors[]> {
  if (documentIds.length === 0) return [];
  return db
    .selectFrom('embeddings')
    .select(['document_id as documentId', 'dimensions', 'vectors'])
    .where('document_id', 'in', documentIds)
    .where('model', '=', model)
    .execute();
}

export async function hasVectors(db: Scoped, documentId: string, model: string) {
  const found = await db
    .selectFrom('embeddings')
    .select('model')
    .where('document_id', '=', documentId)
    .where('model', '=', model)
    .executeTakeFirst();
  return found !== undefined;
}

export async function insertVectors(
  db: Scoped,
  row: { document_id: string; model: string; dimensions: number; vectors: Buffer },
): Promise<void> {
  await db
    .insertInto('embeddings')
    .values(row)
    .onConflict((conflict) => conflict.columns(['document_id', 'model']).doNothing())
    .execute();
}

export async function readPassagesAt(
  db: Scoped,
  places: readonly { key: string; ordinal: number }[],
): Promise<PassageRow[]> {
  const found = await sql<PassageRow & { id: string }>`
    select p.id, p.document_id "documentId", p.ordinal, p.page, p.start_offset "start",
      p.end_offset "end", p.heading, p.location, 0::float8 score,
      true "isFavored"
    from unnest(${places.map((place) => place.key)}::uuid[],
      ${places.map((place) => place.ordinal)}::int[]) as w(document_id, ordinal)
    join passages p using (document_id, ordinal)`.execute(db);
  return found.rows.map((row) => ({ ...row, id: Number(row.id) }));
}

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
