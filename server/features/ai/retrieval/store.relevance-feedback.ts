import { sql } from 'kysely';
import type { Scoped } from '../../../db/schema.ts';
import type { Term } from './rules.terms.ts';
import { weights } from './rules.weights.ts';
import type { PassageRow } from './store.passages.ts';

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
