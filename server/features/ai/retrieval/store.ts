import { sql } from 'kysely';
import type { Database, Executor, Transaction } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import type { Frequencies, Lexemes, Term } from './rules.terms.ts';
import { toIndexText } from '../training/rules.ts';
import { weights } from './rules.weights.ts';

/** Where a question looks: a file, a folder, or all of a case. */
export type Scope = {
  caseId: string;
  folder?: string | undefined;
  file_name?: string | undefined;
};

/** A trained file with the document that it holds. */
export type Source = { documentId: string; folder: string; name: string };

export type PassageRow = {
  id: number;
  documentId: string;
  ordinal: number;
  page: number;
  start: number;
  end: number;
  heading: string;
  location: string | null;
  /** Sum of the weights of what it holds. */
  score: number;
  /** Something besides its words leads to it: where it stands, or what it means. */
  isLed: boolean;
};

export type Ranking = { rows: PassageRow[]; passages: number; frequencies: Frequencies };

const NO_TIME_LEFT = '57014';

/** A transaction whose statements are stopped after so many milliseconds, also when nobody waits any more. */
export function withinTime<T>(
  db: Database,
  milliseconds: number,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('statement_timeout', ${String(milliseconds)}, true)`.execute(trx);
    return work(trx);
  });
}

/** True when a statement was stopped by its time limit. */
export function isOutOfTime(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === NO_TIME_LEFT;
}

/** Files that a person may read, and how each stands: those of a case that are not deleted. */
function inScope({ caseId, folder, file_name: name }: Scope) {
  const inFolder = folder === undefined ? sql`` : sql`and folders.name_key = ${fold(folder)}`;
  const named = name === undefined ? sql`` : sql`and files.name_key = ${fold(name)}`;
  return sql`files
    join folders on folders.id = files.folder_id
    left join trainings on trainings.file_id = files.id
    left join documents on documents.id = trainings.document_id
    where files.case_id = ${caseId} and files.deleted_at is null ${inFolder} ${named}`;
}

export type Standing = {
  files: number;
  ready: number;
  working: number;
  failed: number;
  /** Of the trained ones. */
  characters: number;
  error: string | null;
};

/** How the files of a scope stand with their training. */
export async function readStanding(db: Executor, scope: Scope): Promise<Standing> {
  const found = await sql<Standing>`
    select count(*)::int files,
      count(*) filter (where documents.status = 'ready')::int ready,
      count(*) filter (where documents.status in ('queued', 'working'))::int working,
      count(*) filter (where documents.status = 'failed')::int failed,
      coalesce(sum(documents.characters) filter (where documents.status = 'ready'), 0)::float8
        characters,
      max(documents.error) filter (where documents.status = 'failed') error
    from ${inScope(scope)}`.execute(db);
  const [row] = found.rows;
  if (!row) throw new Error('an aggregate has a row');
  return row;
}

/** The trained files of a scope, each document once. */
export async function listSources(
  db: Executor,
  scope: Scope,
  documentIds?: readonly string[],
): Promise<Source[]> {
  const chosen = documentIds ? sql`and documents.id = any(${documentIds}::uuid[])` : sql``;
  const found = await sql<Source>`
    select distinct on (documents.id) documents.id "documentId", folders.name folder, files.name
    from ${inScope(scope)} and documents.status = 'ready' ${chosen}
    order by documents.id, files.created_at, files.id`.execute(db);
  return found.rows;
}

/** Stems words the way the index did. */
export async function readLexemes(db: Executor, words: readonly string[]): Promise<Lexemes> {
  const found = await sql<{ word: string; lexeme: string }>`
    select word, lexeme from unnest(${words}::text[]) asked(word),
      unnest(to_tsvector('english', word))`.execute(db);
  const lexemes = new Map<string, string[]>();
  for (const { word, lexeme } of found.rows)
    lexemes.set(word, [...(lexemes.get(word) ?? []), lexeme]);
  return lexemes;
}

export type RankOptions = {
  terms: readonly Term[];
  limit: number;
  /** Added to the rank of where a document begins, less further on, in parts of the best score. */
  frontPage: number;
};

/**
 * Passages of the given documents, best first: the rank of each term times what it is worth there.
 * @param boosts for each document, added in parts of the best score
 */
export async function rankPassages(
  db: Executor,
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
      -- Materialized, or the planner intersects the index of the whole firm.
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

const asPassage = sql`json_build_object('id', p.id, 'documentId', p.document_id,
  'ordinal', p.ordinal, 'page', p.page, 'start', p.start_offset, 'end', p.end_offset,
  'heading', p.heading, 'location', p.location, 'score', top.score, 'isLed', top.front)`;

/**
 * All passages of a document in order, unscored.
 * @returns undefined when they are longer than `limit` units in all
 */
export async function listPassages(db: Executor, documentId: string, limit = Infinity) {
  const found = await sql<{ rows: PassageRow[] | null }>`
    select json_agg(${asPassage} order by p.ordinal) "rows"
    from passages p, (select 0::float8 score, false front) top where p.document_id = ${documentId}
      and (select sum(end_offset - start_offset) from passages where document_id = ${documentId})
        <= ${limit}::float8`.execute(db);
  return found.rows[0]?.rows ?? undefined;
}

/** Weights of headings and texts, as `ts_rank` takes them. */
export function rankWeights() {
  return sql.lit(`{1,1,1,${weights.heading}}`);
}

/** What a term is worth that `frequencies.n` of `total.n` hold: `idf` in SQL. */
export const WORTH = sql`ln(1 + (total.n - frequencies.n + .5) / (frequencies.n + .5))`;

/** `lexeme`, `weight` and `query` of each term. */
function unnestTerms(terms: readonly Term[]) {
  const weighed = terms.map((term) => term.weight);
  return sql`unnest(${lexemesOf(terms)}::text[], ${weighed}::float8[],
    ${queriesOf(terms)}::text[]::tsquery[]) as t(lexeme, weight, query)`;
}

function lexemesOf(terms: readonly Term[]) {
  return terms.map((term) => term.lexeme);
}

/** Lexemes as queries that are not stemmed again. */
export function queriesOf(terms: readonly Term[]): string[] {
  return terms.map((term) => `'${term.lexeme.replaceAll(/['\\]/g, '$&$&')}'`);
}

/** For each text the lexemes of the terms that it holds. */
export async function findTerms(
  db: Executor,
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

export type PageRow = { documentId: string; page: number; start: number; text: string };
export type Place = { documentId: string; page: number; start: number; end: number };

/** The pages that the places stand on, each once. */
export async function readPages(db: Executor, places: readonly Place[]): Promise<PageRow[]> {
  const found = await sql<PageRow>`
    select distinct on (d.document_id, d.page) d.document_id "documentId", d.page,
      d.start_offset "start", d.text
    from unnest(${places.map((place) => place.documentId)}::uuid[],
      ${places.map((place) => place.page)}::int[],
      ${places.map((place) => place.end)}::int[]) as place(document_id, page, until)
    join document_pages d on d.document_id = place.document_id and d.page >= place.page
      and d.start_offset < place.until
    order by d.document_id, d.page`.execute(db);
  return found.rows;
}
