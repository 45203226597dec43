import { sql } from 'kysely';
import type { Executor } from '../../../db/schema.ts';
import type { Term } from './rules.terms.ts';
import type { PassageRow } from './store.passages.ts';
import { weights } from './rules.weights.ts';

/** What passages speak of besides the given terms, weighed by how much they do and how well each of them fits. */
export async function learnTerms(
  db: Executor,
  passages: readonly PassageRow[],
  terms: readonly Term[],
): Promise<Term[]> {
  const known = terms.map((term) => term.lexeme);
  const found = await sql<{ lexeme: string; said: number }>`
    select lexeme, sum(score * ln(1 + cardinality(positions)))::float8 said
    from unnest(${passages.map((passage) => passage.id)}::bigint[],
        ${passages.map((passage) => passage.score)}::float8[]) as teachers(id, score)
      join passages p using (id), unnest(p.tsv)
    where length(lexeme) >= ${weights.shortestLearned} and lexeme !~ '[0-9]' and lexeme <> all(${known}::text[])
    group by 1 order by 2 desc, 1 limit ${weights.mostLearned}`.execute(db);
  const most = found.rows[0]?.said ?? 1;
  return found.rows.map(({ lexeme, said }) => ({
    lexeme,
    weight: (weights.learned * said) / most,
    asked: [],
    isMeant: false,
  }));
}
