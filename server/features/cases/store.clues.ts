import { sql } from 'kysely';
import type { Scoped } from '../../db/schema.ts';

/** Cases that match one clue. */
const MOST = 20;

const columns = ['id', 'case_name', 'case_no', 'case_no_key'] as const;
type Person = 'client_email' | 'counsel_email' | 'client_name' | 'counsel_name';
export type ClueRow = Awaited<ReturnType<typeof findByNumber>>[number];

function inOrder(db: Scoped) {
  return db
    .selectFrom('cases')
    .select(columns)
    .orderBy('status_type')
    .orderBy('serial', 'desc')
    .limit(MOST);
}

/** @param keys folded; active cases come first, then the newest */
export function findByNumber(db: Scoped, keys: string[]) {
  return inOrder(db)
    .where('case_no_key', '=', sql<string>`any(${keys})`)
    .execute();
}

/** @param words in lower case */
export function findByPerson(db: Scoped, column: Person, words: string[]) {
  return inOrder(db)
    .where(sql<boolean>`lower(${sql.ref(column)}) = any(${words})`)
    .execute();
}
