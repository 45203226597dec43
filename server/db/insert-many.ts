import { sql } from 'kysely';
import { sendLater } from './connection.ts';
import type { Tables, Transaction } from './schema.ts';

/**
 * Inserts rows with the same members as one parameter, which costs a fraction of a parameter for each value. Members
 * are JSON, so that a table's `jsonb` takes objects, and columns without a member keep their default. Sent with the
 * transaction's next statement, which throws its error.
 */
export async function insertMany(
  trx: Transaction,
  table: keyof Tables,
  rows: object[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const into = sql.table(table);
  const columns = sql.join(Object.keys(first).map((column) => sql.id(column)));
  const insertion = sql`insert into ${into} (${columns}) select ${columns}
    from json_populate_recordset(null::${into}, ${JSON.stringify(rows)})`;
  await sendLater(trx, insertion.compile(trx));
}
