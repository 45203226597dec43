import { sql } from 'kysely';
import type { Executor } from '../../../db/schema.ts';
import type { Term } from './rules.terms.ts';

/** Passages whose words are compared. */
const MOST_PASSAGES = 4000;
/** Likeness of two spellings by their trigrams, of 1. */
const ALIKE = 0.45;
const MOST_ALIKE = 3;

/** Words of the documents that are spelt nearly as the given ones, weighed by how nearly. */
export async function findSpellings(
  db: Executor,
  documentIds: readonly string[],
  words: readonly string[],
): Promise<Term[]> {
  // The function takes a statement as text; what goes into it is uuids of our own rows.
  const rows = `select tsv from passages where document_id = any('{${documentIds.join(',')}}'::uuid[]) limit ${MOST_PASSAGES}`;
  const found = await sql<{ lexeme: string; likeness: number }>`
    with v as materialized (select word from ts_stat(${rows}))
    select near.word lexeme, near.likeness::float8
    from unnest(${words}::text[]) w(asked), lateral (
      select word, similarity(word, asked) likeness from v
      where similarity(word, asked) >= ${ALIKE}::real
      order by likeness desc, word limit ${MOST_ALIKE}) near`.execute(db);
  const best = new Map<string, number>();
  for (const { lexeme, likeness } of found.rows)
    best.set(lexeme, Math.max(best.get(lexeme) ?? 0, likeness));
  return [...best].map(([lexeme, weight]) => ({ lexeme, weight, asked: [], isMeant: true }));
}
