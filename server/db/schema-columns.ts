import type { ColumnType } from 'kysely';

/** Set by the database when it is not given. */
export type Stamp = ColumnType<Date, Date | undefined, Date>;
