import { sql } from 'kysely';
import type { Scoped } from '../../db/schema.ts';

/** Cases found by one reference at most. */
const MAX_REFERENCED = 20;
/** Cases that share a person; with more, that person points to none. */
export const MAX_SHARING = 50;

const columns = ['id', 'case_name', 'case_no', 'case_no_key', 'status_type'] as const;
export type ReferencedRow = Awaited<ReturnType<typeof findByNumber>>[number];

/** Ways in which a letter names a case's people, the best first. */
export const partyClues = ['clientEmail', 'counselEmail', 'clientName', 'counselName'] as const;
export type PartyClue = (typeof partyClues)[number];

/** @param keys folded; active cases come first, then the newest */
export function findByNumber(db: Scoped, keys: string[]) {
  return activeFirst(db)
    .where('case_no_key', '=', sql<string>`any(${keys})`)
    .execute();
}

/** @param names in lower case */
export function findByName(db: Scoped, names: string[]) {
  return activeFirst(db)
    .where(sql<boolean>`lower(case_name) = any(${names})`)
    .execute();
}

/**
 * Cases with a person of these addresses or names, in lower case: for each clue those that have it, one more than
 * `MAX_SHARING` at most, with all clues that a case has.
 */
export async function findByParties(
  db: Scoped,
  { emails, names }: { emails: string[]; names: string[] },
) {
  const isIn = (column: string, words: string[]) =>
    sql<boolean>`lower(${sql.ref(column)}) = any(${words})`;
  const clues = {
    clientEmail: isIn('client_email', emails),
    counselEmail: isIn('counsel_email', emails),
    clientName: isIn('client_name', names),
    counselName: isIn('counsel_name', names),
  };
  const found = await Promise.all(
    partyClues.map(async (clue) => {
      const rows = await activeFirst(db, MAX_SHARING + 1)
        .select(partyClues.map((each) => clues[each].as(each)))
        .where(clues[clue])
        .execute();
      return [clue, rows] as const;
    }),
  );
  return new Map(found);
}

function activeFirst(db: Scoped, limit = MAX_REFERENCED) {
  return db
    .selectFrom('cases')
    .select(columns)
    .orderBy('status_type')
    .orderBy('serial', 'desc')
    .limit(limit);
}
