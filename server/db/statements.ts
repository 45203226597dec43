import { CompiledQuery, type Expression, sql, type RawBuilder } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { isId } from '../core/ids.ts';
import { sendLater } from './connection.ts';
import type { Executor, Scoped, Transaction, Tables } from './schema.ts';

/** Lets a library that sends its own SQL join a transaction. */
export function statementsOf(executor: Executor) {
  return {
    async executeSql(text: string, values: unknown[] = []) {
      const { rows } = await executor.executeQuery(CompiledQuery.raw(text, values));
      return { rows };
    },
  };
}

/** A user's id and names, of the table or alias of that name. */
export function personJson(user: string): RawBuilder<Person> {
  return sql`json_build_object(${namesOf(user)})`;
}

/** Id and names of a user as `jsonb`. */
export function personJsonb(user: string): RawBuilder<Person> {
  return sql`jsonb_build_object(${namesOf(user)})`;
}

function namesOf(user: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${user}.${name}`);
  return sql`'id', ${column('id')}, 'firstName', ${column('first_name')}, 'lastName', ${column('last_name')}`;
}

/** Stands for a value that is known when the statement runs. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Puts the value of that name into a statement. */
export type Slots<Values> = <Name extends keyof Values & string>(
  name: Name,
) => RawBuilder<Values[Name]>;

type Compilable<Row> = { compile: (db: Executor) => CompiledQuery<Row> };
type Build<Values, Row> = (db: Scoped, value: Slots<Values>) => Compilable<Row>;

/**
 * A statement of the most frequent requests: built on its first use only, because building one costs more than
 * reading a row.
 */
export class CompiledStatement<Values extends object, Row> {
  readonly #build: Build<Values, Row>;
  #built: CompiledQuery<Row> | undefined;

  constructor(build: Build<Values, Row>) {
    this.#build = build;
  }

  async rows(db: Executor, values: Values): Promise<Row[]> {
    return (await db.executeQuery(this.#with(db, values))).rows;
  }

  async row(db: Executor, values: Values): Promise<Row | undefined> {
    return (await this.rows(db, values))[0];
  }

  /** Sends it with the transaction's next statement. */
  later(trx: Transaction, values: Values): Promise<void> {
    return sendLater(trx, this.#with(trx, values));
  }

  #with(db: Executor, values: Values): CompiledQuery<Row> {
    // The text is the same in every scope.
    this.#built ??= this.#build(db as Scoped, (name) => sql.val(new Slot(name) as never)).compile(
      db,
    );
    const named = new Map<string, unknown>(Object.entries(values));
    const parameters = this.#built.parameters.map((parameter) =>
      parameter instanceof Slot ? named.get(parameter.name) : parameter,
    );
    return { ...this.#built, parameters };
  }
}

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

/** Serializes the transactions that take the lock of this name. */
export async function lockName(trx: Transaction, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

/** Counts the rows of a query up to one above the cap of totals. */
export async function countUpToCap(db: Executor, query: Expression<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (${query} limit ${sql.lit(TOTAL_CAP + 1)}) counted`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * A list that the planner takes for ten values, whatever its length. Where it knows that there are one or two, the
 * statement seems so cheap that PostgreSQL plans it anew each time instead of keeping a plan, and through the views
 * that check walls planning takes ten times as long as reading. For statements that go by an index for each value.
 */
export function anyLength(list: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select ${list})`;
}

/** `any(…)` of ids, to compare an id with; the planner expects ten, as with `anyLength`. */
export function amongIds(ids: readonly string[]): RawBuilder<string> {
  // The cast makes it a value: without it, `any` would read rows.
  return sql<string>`any(${anyLength(sql`${ids}::uuid[]`)}::uuid[])`;
}

/** Whether a column has this id, as an index finds it; other texts match nothing. */
export function hasId(column: string, id: string): RawBuilder<boolean> {
  return isId(id) ? sql<boolean>`${sql.ref(column)} = ${id}` : sql<boolean>`false`;
}
