import { sql } from 'kysely';
import type { Scoped } from '../../../db/schema.ts';
import { toIndexText } from '../training/rules.ts';
import type { Frequencies, Lexemes, Term } from './rules.terms.ts';
import { weights } from './rules.weights.ts';

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

export type RankOptions = {
  terms: readonly Term[];
  limit: number;
  /** Added to the rank of a document's beginning, decreasing with the offset, relative to the best score. */
  frontPage: number;
};

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

const asPassage = sql`json_build_object('id', p.id, 'documentId', p.document_id,
  'ordinal', p.ordinal, 'page', p.page, 'start', p.start_offset, 'end', p.end_offset,
  'heading', p.heading, 'location', p.location, 'score', top.score, 'isFavored', top.front)`;

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
export function rankWeights() {
  return sql.lit(`{1,1,1,${weights.heading}}`);
}

/** `idf` in SQL, of a term in `frequencies.n` of `total.n` passages. */
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
