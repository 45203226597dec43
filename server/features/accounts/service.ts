import type { CurrentUser, User, UserPatch } from '@matterdesk/contract/accounts.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import { type Permissions, permissionsBy } from '@matterdesk/contract/permissions.ts';
import { type ActorContext, type Context, perContext, write, hook } from '../../context.ts';
import { type Actor, allow, type SessionOwner, fullName } from '../../core/actor.ts';
import { BatchLoader } from '../../core/batch-loader.ts';
import { ID, isId } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import type { Executor, Transaction } from '../../db/schema.ts';
import * as sessions from '../../db/sessions.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import {
  cutPage,
  describeTotal,
  pageLimit,
  type PageQuery,
  readCursor,
} from '../../http/paging.ts';
import type { SystemMail } from '../../integrations/smtp/mailer.ts';
import { namesOfUser, saveNames } from '../conflicts/names/service.ts';
import { readFirm } from '../firm/service.ts';
import * as rules from './rules.ts';
import { forgetBrowsersOf } from './store.attempts.ts';
import * as store from './store.ts';
import type { UserRow } from './store.ts';

/** Users to assign, without duplicates; `path` is their place in the body. */
type Assignees = { ids: string[]; path: string; already?: string[] };

export type Assignable = Pick<User, 'id' | 'firstName' | 'lastName' | 'email'>;

const NAME = /^[^\0]{0,200}$/;

const sessionsOf = perContext(
  (context) =>
    new BatchLoader(async (tokens: string[]) =>
      sessions.findSessions(context.db, tokens, await sessionTerms(context)),
    ),
);

/** The lifetimes of sessions at present. */
export async function sessionTerms(context: Context): Promise<sessions.SessionTerms> {
  return rules.termsOf(await readFirm(context));
}

/** The admin to ask for what only admins can do. */
export async function nameOfAdmin(context: Context): Promise<string> {
  const admin = await store.findFirstAdmin(context.db);
  return admin ? `${admin.first_name} ${admin.last_name}` : 'an administrator';
}

export function listActiveUserIds(db: Executor): Promise<string[]> {
  return store.listActiveUserIds(db);
}

/** Ids of the active admins. */
export async function listAdmins(db: Executor): Promise<string[]> {
  return (await store.listAdmins(db)).map(({ id }) => id);
}

/** The user with those who may hold the user’s password: one set it for the other by a link. */
export async function listPasswordPeers(db: Executor, userId: string): Promise<string[]> {
  const own = await store.findUser(db, userId);
  const others = await store.listPasswordsBy(db, userId);
  return [userId, ...(own?.password_by ? [own.password_by] : []), ...others.map(({ id }) => id)];
}

/** Undefined for an invalid token. */
export async function ownerOfToken(
  context: Context,
  token: string,
): Promise<SessionOwner | undefined> {
  const row = await sessionsOf(context).get(token);
  if (!row) return undefined;
  const { id, email, firstName, lastName, role, permissions } = store.toUser(row);
  const user = { id, email, firstName, lastName, role, permissions };
  return { ...user, sessionId: row.session_id, mustEnrol: await mustEnrol(context, row) };
}

/** Those of the given sessions that ended, with the reason for each. */
export async function findEndedSessions(context: Context, open: sessions.OpenSession[]) {
  return sessions.findEnded(context.db, open, await sessionTerms(context));
}

/** The actor for a user's background work; undefined once the user is inactive. */
export async function actorFor(db: Executor, userId: string): Promise<Actor | undefined> {
  const row = await store.findUser(db, userId);
  if (!row?.active) return undefined;
  const { id, email, firstName, lastName, role, permissions } = store.toUser(row);
  const user = { id, email, firstName, lastName, role, permissions };
  return { ...user, sessionId: '', socketId: undefined, requestId: '' };
}

/** The administrator for whom a command works: the one with this address, or the first one. */
export async function commandActor(db: Executor, email?: string): Promise<Actor | undefined> {
  const row = email === undefined ? undefined : await store.findUserByEmail(db, email);
  const [first] = email === undefined ? await store.listAdmins(db) : [row];
  const actor = first && (await actorFor(db, first.id));
  return actor?.role === 'admin' ? actor : undefined;
}

export async function readCurrentUser(context: ActorContext): Promise<CurrentUser> {
  const row = await store.findUser(context.db, context.actor.id);
  if (!row) throw new Refusal('invalidToken');
  return describeUser(context, context.db, row);
}

/** A user’s own account, as the user sees it. */
export async function describeUser(
  context: Context,
  db: Executor,
  row: store.UserRow,
): Promise<CurrentUser> {
  return {
    ...store.toUser(row),
    ...(await store.findConnections(db, row.id)),
    secondFactor: row.second_factor,
    mustEnrol: await mustEnrol(context, row),
  };
}

async function mustEnrol(
  context: Context,
  row: Pick<store.UserRow, 'role' | 'second_factor'>,
): Promise<boolean> {
  return row.second_factor === 'none' && rules.needsFactor(row, await readFirm(context));
}

/** A user's tabs refetch the current user after a connection changed. */
export async function emitOwner(unit: Unit, userId: string): Promise<void> {
  const row = await store.findUser(unit.trx, userId);
  if (row) unit.emit('user.updated', store.toUser(row), { audience: { userIds: [userId] } });
}

/** Users by last name; pending users are visible to managers of users only. */
export async function listUsers(context: ActorContext, query: PageQuery) {
  const filter = { search: query.search, withWaiting: context.actor.permissions.manageUsers };
  const after = query.cursor ? readCursor(query.cursor, [NAME, NAME, ID]) : undefined;
  const limit = pageLimit(query);
  const rows = await store.listUsers(context.db, filter, { limit: (limit ?? 1e6) + 1, after });
  const { page, nextCursor } = cutPage(rows, limit ?? 1e6, (row) => [
    row.last_name,
    row.first_name,
    row.id,
  ]);
  const counted = limit === undefined ? rows.length : await store.countUsers(context.db, filter);
  return { users: page.map(store.toUser), nextCursor, ...describeTotal(counted) };
}

/** @throws Refusal notPermitted, notFound, conflict for the last active admin */
export async function changeUser(
  context: ActorContext,
  id: string,
  patch: UserPatch,
): Promise<User> {
  const isSwitched = patch.active !== undefined;
  if (isSwitched || id !== context.actor.id) allow(context.actor, 'manageUsers');
  const isAdminsOnly = patch.role !== undefined || patch.permissions !== undefined;
  if (isAdminsOnly && context.actor.role !== 'admin') throw new Refusal('notPermitted');
  if (!isId(id)) throw notFound('User');
  return write(context, (unit) => applyUserChange(context, unit, { id, patch }));
}

/** Before the body is validated, so that a refusal says nothing about it. @throws Refusal notPermitted */
export async function requireMayChange(context: ActorContext, id: string): Promise<void> {
  if (id !== context.actor.id) allow(context.actor, 'manageUsers');
  const row = isId(id) ? await store.findUser(context.db, id) : undefined;
  if (row && !rules.mayChange(context.actor, row)) throw new Refusal('notPermitted');
}

export async function deactivateUser(context: ActorContext, id: string): Promise<void> {
  await changeUser(context, id, { active: false });
}

async function applyUserChange(
  context: ActorContext,
  unit: Unit,
  { id, patch }: { id: string; patch: UserPatch },
) {
  await store.lockAdmins(unit.trx);
  const row = await store.lockUser(unit.trx, id);
  if (!row) throw notFound('User');
  if (!rules.mayChange(context.actor, row)) throw new Refusal('notPermitted');
  const before = store.toUser(row);
  const isSwitched = patch.active !== undefined && patch.active !== row.active;
  if (isSwitched && !rules.mayTake(context.actor, before)) throw new Refusal('notPermitted');
  const next = { role: patch.role ?? row.role, active: patch.active ?? row.active };
  const staysAdmin = next.role === 'admin' && next.active;
  const isActiveAdmin = row.role === 'admin' && row.active;
  if (isActiveAdmin && !staysAdmin && !(await store.hasOtherActiveAdmin(unit.trx, id)))
    throw new Refusal('lastAdmin');
  const changed = await store.updateUser(unit.trx, row, toChange(row, patch));
  const user = store.toUser(changed);
  await saveNames(unit.trx, [namesOfUser(user)]);
  await unit.record({ ...about(user), action: 'updated', before, after: user });
  if (!user.active) await endAccess(context, unit, user.id);
  const act = row.approved ? actOf(before, user) : undefined;
  if (act) await reportAct(context, unit, { person: changed, by: context.actor, act });
  unit.afterCommit((realtime) =>
    realtime.changePermissions(id, user.active ? user.permissions : permissionsBy(() => false)),
  );
  emitUser(unit, 'user.updated', changed);
  return user;
}

async function endAccess(context: Context, unit: Unit, userId: string): Promise<void> {
  await sessions.endSessionsOf(unit.trx, userId);
  await forgetBrowsersOf(unit.trx, userId);
  await userDeactivated.run(context, unit, userId);
  unit.afterCommit((realtime) => realtime.endSessions({ userId }, 'deactivated'));
}

/** Locks the actor as active until the transaction ends. @throws Refusal invalidToken */
export async function requireActive(trx: Transaction, actor: Actor): Promise<void> {
  if ((await store.lockActiveUsers(trx, [actor.id])).length === 0)
    throw new Refusal('invalidToken');
}

/** Active users by folded email address. */
export async function findAssignableByEmail(
  context: Context,
  emails: string[],
): Promise<Map<string, string>> {
  const rows = await store.findActiveUsersByEmail(context.db, emails);
  return new Map(rows.map((row) => [row.email_key, row.id]));
}

/**
 * Users to assign: active ones, locked as active until the transaction ends, and those already
 * assigned.
 * @returns those not assigned yet, in the order asked
 * @throws Refusal invalidInput on `path`
 */
export async function requireAssignable(trx: Transaction, asked: Assignees): Promise<Assignable[]> {
  const { ids, path, already = [] } = asked;
  const added = ids.filter((id) => !already.includes(id));
  const locked = await store.lockActiveUsers(trx, added.filter(isId));
  if (locked.length < added.length) throw invalidField(path, 'Only active users can be assigned');
  const users = locked.map(({ id, email, first_name: firstName, last_name: lastName }) => ({
    id,
    firstName,
    lastName,
    email,
  }));
  return users.toSorted((a, b) => added.indexOf(a.id) - added.indexOf(b.id));
}

export function about({ id }: { id: string }) {
  return { entity: 'user', entityId: id } as const;
}

export function emitUser(unit: Unit, name: 'user.created' | 'user.updated', row: store.UserRow) {
  unit.emit(
    name,
    store.toUser(row),
    row.approved ? {} : { audience: { permission: 'manageUsers' } },
  );
}

/** The act to notify a changed user about. */
function actOf(before: User, after: User): AccountAct | undefined {
  if (before.active !== after.active) return after.active ? 'reactivated' : 'deactivated';
  const isSame = rules.mayTake(before, after) && rules.mayTake(after, before);
  return isSame && before.role === after.role ? undefined : 'rightsChanged';
}

/** A decision on a pending user ends the wait for approval. */
function toChange(row: store.UserRow, patch: UserPatch): store.UserChange {
  const granted: Partial<Permissions> = { ...row.permissions };
  for (const [name, value] of Object.entries(patch.permissions ?? {}))
    if (value !== undefined) granted[name as keyof Permissions] = value;
  return {
    ...(patch.firstName !== undefined && { first_name: patch.firstName }),
    ...(patch.lastName !== undefined && { last_name: patch.lastName }),
    ...(patch.phoneNumber !== undefined && { phone_number: patch.phoneNumber }),
    ...(patch.role !== undefined && { role: patch.role }),
    ...(patch.active !== undefined && { active: patch.active, approved: true }),
    ...(patch.permissions && { permissions: JSON.stringify(granted) }),
  };
}

type Act = { person: UserRow; by: Person; act: AccountAct };
/** An act in words for the user and for admins, with the mail to the user. */
export type ReportedAct = Act & { toUser: string; toAdmins: string; mail: SystemMail };

/** Reports an act on an account, in its transaction. */
export const accountActReported = hook<[unit: Unit, reported: ReportedAct]>();
/**
 * The user replaced a password that someone else's link had set at `since`. Listeners end what may have been set up in
 * between.
 */
export const passwordRecovered = hook<[unit: Unit, userId: string, since: Date]>();
/** Other features end what belongs to a deactivated user; reactivated users start clean. */
export const userDeactivated = hook<[unit: Unit, userId: string]>();

/** An act on another user’s account. */
export type AccountAct =
  | 'linkCreated'
  | 'passwordSet'
  | 'factorRemoved'
  | 'deactivated'
  | 'reactivated'
  | 'rightsChanged';

type Sentence = (by: string, of: string) => string;

/** The act in words for an admin: `of` is the account’s user. */
const sentences: Record<AccountAct, Sentence> = {
  linkCreated: (by, of) => `${by} made a link that sets the password of ${of}`,
  passwordSet: (by, of) => `The password of ${of} was set with a link that ${by} made`,
  factorRemoved: (by, of) => `${by} removed the second factor of ${of}`,
  deactivated: (by, of) => `${by} deactivated the account of ${of}`,
  reactivated: (by, of) => `${by} reactivated the account of ${of}`,
  rightsChanged: (by, of) => `${by} changed the role or permissions of ${of}`,
};

/** The same for the user. */
const sentencesToUser: Record<AccountAct, (by: string) => string> = {
  linkCreated: (by) => `${by} made a link that sets your password`,
  passwordSet: (by) => `Your password was set with a link that ${by} made`,
  factorRemoved: (by) => `${by} removed your second factor`,
  deactivated: (by) => `${by} deactivated your account`,
  reactivated: (by) => `${by} reactivated your account`,
  rightsChanged: (by) => `${by} changed your role or permissions`,
};

/** Advice for the user. */
const advice: Partial<Record<AccountAct, string>> = {
  linkCreated: 'Anyone who has the link can use it to sign in as you.',
  passwordSet:
    'Restricted matters stay closed to you until someone with access lets you in again under Access.',
};

/** Nothing is reported to a user about what they did themselves. */
export async function reportAct(
  context: Context,
  unit: Unit,
  { person, by, act }: Act,
): Promise<void> {
  if (person.id === by.id) return;
  const { id, email, first_name: firstName, last_name: lastName } = person;
  const toUser = describeToUser(act, by);
  const toAdmins = describeAct(act, by, { id, firstName, lastName });
  const mail = writeAct(act, { to: email, by });
  await accountActReported.run(context, unit, { person, by, act, toUser, toAdmins, mail });
}

function describeAct(act: AccountAct, by: Person, of: Person): string {
  return sentences[act](fullName(by), fullName(of));
}

function describeToUser(act: AccountAct, by: Person): string {
  return sentencesToUser[act](fullName(by));
}

/** The mail to the user. Removing a second factor has its own. */
function writeAct(act: AccountAct, { to, by }: { to: string; by: Person }): SystemMail {
  const title = describeToUser(act, by);
  const parts = [
    `${title}.`,
    advice[act],
    `If you did not ask for this, speak to an administrator of your firm at once.`,
  ];
  return {
    to,
    subject: title,
    text: `${parts.filter((part) => part !== undefined).join('\n\n')}\n`,
  };
}
