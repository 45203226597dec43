import type { ColumnType, Generated } from 'kysely';
import type { TraySource } from '@matterdesk/contract/tray.ts';
import type { Stamp } from './schema-columns.ts';

/** Papers, mails and texts before they are in a matter, and after for as long as that can be undone. */
export type TrayItemsTable = {
  id: Generated<string>;
  source: TraySource;
  at: Stamp;
  /** Null for a scan. */
  owner_id: string | null;
  /** A paper's file name, a mail's subject, or 'Text from +1…'. */
  name: string;
  /** Bytes; a bigint is read as text. */
  size: ColumnType<string, number, never>;
  mime_type: string;
  /** Null for mails and texts, as the key is. */
  sha256: Buffer | null;
  /** While it is filed, its file's. */
  blob_key: string | null;
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
  message_id: Generated<string | null>;
  mail_id: Generated<string | null>;
  thread_id: Generated<string | null>;
  /** Null for papers, as the key is. */
  sender: ColumnType<Sender | null, string | undefined, never>;
  /** The sender's address or number, as the keys of contacts have it. */
  sender_key: Generated<string | null>;
};

export type Sender = { name: string | null; email?: string; phoneNumber?: string };

/** Parts of a paper's first pages that may point to a matter. Texts are folded. */
export type Clues = {
  /** Runs of words with a digit, each with the first page that has it; 0 in a mail or text. */
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
