import type { ColumnType } from 'kysely';

/** A timestamp that the database sets by default. */
export type Stamp = ColumnType<Date, Date | undefined, Date>;

export type StoredBytes = {
  /** Bytes; a bigint is read as text. */
  size: ColumnType<string, number, number>;
  sha256: Buffer;
  blob_key: string;
};

/** Written as JSON text, read as an object. */
export type Json<T> = ColumnType<T, string, string>;
