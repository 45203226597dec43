import type { ColumnType, Generated } from 'kysely';
import type { Stamp } from './schema-columns.ts';

/** Papers before they are files of a matter, and after for as long as that can be undone. */
export type TrayItemsTable = {
  id: Generated<string>;
  source: 'upload' | 'scan';
  at: Stamp;
  /** Null for a scan. */
  owner_id: string | null;
  name: string;
  /** Bytes; a bigint is read as text. */
  size: ColumnType<string, number, never>;
  mime_type: string;
  sha256: Buffer;
  /** While it is filed, its file's. */
  blob_key: string;
  state: Generated<'open' | 'filed' | 'dismissed'>;
  closed_at: Generated<Date | null>;
  closed_by: Generated<string | null>;
  file_id: Generated<string | null>;
  /** The task with which it was filed; null after an undo. */
  task_id: Generated<string | null>;
  /** The file of the scanner's folder that a scan was. */
  origin: Generated<string | null>;
  /** Null for what has no pages, or could not be read. */
  pages: Generated<number | null>;
  /** The beginning of its text. */
  excerpt: Generated<string>;
  /** Null until it was looked at. */
  clues: ColumnType<Clues | null, string | undefined, string>;
};

/** Parts of a paper's first pages that may point to a matter. Texts are folded. */
export type Clues = {
  /** Runs of words with a digit, each with the first page that has it. */
  numbers: [run: string, page: number][];
  /** Numbers as their writer wrote them, in capitals, with the word that says what they are. */
  claims: [number: string, word: string][];
  names: string[];
  /** Days, as ISO 8601. */
  dates: string[];
  /** Beginnings of addresses: a house number and up to three words. */
  places: string[];
};

/** Files of the scanner's folder that could not be taken. */
export type InboxProblemsTable = { name: string; reason: string; at: Generated<Date> };
