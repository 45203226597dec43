// Changes passwords, and makes links that set one.

import { hash, verify } from '@node-rs/argon2';
import limit from 'p-limit';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { type ActorContext, type Context, write } from '../../../context.ts';
import { allow } from '../../../core/actor.ts';
import { HOUR_MS } from '../../../core/durations.ts';
import { isId } from '../../../core/ids.ts';
import type { Network } from '../../../core/origin.ts';
import { fieldRefusal, notFound, Refusal, invalidField } from '../../../core/refusal.ts';
import type { Executor } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import { endOtherSessions, endSessionsOf } from '../../../db/sessions.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { Client } from '../../../http/client.ts';
import type { SystemMail } from '../../../integrations/smtp/mailer.ts';
import { accountKey, type Limit } from '../rules.attempts.ts';
import { mayTake } from '../rules.ts';
import { attemptPassword, type Caller, limitOf, requireAttempt } from '../service.attempts.ts';
import { canSendSystemMail, queueSystemMail } from '../service.mail.ts';
import { passwordRecovered, reportAct, about } from '../service.ts';
import { forgetBrowsersOf, forgetFailures, recordAttempt } from '../store.attempts.ts';
import * as store from '../store.ts';

const WHY = 'a password by someone else’s link pauses restricted matters';

/** Milliseconds for which a link works, by mail and from an administrator. */
const MAILED_LINK_LIFE_MS = HOUR_MS;
const HANDED_LINK_LIFE_MS = 24 * HOUR_MS;
const MAX_LINKS_PER_ADDRESS = 3;
const LINK_WINDOW_MS = HOUR_MS;
/** Mails that one client has sent in an hour. */
const MAX_LINKS_PER_CLIENT = 20;

/** @throws Refusal wrongPassword, invalidInput, tooManyAttempts */
export async function changePassword(
  context: ActorContext,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  caller: Caller,
): Promise<void> {
  await requireStrong(newPassword, context.actor, 'newPassword');
  await requirePassword(context, currentPassword, caller);
  const hash = await hashPassword(newPassword);
  await write(context, async (unit) => {
    await store.updatePassword(unit.trx, context.actor.id, hash);
    await store.deleteLinksOf(unit.trx, context.actor.id);
    await endOtherSessions(unit.trx, context.actor.id, context.actor.sessionId);
    await unit.record({ ...about(context.actor), action: 'passwordChanged' });
    unit.afterCommit((realtime) =>
      realtime.endSessions({ userId: context.actor.id, except: context.actor.sessionId }, 'logout'),
    );
  });
}

/**
 * Asks for the password again; a wrong one counts as a failed guess.
 * @param path its member of the body
 * @throws Refusal wrongPassword
 */
export async function requirePassword(
  context: ActorContext,
  password: string,
  { path, ...caller }: Caller & { path?: string },
): Promise<void> {
  const tried = { email: context.actor.email, client: caller.network, browser: caller.browser };
  await attemptPassword(context, tried, () => checkPassword(context, password, path));
}

/** Without a limit of attempts, which the caller keeps. @throws Refusal wrongPassword */
export async function checkPassword(
  { db, actor }: ActorContext,
  password: string,
  path = 'currentPassword',
): Promise<void> {
  const row = await store.findUser(db, actor.id);
  if (await isPasswordOf(row?.password_hash, password)) return;
  throw fieldRefusal('wrongPassword', path);
}

/** Unlocks a page that covered itself. @throws Refusal wrongPassword, tooManyAttempts */
export function unlockByPassword(
  context: ActorContext,
  password: string,
  caller: Caller,
): Promise<void> {
  return requirePassword(context, password, { ...caller, path: 'password' });
}

/** Takes the same time with an account and without: the link is made when the mail is sent. */
export async function requestPasswordReset(
  context: Context,
  email: string,
  { address, network }: Client,
): Promise<void> {
  const { db, writer } = context;
  if (!canSendSystemMail(context)) return;
  for (const limit of [limitOfAddress(email), limitOfClient(network)])
    if ('wait' in (await recordAttempt(db, limit))) return;
  const posted = { forgottenBy: email, askedFrom: address };
  await writer.run(null, (unit) => queueSystemMail(context, unit, posted));
}

/** The mail for a forgotten password, with a new link. */
export async function writeResetMail(
  context: Context,
  email: string,
  askedFrom: string,
): Promise<SystemMail | undefined> {
  const { db, writer } = context;
  const row = await store.findUserByEmail(db, email);
  if (!row?.active) return undefined;
  return writer.run(null, async (unit) => {
    const { token } = await store.insertLink(unit.trx, {
      userId: row.id,
      lifeMs: MAILED_LINK_LIFE_MS,
      madeBy: null,
    });
    await unit.record({ ...about(row), action: 'passwordLinkMailed', after: { askedFrom } });
    return writeLink(row.email, { url: resetUrlOf(context, token), askedFrom });
  });
}

/** A link to hand over. @throws Refusal notPermitted, notFound, tooManyAttempts */
export async function createResetLink(context: ActorContext, id: string) {
  allow(context.actor, 'manageUsers');
  const { db } = context;
  const row = isId(id) ? await store.findUser(db, id) : undefined;
  if (!row) throw notFound('User');
  if (!mayTake(context.actor, store.toUser(row))) throw new Refusal('notPermitted');
  await requireAttempt(db, limitOfAddress(row.email));
  return write(context, async (unit) => {
    const { token, expiresAt } = await store.insertLink(unit.trx, {
      userId: id,
      lifeMs: HANDED_LINK_LIFE_MS,
      madeBy: context.actor.id === id ? null : context.actor.id,
    });
    await unit.record({ ...about({ id }), action: 'passwordLinkCreated' });
    await reportAct(context, unit, { person: row, by: context.actor, act: 'linkCreated' });
    return { url: resetUrlOf(context, token), expiresAt: expiresAt.toISOString() };
  });
}

/** @throws Refusal linkDead, invalidInput */
export async function resetPassword(
  context: Context,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { db, writer } = context;
  const { row } = await findReset(db, token);
  await requireStrong(password, store.toUser(row), 'password');
  const hash = await hashPassword(password);
  await writer.runAsSystem(null, WHY, (unit) =>
    replacePassword(context, unit, { row, token, hash }),
  );
}

function resetUrlOf(context: Context, token: string): string {
  return `${context.config.publicUrl}/reset-password/${token}`;
}

/** @throws Refusal linkDead, also when its maker has fewer rights by now than its user, or none */
async function findReset(db: Executor, token: string) {
  const link = await store.findLink(db, token);
  const row = link && (await store.findUser(db, link.user_id));
  const by = link?.made_by ?? null;
  const maker = by === null ? undefined : await store.findUser(db, by);
  const isValid =
    by === null || (row && maker?.active && mayTake(store.toUser(maker), store.toUser(row)));
  if (!row || !isValid) throw new Refusal('linkDead');
  return { row, maker };
}

async function replacePassword(
  context: Context,
  unit: Unit,
  { row: { id, email }, token, hash }: { row: store.UserRow; token: string; hash: string },
) {
  // Locked, so that a link works once.
  await store.lockUser(unit.trx, id);
  const { row, maker } = await findReset(unit.trx, token);
  const by = maker && { id: maker.id, firstName: maker.first_name, lastName: maker.last_name };
  await store.deleteLinksOf(unit.trx, id);
  await store.updatePassword(unit.trx, id, hash);
  await store.updatePasswordBy(unit.trx, id, by?.id ?? null);
  await endSessionsOf(unit.trx, id);
  await forgetBrowsersOf(unit.trx, id);
  await forgetFailures(unit.trx, accountKey(email));
  const after = by && { linkBy: by };
  await unit.record({
    ...about(row),
    action: 'passwordReset',
    actorId: id,
    ...(after && { after }),
  });
  if (row.password_by_at) await passwordRecovered.run(context, unit, id, row.password_by_at);
  if (by) await reportAct(context, unit, { person: row, by, act: 'passwordSet' });
  unit.afterCommit((realtime) => realtime.endSessions({ userId: id }, 'logout'));
}

/** Links that set a password, and invitations. */
export function limitOfAddress(email: string): Limit {
  return limitOf(`link:${fold(email)}`, { most: MAX_LINKS_PER_ADDRESS, windowMs: LINK_WINDOW_MS });
}

function limitOfClient(client: Network): Limit {
  return limitOf(`links:${client}`, { most: MAX_LINKS_PER_CLIENT, windowMs: LINK_WINDOW_MS });
}

function writeLink(to: string, { url, askedFrom }: { url: string; askedFrom: string }): SystemMail {
  return {
    to,
    subject: 'Set a new Matterdesk password',
    text: `Someone at the network address ${askedFrom} asked for a new password for your Matterdesk account.

Set it within an hour:
${url}

If it was not you, ignore this mail: your password stays as it is.
`,
  };
}

const TOO_EASY = 'This password is too easy to guess';

let commonPasswords: Promise<Set<string>> | undefined;

type Owner = { firstName: string; lastName: string; email: string };

/** OWASP password storage cheat sheet: argon2id, 19 MiB, two passes, one lane. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Few at once, so that a crowd of sign-ins leaves processor time to everyone else. */
const hashLimit = limit(2);

let dummy: Promise<string> | undefined;

/**
 * Decided before a password is hashed.
 * @param path its place in the body
 * @throws Refusal invalidInput
 */
export async function requireStrong(password: string, owner: Owner, path: string): Promise<void> {
  commonPasswords ??= readCommon();
  const isCommon = (await commonPasswords).has(password.trim().toLowerCase());
  if (isCommon || isOwnName(password, owner)) throw invalidField(path, TOO_EASY);
}

export function hashPassword(password: string): Promise<string> {
  return hashLimit(() => hash(password, ARGON2ID));
}

/** Takes the same time for known and unknown addresses. */
export async function isPasswordOf(passwordHash: string | undefined, password: string) {
  dummy ??= hashPassword('an unused password');
  // An empty hash is of someone who never had a password.
  const against = passwordHash || (await dummy);
  const matches = await hashLimit(() => verify(against, password));
  return Boolean(passwordHash) && matches;
}

/** The commonest passwords of leaks, in lower case; loaded when the first one is set. */
async function readCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map((each) => each.toLowerCase()));
}

/** Whether a password is the user's own name or address. */
function isOwnName(password: string, { firstName, lastName, email }: Owner): boolean {
  const names = [
    firstName,
    lastName,
    `${firstName} ${lastName}`,
    `${firstName}${lastName}`,
    email,
    email.slice(0, email.indexOf('@')),
  ];
  return names.some((name) => plain(name) === plain(password));
}

function plain(text: string): string {
  return normalized(text).trim().toLowerCase();
}
