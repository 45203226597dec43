import type { ColumnType } from 'kysely';

/** A timestamp that the database sets by default. */
export type Stamp = ColumnType<Date, Date | undefined, Date>;

/** Written as JSON text, read as an object. */
export type Json<T> = ColumnType<T, string, string>;
