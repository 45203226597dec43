import { sql, type RawBuilder } from 'kysely';
import type { StatusType } from '@matterdesk/contract/cases.ts';
import type { Scoped } from '../../db/schema.ts';

/** Cases of one person or name; with more, it points to none. */
export const MAX_SHARING = 50;
/** Case numbers in one letter. */
const MAX_NUMBERED = 200;

export type ReferencedRow = {
  id: string;
  case_name: string;
  case_no: string | null;
  case_no_key: string | null;
  status_type: StatusType;
};

/** Ways in which a letter names a case's people, the best first. */
export const partyClues = ['clientEmail', 'counselEmail', 'clientName', 'counselName'] as const;
export type PartyClue = (typeof partyClues)[number];
export type PartyRow = ReferencedRow & Record<PartyClue, boolean>;

const columns = sql`c.id, c.case_name, c.case_no, c.case_no_key, c.status_type`;

/** @param keys folded */
export function findByNumber(db: Scoped, keys: string[]): Promise<ReferencedRow[]> {
  return findAmong(db, keys, { column: sql`c.case_no_key`, limit: MAX_NUMBERED });
}

/** One more than `MAX_SHARING` at most. @param names in lower case */
export function findByName(db: Scoped, names: string[]): Promise<ReferencedRow[]> {
  return findAmong(db, names, { column: sql`lower(c.case_name)`, limit: MAX_SHARING + 1 });
}

/**
 * Cases with a person of these addresses or names, in lower case: for each clue those that have it, one more than
 * `MAX_SHARING` at most, with all clues that a case has.
 */
export async function findByParties(
  db: Scoped,
  { emails, names }: { emails: string[]; names: string[] },
): Promise<Map<PartyClue, PartyRow[]>> {
  const clues = {
    clientEmail: { column: sql`lower(c.client_email)`, words: emails },
    counselEmail: { column: sql`lower(c.counsel_email)`, words: emails },
    clientName: { column: sql`lower(c.client_name)`, words: names },
    counselName: { column: sql`lower(c.counsel_name)`, words: names },
  };
  const flags = partyClues.map(
    (clue) => sql`, ${clues[clue].column} = any(${clues[clue].words}::text[]) as ${sql.ref(clue)}`,
  );
  const more = sql`${sql.join(flags, sql``)}`;
  const found = await Promise.all(
    partyClues.map(async (clue) => {
      const { words, column } = clues[clue];
      const rows = await findAmong<PartyRow>(db, words, { column, more, limit: MAX_SHARING + 1 });
      return [clue, rows] as const;
    }),
  );
  return new Map(found);
}

type WordColumn = { column: RawBuilder<unknown>; limit: number; more?: RawBuilder<unknown> };

/**
 * Cases with one of the words in a column, in no order. Each word is looked up by itself, as a range: with an order, for
 * a list, or for equality where many cases share a value such as '', PostgreSQL would read all cases.
 */
async function findAmong<Row = ReferencedRow>(
  db: Scoped,
  words: string[],
  { column, limit, more = sql`` }: WordColumn,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select found.* from unnest(${[...new Set(words)]}::text[]) as w (word), lateral (
      select ${columns} ${more} from cases c where ${column} between w.word and w.word
      limit ${limit}) found
    limit ${limit}`.execute(db);
  return rows;
}
