import { sql } from 'kysely';
import type { Executor } from '../../../db/schema.ts';
import type { Term } from './rules.terms.ts';
import type { PassageRow } from './store.ts';

const MOST_LEARNT = 20;
/** Weight of the word that they all speak of most. */
const WEIGHT = 0.3;
/** Letters of a word that says nothing by itself. */
const SHORT = 3;

/** What passages speak of besides the given terms, weighed by how much they do and how well each of them fits. */
export async function learnTerms(
  db: Executor,
  passages: readonly PassageRow[],
  terms: readonly Term[],
): Promise<Term[]> {
  const known = terms.map((term) => term.lexeme);
  const found = await sql<{ lexeme: string; said: number }>`
    select w.lexeme, sum(t.score * ln(1 + cardinality(w.positions)))::float8 said
    from unnest(${passages.map((passage) => passage.id)}::bigint[],
        ${passages.map((passage) => passage.score)}::float8[]) as t(id, score)
      join passages p using (id), unnest(p.tsv) w
    where length(w.lexeme) >= ${SHORT} and w.lexeme !~ '[0-9]' and w.lexeme <> all(${known}::text[])
    group by 1 order by 2 desc, 1 limit ${MOST_LEARNT}`.execute(db);
  const most = found.rows[0]?.said ?? 1;
  return found.rows.map(({ lexeme, said }) => ({
    lexeme,
    weight: (WEIGHT * said) / most,
    asked: [],
    isMeant: false,
  }));
}
