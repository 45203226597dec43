// Changes passwords, and makes links that set one.

import { errorCodes } from '@matterdesk/contract/errors.ts';
import { type ActorContext, type Context, write } from '../../../context.ts';
import { allow } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import type { Network } from '../../../core/origin.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { Executor } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import { endOtherSessions, endSessionsOf } from '../../../db/sessions.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { Client } from '../../../http/client.ts';
import type { Letter } from '../../../integrations/smtp/mailer.ts';
import { accountKey, type Limit } from '../rules.attempts.ts';
import { mayTake } from '../rules.ts';
import { attemptPassword, type Caller, limitOf, requireAttempt } from '../service.attempts.ts';
import { passwordRecovered, reportAct } from '../service.events.ts';
import { canSendSystemMail, queueSystemMail } from '../service.letters.ts';
import { hashPassword, isPasswordOf, requireStrong } from '../service.passwords.ts';
import { about } from '../service.ts';
import { forgetBrowsersOf, forgetFailures, recordAttempt } from '../store.attempts.ts';
import * as accounts from '../store.ts';
import * as store from './store.ts';

const WHY = 'a password by someone else’s link pauses restricted matters';

const HOUR = 3600_000;
/** Milliseconds for which a link works, by mail and from an administrator. */
const MAILED_LINK_LIFE = HOUR;
const HANDED_LINK_LIFE = 24 * HOUR;
/** Links for one address in an hour. */
const LINKS_PER_ADDRESS = 3;
const LINK_WINDOW = HOUR;
/** Mails that one client has sent in an hour. */
const LINKS_PER_CLIENT = 20;

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
    await accounts.updatePassword(unit.trx, context.actor.id, hash);
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
  const row = await accounts.findUser(db, actor.id);
  if (await isPasswordOf(row?.password_hash, password)) return;
  const { message } = errorCodes.wrongPassword;
  throw new Refusal('wrongPassword', message, { errors: [{ path, message }] });
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
  for (const limit of [ofAddress(email), ofClient(network)])
    if ('wait' in (await recordAttempt(db, limit))) return;
  const posted = { forgottenBy: email, askedFrom: address };
  await writer.run(null, (unit) => queueSystemMail(context, unit, posted));
}

/** The mail for a forgotten password, with a new link. */
export async function writeResetMail(
  context: Context,
  email: string,
  askedFrom: string,
): Promise<Letter | undefined> {
  const { db, writer } = context;
  const row = await accounts.findUserByEmail(db, email);
  if (!row?.active) return undefined;
  return writer.run(null, async (unit) => {
    const { token } = await store.insertLink(unit.trx, {
      userId: row.id,
      lifeMs: MAILED_LINK_LIFE,
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
  const row = isId(id) ? await accounts.findUser(db, id) : undefined;
  if (!row) throw notFound('User');
  if (!mayTake(context.actor, accounts.toUser(row))) throw new Refusal('notPermitted');
  await requireAttempt(db, ofAddress(row.email));
  return write(context, async (unit) => {
    const { token, expiresAt } = await store.insertLink(unit.trx, {
      userId: id,
      lifeMs: HANDED_LINK_LIFE,
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
  await requireStrong(password, accounts.toUser(row), 'password');
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
  const row = link && (await accounts.findUser(db, link.user_id));
  const by = link?.made_by ?? null;
  const maker = by === null ? undefined : await accounts.findUser(db, by);
  const isValid =
    by === null || (row && maker?.active && mayTake(accounts.toUser(maker), accounts.toUser(row)));
  if (!row || !isValid) throw new Refusal('linkDead');
  return { row, maker };
}

async function replacePassword(
  context: Context,
  unit: Unit,
  { row: { id, email }, token, hash }: { row: accounts.UserRow; token: string; hash: string },
) {
  // Locked, so that a link works once.
  await accounts.lockUser(unit.trx, id);
  const { row, maker } = await findReset(unit.trx, token);
  const by = maker && { id: maker.id, firstName: maker.first_name, lastName: maker.last_name };
  await store.deleteLinksOf(unit.trx, id);
  await accounts.updatePassword(unit.trx, id, hash);
  await accounts.updatePasswordBy(unit.trx, id, by?.id ?? null);
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

function ofAddress(email: string): Limit {
  return limitOf(`link:${fold(email)}`, { most: LINKS_PER_ADDRESS, windowMs: LINK_WINDOW });
}

function ofClient(client: Network): Limit {
  return limitOf(`links:${client}`, { most: LINKS_PER_CLIENT, windowMs: LINK_WINDOW });
}

function writeLink(to: string, { url, askedFrom }: { url: string; askedFrom: string }): Letter {
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
