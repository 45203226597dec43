import type pg from 'pg';

/** Tables that hold a word in any row or in the samples that their statistics keep, as a dump or a copy of them would. */
export async function tracesOf(pool: pg.Pool, word: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
     from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema in ('public', 'base', 'jobs')
     union all select 'pg_catalog.pg_stats'`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const query = `select 1 from ${name} t where t::text ilike $1 limit 1`;
    if ((await pool.query(query, [`%${word}%`])).rowCount) found.push(name);
  }
  return found;
}
