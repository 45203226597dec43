import type { GoogleConfig } from '../../config.ts';
import type { Database } from '../../db/schema.ts';
import type { Seal } from '../../db/seal.ts';
import { fold } from '../../db/search.ts';
import type { Unit, Writer } from '../../db/unit-of-work.ts';
import type { Actor } from '../../core/actor.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import { GoogleFailure, toGoogleFailure } from '../../integrations/google/failure.ts';
import { Mailbox } from '../../integrations/google/mailbox.ts';
import type { GoogleSignIn } from '../../integrations/google/sign-in.ts';
import { UnreadableMail } from '../../integrations/mime/reader.ts';
import type { AccountService } from '../accounts/service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** Limit of open mailboxes, each with an access token of one hour. */
const MOST_OPEN = 200;
const DAMAGED = 'This email is damaged and can’t be read';

/** The firm's own Google project. */
export type Google = { config: GoogleConfig; signIn: GoogleSignIn };

export type AccessParts = {
  db: Database;
  writer: Writer;
  seal: Seal;
  accounts: AccountService;
  /** Undefined when not configured; the gate refuses calls before they get here. */
  google: Google | undefined;
};

/** A mailbox with the grant that opened it. */
export type Opened = { mailbox: Mailbox; grant: store.GrantRow };

/** Opens the caller's own mailbox only. */
export class MailAccess {
  readonly #parts: AccessParts;
  /** By fingerprint of the grant, least recently used first. */
  readonly #open = new Map<string, Promise<Mailbox>>();

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /** @throws Refusal notPermitted for an address that is neither the actor's own nor the connected one */
  async requireOwnAddress(actor: Actor, address: string): Promise<void> {
    if (fold(address.trim()) === fold(actor.email)) return;
    const grant = await store.findGrant(this.#parts.db, actor.id);
    if (!grant || fold(address.trim()) !== grant.email_key) throw new Refusal('notPermitted');
  }

  /** The same for an unvalidated body member: other types are refused later. */
  async requireOwnMember(actor: Actor, json: unknown, member: string): Promise<void> {
    const value = new Map<string, unknown>(Object.entries(json ?? {})).get(member);
    if (typeof value === 'string' && value.trim() !== '')
      await this.requireOwnAddress(actor, value);
  }

  /**
   * Works in the actor's mailbox. Google's failures become refusals; a revoked grant is deleted.
   * @throws Refusal googleNotConnected, googleGrantLost, notFound, tooManyAttempts, upstreamFailed, upstreamSlow
   */
  async use<T>(actor: Actor, work: (opened: Opened) => Promise<T>): Promise<T> {
    const grant = await this.requireGrant(actor);
    try {
      return await work({ grant, mailbox: await this.open(grant) });
    } catch (error) {
      if (error instanceof UnreadableMail) throw new Refusal('upstreamFailed', DAMAGED);
      if (!(error instanceof GoogleFailure)) throw error;
      if (error.reason === 'revoked') await this.forget(grant);
      throw toRefusal(error);
    }
  }

  /** Undefined without a connected account, and when Google is not set up. */
  async findGrant(userId: string): Promise<store.GrantRow | undefined> {
    return this.#parts.google && store.findGrant(this.#parts.db, userId);
  }

  /** @throws Refusal googleNotConnected */
  async requireGrant(actor: Actor): Promise<store.GrantRow> {
    const grant = await store.findGrant(this.#parts.db, actor.id);
    if (!grant) throw new Refusal('googleNotConnected');
    return grant;
  }

  /** Ends work of users who disconnected meanwhile. @throws Refusal googleNotConnected */
  async requireStill({ user_id: userId, fingerprint }: store.GrantRow): Promise<void> {
    const grant = await store.findGrant(this.#parts.db, userId);
    if (grant?.fingerprint !== fingerprint) throw new Refusal('googleNotConnected');
  }

  /** @throws GoogleFailure revoked when the token was sealed under another key */
  open(grant: store.GrantRow): Promise<Mailbox> {
    const { fingerprint } = grant;
    const opened = this.#open.get(fingerprint) ?? this.#openMailbox(grant);
    this.#open.delete(fingerprint);
    this.#open.set(fingerprint, opened);
    opened.catch(() => this.#open.delete(fingerprint));
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#open.delete(oldest);
    return opened;
  }

  async #openMailbox(grant: store.GrantRow): Promise<Mailbox> {
    const { google, seal } = this.#parts;
    if (!google) throw new GoogleFailure('misconfigured');
    const refreshToken = seal.open(grant.refresh_token, rules.grantPurpose(grant.user_id));
    if (refreshToken === undefined) throw new GoogleFailure('revoked');
    const auth = await google.signIn.open({ refreshToken });
    return Mailbox.open(auth, google.config);
  }

  /** Disconnects a user after Google revoked the grant, and notifies their tabs. */
  async forget(grant: store.GrantRow): Promise<void> {
    await this.#parts.writer.run(null, async (unit) => {
      if (await this.remove(unit, grant))
        await unit.record({ ...rules.about(grant), action: 'lost', actorId: grant.user_id });
    });
  }

  /** @returns false when it was deleted or replaced already */
  async remove(unit: Unit, grant: store.GrantRow): Promise<boolean> {
    if (!(await store.deleteGrant(unit.trx, grant))) return false;
    this.#open.delete(grant.fingerprint);
    await this.#parts.accounts.emitOwner(unit, grant.user_id);
    return true;
  }
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
