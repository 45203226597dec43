import type { ColumnType, Generated } from 'kysely';
import type { AnswerInput, CallInput, EntryKind } from '@matterdesk/contract/stream.ts';
import type { Stamp } from './schema-columns.ts';

/** A call as it is kept; its contact is an id. */
export type StoredCall = CallInput;

/** An answer as it is kept: the id of the file, and the version that it quotes. */
export type StoredAnswer = Omit<AnswerInput, 'url'> & { file: string; version: number };

export type EntriesTable = {
  id: Generated<string>;
  case_id: string;
  kind: EntryKind;
  text: string;
  /** Folded, with the name and number that a call was saved with, and an answer's question and quotation. */
  search_text: string;
  at: Date;
  entered_at: Stamp;
  author_id: string;
  call: ColumnType<StoredCall | null, string | null, string | null>;
  mentions: string[];
  files: string[];
  answer: ColumnType<StoredAnswer | null, string | null, null>;
  edited_at: Date | null;
  deleted_at: Date | null;
  deleted_by: string | null;
  pinned_at: Date | null;
  updated_at: Stamp;
};

type EntryVersionsTable = {
  id: Generated<string>;
  entry_id: string;
  text: string;
  /** When it was written. */
  at: Date;
  by_id: string;
};

type FiledTextsTable = {
  case_id: string;
  message_id: string;
  by_id: string;
  at: Stamp;
  /** The text's own, kept by triggers, so that a page of the stream reads no other texts. */
  sent_at: ColumnType<Date, never, never>;
  owner_id: ColumnType<string | null, never, never>;
};

/** Entries and filed texts by their author or owner, kept by triggers. */
type StreamCountsTable = {
  case_id: ColumnType<string, never, never>;
  kind: ColumnType<EntryKind | 'text', never, never>;
  user_id: ColumnType<string, never, never>;
  n: ColumnType<number, never, never>;
};

/** Data of matters. */
export type StreamTables = {
  entries: EntriesTable;
  entry_versions: EntryVersionsTable;
  filed_texts: FiledTextsTable;
  stream_counts: StreamCountsTable;
};
