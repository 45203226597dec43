import { type Selectable, sql, type Updateable } from 'kysely';
import type { CurrentUser, User } from '@matterdesk/contract/accounts.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { UsersTable, SessionsTable } from '../../db/schema-accounts.ts';
import type { Executor, Transaction } from '../../db/schema.ts';
import { fold, holdsWords, searchText } from '../../db/search.ts';
import { hashToken, newToken } from '../../db/secrets.ts';
import type { SessionTerms } from '../../db/sessions.ts';
import { countUpToCap, insertMany } from '../../db/statements.ts';
import { permissionsOf } from './rules.ts';

export type UserRow = Selectable<UsersTable>;
type Connections = Pick<CurrentUser, 'googleRefreshToken' | 'googleEmail' | 'twilioConfig'>;

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    role: row.role,
    phoneNumber: row.phone_number,
    active: row.active,
    waiting: !row.approved,
    permissions: permissionsOf(row.role, row.permissions),
  };
}

type SearchedFields = Pick<UserRow, 'first_name' | 'last_name' | 'email' | 'role' | 'phone_number'>;

function searchedTextOf(row: SearchedFields) {
  return searchText([row.first_name, row.last_name, row.email, row.role, row.phone_number]);
}

/** Serializes every change of who is an admin. */
export async function lockAdmins(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('matterdesk.admins'))`.execute(trx);
}

export async function hasUsers(db: Executor): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

type NewUser = SearchedFields & {
  password_hash: string;
  active: boolean;
  approved: boolean;
  /** Granted ones; default none. */
  permissions?: UserRow['permissions'];
};

/** @returns undefined when the address is taken */
export async function insertUser(trx: Transaction, user: NewUser): Promise<UserRow | undefined> {
  return trx
    .insertInto('users')
    .values({
      ...user,
      email_key: fold(user.email),
      permissions: JSON.stringify(user.permissions ?? {}),
      search_text: searchedTextOf(user),
    })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function findUser(db: Executor, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A user's connections to Google and Twilio. */
export async function findConnections(db: Executor, userId: string): Promise<Connections> {
  const found = await db
    .selectFrom('users')
    .leftJoin('google_grants as g', 'g.user_id', 'users.id')
    .leftJoin('phone_numbers as n', (join) =>
      join.onRef('n.user_id', '=', 'users.id').on('n.state', '=', 'owned'),
    )
    .select(['g.fingerprint', 'g.email', 'n.phone_number as phoneNumber'])
    .where('users.id', '=', userId)
    .executeTakeFirst();
  const twilioPhoneNumber = found?.phoneNumber ?? null;
  return {
    googleRefreshToken: found?.fingerprint ?? null,
    googleEmail: found?.email ?? null,
    twilioConfig: { twilioPhoneNumber, messagingEnabled: twilioPhoneNumber !== null },
  };
}

/** A user, locked until the transaction ends. */
export function lockUser(trx: Transaction, id: string): Promise<UserRow | undefined> {
  return trx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function findUserByEmail(db: Executor, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email_key', '=', fold(email)).executeTakeFirst();
}

/** The active users among the given ones, locked as active until the transaction ends. */
export async function lockActiveUsers(trx: Transaction, ids: string[]) {
  if (ids.length === 0) return [];
  return trx
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'email'])
    .where('id', '=', sql<string>`any(${ids})`)
    .where('active', '=', true)
    .orderBy('id')
    .forShare()
    .execute();
}

export async function findActiveUsersByEmail(db: Executor, emails: string[]) {
  if (emails.length === 0) return [];
  return db
    .selectFrom('users')
    .select(['id', 'email_key'])
    .where('email_key', '=', sql<string>`any(${emails.map(fold)})`)
    .where('active', '=', true)
    .execute();
}

/** The oldest account of an active admin. */
export function findFirstAdmin(db: Executor) {
  return db
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('role', '=', 'admin')
    .where('active', '=', true)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

export async function listActiveUserIds(db: Executor): Promise<string[]> {
  const rows = await db.selectFrom('users').select('id').where('active', '=', true).execute();
  return rows.map(({ id }) => id);
}

export function listAdmins(db: Executor): Promise<{ id: string }[]> {
  return db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('active', '=', true)
    .execute();
}

/** Users whose password this user's link set. */
export function listPasswordsBy(db: Executor, userId: string): Promise<{ id: string }[]> {
  return db.selectFrom('users').select('id').where('password_by', '=', userId).execute();
}

export async function hasOtherActiveAdmin(db: Executor, id: string): Promise<boolean> {
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('active', '=', true)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

export type UserChange = Pick<
  Updateable<UsersTable>,
  'first_name' | 'last_name' | 'phone_number' | 'role' | 'active' | 'approved' | 'permissions'
>;

/** Updates a locked row. */
export function updateUser(trx: Transaction, row: UserRow, change: UserChange): Promise<UserRow> {
  const { permissions: _, ...fields } = change;
  const next = { ...row, ...fields } as UserRow;
  return trx
    .updateTable('users')
    .set({
      ...change,
      search_text: searchedTextOf(next),
      updated_at: sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updatePassword(trx: Transaction, id: string, hash: string): Promise<void> {
  await trx.updateTable('users').set({ password_hash: hash }).where('id', '=', id).execute();
}

/** Notes whose link set the password; null for one that the user asked for. */
export async function updatePasswordBy(
  trx: Transaction,
  id: string,
  by: string | null,
): Promise<void> {
  const password_by_at = by === null ? null : sql<Date>`clock_timestamp()`;
  await trx
    .updateTable('users')
    .set({ password_by: by, password_by_at })
    .where('id', '=', id)
    .execute();
}

type UserFilter = { search?: string | undefined; withWaiting: boolean };

const lastName = sql<string>`last_name collate "und-x-icu"`;
const firstName = sql<string>`first_name collate "und-x-icu"`;

function filtered(db: Executor, { search, withWaiting }: UserFilter) {
  return db
    .selectFrom('users')
    .$if(!withWaiting, (query) => query.where('approved', '=', true))
    .$if(search !== undefined, (query) =>
      query.where(holdsWords(search ?? '', sql.ref('search_text'))),
    );
}

/** Users by last name; `after` is the [last name, first name, id] of the previous row. */
export function listUsers(
  db: Executor,
  filter: UserFilter,
  page: { limit: number; after?: string[] | undefined },
): Promise<UserRow[]> {
  const { after } = page;
  return filtered(db, filter)
    .selectAll()
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(${lastName}, ${firstName}, id) > (${after?.[0]}, ${after?.[1]}, ${after?.[2]}::uuid)`,
      ),
    )
    .orderBy(lastName)
    .orderBy(firstName)
    .orderBy('id')
    .limit(page.limit)
    .execute();
}

export function countUsers(db: Executor, filter: UserFilter): Promise<number> {
  return countUpToCap(db, filtered(db, filter).select('id'));
}

export type ListedUser = Person & { email: string; active: boolean };

/** All users, inactive ones too. */
export async function listEveryone(db: Executor): Promise<ListedUser[]> {
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
export async function lockPeople(trx: Transaction, ids: readonly string[]): Promise<ListedUser[]> {
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
  // Counts stay as zeros after removals, and would still refer to the user.
  await sql`
    delete from stream_counts where user_id = any(${[...ids]}::uuid[]) and n = 0`.execute(trx);
  await trx
    .deleteFrom('users')
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('active', '=', false)
    .execute();
}

// Sessions, and links that set a password.

export type SessionRow = Omit<Selectable<SessionsTable>, 'token_hash' | 'user_id'>;

/** A user's valid sessions, the latest use first. */
export function listSessions(
  db: Executor,
  userId: string,
  { idle, life }: SessionTerms,
): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_seen_at', 'address', 'agent'])
    .where('user_id', '=', userId)
    .where('last_seen_at', '>', ago(idle))
    .where('created_at', '>', ago(life))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();
}

const ago = (milliseconds: number) =>
  sql<Date>`statement_timestamp() - make_interval(secs => ${milliseconds / 1000})`;

/** @returns whether the user had this session */
export async function deleteSession(trx: Transaction, userId: string, id: string) {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

type NewLink = { userId: string; lifeMs: number; madeBy: string | null };

/** A new link; it ends the user's older ones. */
export async function insertLink(trx: Transaction, { userId, lifeMs, madeBy }: NewLink) {
  await deleteLinksOf(trx, userId);
  const token = newToken();
  const { expires_at } = await trx
    .insertInto('password_links')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      made_by: madeBy,
      expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${lifeMs / 1000})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return { token, expiresAt: expires_at };
}

/** The user and the maker of a link that still works. */
export function findLink(db: Executor, token: string) {
  return db
    .selectFrom('password_links')
    .select(['user_id', 'made_by'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<Date>`statement_timestamp()`)
    .executeTakeFirst();
}

export async function deleteLinksOf(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom('password_links').where('user_id', '=', userId).execute();
}

export async function purgeLinks(db: Executor): Promise<void> {
  await db
    .deleteFrom('password_links')
    .where('expires_at', '<', sql<Date>`statement_timestamp()`)
    .execute();
}
