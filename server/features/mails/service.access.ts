// Opens the caller's own mailbox only.

import { LRUCache } from 'lru-cache';
import type { GoogleConfig } from '../../config.ts';
import { type ActorContext, type Context, perContext } from '../../context.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import { fold } from '../../db/search.ts';
import { SecretBox } from '../../db/secrets.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { GoogleFailure, toGoogleFailure } from '../../integrations/google/failure.ts';
import { Mailbox } from '../../integrations/google/mailbox.ts';
import { GoogleSignIn } from '../../integrations/google/sign-in.ts';
import { UnreadableMail } from '../../integrations/mime/reader.ts';
import { emitOwner } from '../accounts/service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** Limit of open mailboxes, each with an access token of one hour. */
const MAX_OPEN = 200;
const DAMAGED = 'This email is damaged and can’t be read';

/** The firm's own Google project. */
export type Google = { config: GoogleConfig; signIn: GoogleSignIn };

/** A mailbox with the grant that opened it. */
export type OpenedMailbox = { mailbox: Mailbox; grant: store.GrantRow };

/** Seals tokens and cursors of mail. */
export const mailSecretBoxOf = perContext(({ secretKey }) => new SecretBox(secretKey));

export const googleOf = perContext(
  ({ config }): Google | undefined =>
    config.google && {
      config: config.google,
      signIn: new GoogleSignIn(config.google, config.publicUrl),
    },
);

const openOf = perContext(() => new LRUCache<string, Promise<Mailbox>>({ max: MAX_OPEN }));

/** @throws Refusal notPermitted for an address that is neither the actor's own nor the connected one */
export async function requireOwnAddress(context: ActorContext, address: string): Promise<void> {
  if (fold(address.trim()) === fold(context.actor.email)) return;
  const grant = await store.findGrant(context.db, context.actor.id);
  if (!grant || fold(address.trim()) !== grant.email_key) throw new Refusal('notPermitted');
}

/** The same for an unvalidated body member: other types are refused later. */
export async function requireOwnMember(
  context: ActorContext,
  json: unknown,
  member: string,
): Promise<void> {
  const value = new Map<string, unknown>(Object.entries(json ?? {})).get(member);
  if (typeof value === 'string' && value.trim() !== '') await requireOwnAddress(context, value);
}

/**
 * Works in the actor's mailbox. Google's failures become refusals; a revoked grant is deleted.
 * @throws Refusal googleNotConnected, googleGrantLost, notFound, tooManyAttempts, upstreamFailed, upstreamSlow
 */
export async function useMailbox<T>(
  context: ActorContext,
  work: (opened: OpenedMailbox) => Promise<T>,
): Promise<T> {
  const grant = await requireGrant(context);
  try {
    return await work({ grant, mailbox: await openMailbox(context, grant) });
  } catch (error) {
    if (error instanceof UnreadableMail) throw new Refusal('upstreamFailed', DAMAGED);
    if (!(error instanceof GoogleFailure)) throw error;
    if (error.reason === 'revoked') await forgetMailbox(context, grant);
    throw toRefusal(error);
  }
}

/** Undefined without a connected account, and when Google is not set up. */
export async function findGrant(
  context: Context,
  userId: string,
): Promise<store.GrantRow | undefined> {
  return googleOf(context) && store.findGrant(context.db, userId);
}

/** @throws Refusal googleNotConnected */
export async function requireGrant(context: ActorContext): Promise<store.GrantRow> {
  const grant = await store.findGrant(context.db, context.actor.id);
  if (!grant) throw new Refusal('googleNotConnected');
  return grant;
}

/** Ends work of users who disconnected meanwhile. @throws Refusal googleNotConnected */
export async function requireSameGrant(
  context: Context,
  { user_id: userId, fingerprint }: store.GrantRow,
): Promise<void> {
  const grant = await store.findGrant(context.db, userId);
  if (grant?.fingerprint !== fingerprint) throw new Refusal('googleNotConnected');
}

/** @throws GoogleFailure revoked when the token was encrypted under another key */
export function openMailbox(context: Context, grant: store.GrantRow): Promise<Mailbox> {
  const { fingerprint } = grant;
  const mailboxes = openOf(context);
  const opened = mailboxes.get(fingerprint) ?? connectMailbox(context, grant);
  mailboxes.set(fingerprint, opened);
  opened.catch(() => mailboxes.delete(fingerprint));
  return opened;
}

async function connectMailbox(context: Context, grant: store.GrantRow): Promise<Mailbox> {
  const google = googleOf(context);
  if (!google) throw new GoogleFailure('misconfigured');
  const purpose = rules.grantPurpose(grant.user_id);
  const refreshToken = mailSecretBoxOf(context).decrypt(grant.refresh_token, purpose);
  if (refreshToken === undefined) throw new GoogleFailure('revoked');
  const auth = await google.signIn.open({ refreshToken });
  return Mailbox.open(auth, google.config);
}

/** Disconnects a user after Google revoked the grant, and notifies their tabs. */
export async function forgetMailbox(context: Context, grant: store.GrantRow): Promise<void> {
  await context.writer.run(null, async (unit) => {
    if (await removeGrant(context, unit, grant))
      await unit.record({ ...rules.about(grant), action: 'lost', actorId: grant.user_id });
  });
}

/** @returns false when it was deleted or replaced already */
export async function removeGrant(
  context: Context,
  unit: Unit,
  grant: store.GrantRow,
): Promise<boolean> {
  if (!(await store.deleteGrant(unit.trx, grant))) return false;
  openOf(context).delete(grant.fingerprint);
  await emitOwner(unit, grant.user_id);
  return true;
}

/** Maps Google's failure to a refusal; only `notFound` may concern the user's own request. */
export function toRefusal(error: unknown): Refusal {
  const cause = toGoogleFailure(error);
  switch (cause.reason) {
    case 'revoked':
      return new Refusal('googleGrantLost', undefined, { cause });
    case 'notFound':
      return notFound('Mail');
    case 'tooLarge':
      return new Refusal('tooLarge', 'The email is larger than Google allows');
    case 'busy':
      return new Refusal('tooManyAttempts', 'Google is limiting requests. Try again in a moment.', {
        retryAfter: cause.retryAfter ?? 5,
        cause,
      });
    case 'slow':
      return new Refusal('upstreamSlow', 'Google didn’t respond in time. Try again.', {
        cause,
      });
    case 'misconfigured':
      return new Refusal('notConfigured', 'Google rejected this installation.', {
        cause,
        steps:
          'Check GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET and that the Gmail API is on (see docs/google.md).',
      });
    case 'badCode':
    case 'refused':
    case 'down':
      return new Refusal('upstreamFailed', 'Google’s reply was incomplete. Try again.', {
        cause,
      });
  }
}
