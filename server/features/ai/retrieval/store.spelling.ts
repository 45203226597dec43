import { sql } from 'kysely';
import type { Scoped } from '../../../db/schema.ts';
import type { Term } from './rules.terms.ts';
import { weights } from './rules.weights.ts';

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
