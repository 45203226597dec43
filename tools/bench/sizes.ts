import type { BareDatabase } from './bare-database.ts';

/** MB on disk, with the largest indexes by name. */
export type Sizes = {
  database: number;
  indexes: number;
  largest: { name: string; size: number }[];
};

const LARGEST = 6;

export async function measureSizes(database: BareDatabase): Promise<Sizes> {
  const [whole] = await database.read<{ size: number }>(
    'select pg_database_size(current_database())::float8 / 1e6 as size',
  );
  const indexes = await database.read<{ name: string; size: number }>(
    `select indexrelname as name, pg_relation_size(indexrelid)::float8 / 1e6 as size
     from pg_stat_user_indexes order by 2 desc`,
  );
  return {
    database: whole?.size ?? 0,
    indexes: indexes.reduce((sum, { size }) => sum + size, 0),
    largest: indexes.slice(0, LARGEST),
  };
}
