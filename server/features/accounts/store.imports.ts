import { sql } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Executor, Transaction } from '../../db/schema.ts';
import { fold, searchText } from '../../db/search.ts';
import { insertMany } from '../../db/statements.ts';

export type Everyone = Person & { email: string; active: boolean };

/** All users, inactive ones too. */
export async function listEveryone(db: Executor): Promise<Everyone[]> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'email', 'active'])
    .orderBy('active', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(({ first_name: firstName, last_name: lastName, ...row }) => ({
    ...row,
    firstName,
    lastName,
  }));
}

/** No hash of a password: nothing that is entered matches it. */
const NO_PASSWORD = '';

/** Adds inactive users who have never signed in; one without an address has none. */
export async function insertInactive(
  trx: Transaction,
  people: readonly (Person & { email: string })[],
): Promise<void> {
  const rows = people.map(({ id, firstName, lastName, email }) => ({
    id,
    first_name: firstName,
    last_name: lastName,
    email,
    // No address has this form, so that no one signs in, registers or is found by it.
    email_key: email === '' ? `left:${id}` : fold(email),
    password_hash: NO_PASSWORD,
    role: 'user',
    phone_number: '',
    active: false,
    approved: true,
    permissions: {},
    search_text: searchText([firstName, lastName, email, 'user']),
  }));
  await insertMany(trx, 'users', rows);
}

/** Locked until the transaction ends. */
export async function lockPeople(trx: Transaction, ids: readonly string[]): Promise<Everyone[]> {
  const rows = await trx
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'email', 'active'])
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ first_name: firstName, last_name: lastName, ...row }) => ({
    ...row,
    firstName,
    lastName,
  }));
}

export async function updateName(
  trx: Transaction,
  { id, firstName, lastName, email }: Person & { email: string },
): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      first_name: firstName,
      last_name: lastName,
      email,
      email_key: email === '' ? `left:${id}` : fold(email),
      search_text: searchText([firstName, lastName, email, 'user']),
      updated_at: sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .execute();
}

/** @throws a foreign key violation while something refers to one */
export async function deletePeople(trx: Transaction, ids: readonly string[]): Promise<void> {
  // Counts of what was removed before stay, as zeros.
  await sql`
    delete from stream_counts where user_id = any(${[...ids]}::uuid[]) and n = 0`.execute(trx);
  await trx
    .deleteFrom('users')
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('active', '=', false)
    .execute();
}
