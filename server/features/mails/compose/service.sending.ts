import { setTimeout as pause } from 'node:timers/promises';
import { NO_RECIPIENT, type OutgoingMail } from '@matterdesk/contract/mails.ts';
import type { Once } from '../../../core/once.ts';
import type { Database } from '../../../db/schema.ts';
import type { Writer } from '../../../db/unit-of-work.ts';
import type { Actor } from '../../../core/actor.ts';
import { invalidField, notFound, Refusal } from '../../../core/refusal.ts';
import { toRefusal as toReply } from '../../../http/error-reply.ts';
import { GoogleFailure } from '../../../integrations/google/failure.ts';
import type { Mailbox } from '../../../integrations/google/mailbox.ts';
import type { OutgoingBytes } from '../../../integrations/google/outgoing.ts';
import { noteContact } from '../../intakes/service.contacting.ts';
import type { MailAccess, Opened } from '../service.access.ts';
import type { ComposingService, Outgoing } from './service.ts';
import * as store from './store.ts';
import { isMailId } from '../rules.ts';

type Parts = { db: Database; writer: Writer; access: MailAccess; composing: ComposingService };

/** Milliseconds between two polls for the outcome of a parallel request, and their number. */
const POLL_INTERVAL = 200;
const POLLS = 150;
const UNKNOWN = 'This email may have been sent. Check Sent before you send it again.';

/** Google may have accepted the mail, but its reply was lost. */
class LostReply extends Error {}

/** Sends each mail exactly once; drafts are stored at Google. */
export class SendingService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * A row is stored before calling Google, and the outcome after; a repeat returns the first outcome.
   * @throws Refusal outcomeUnknown when it may have been sent
   */
  async send(actor: Actor, input: Outgoing, once?: Once): Promise<void> {
    const recipients = [
      ...(input.to === '' ? [] : [input.to]),
      ...(input.cc ?? []),
      ...(input.bcc ?? []),
    ];
    if (recipients.length === 0) throw invalidField('to', NO_RECIPIENT);
    // Checked first, since a claimed idempotency key would repeat the refusal.
    await this.#parts.access.requireGrant(actor);
    let isFirst = false;
    const { id } = await this.#parts.writer.run(
      actor,
      async (unit) => {
        isFirst = true;
        return { id: await store.insertOutgoing(unit.trx, actor.id) };
      },
      once,
    );
    if (isFirst || (await store.claimRetry(this.#parts.db, id)))
      await this.#deliver(actor, id, input);
    else await this.#requireOutcome(id);
  }

  async #deliver(actor: Actor, id: string, input: Outgoing): Promise<void> {
    const { access, composing, writer } = this.#parts;
    try {
      await access.use(actor, async (opened) => {
        const mail = await composing.compose(actor, opened, input);
        await access.requireStill(opened.grant);
        await transmit(opened.mailbox, mail, input.draftId);
      });
    } catch (error) {
      throw await this.#fail(id, error);
    }
    await writer.run(actor, async (unit) => {
      await store.settleOutgoing(unit.trx, id, { state: 'sent' });
      await unit.record({ action: 'sent', entity: 'mail', entityId: id });
      const emails = [input.to, ...(input.cc ?? [])].filter(Boolean);
      await noteContact(unit, actor, { emails, kind: 'mail', text: input.subject });
    });
  }

  /** Stores permanent refusals; temporary failures can be retried under the same key. */
  async #fail(id: string, error: unknown): Promise<unknown> {
    const { db } = this.#parts;
    if (error instanceof LostReply) {
      await store.settleOutgoing(db, id, { state: 'unknown' });
      return new Refusal('outcomeUnknown', UNKNOWN);
    }
    const { code, message, status } = toReply(error);
    const isFinal = status < 500 && status !== 429 && status !== 409;
    await store.settleOutgoing(
      db,
      id,
      isFinal ? { state: 'refused', refused_as: code, refusal: message } : { state: 'postponed' },
    );
    return error;
  }

  /** Waits for the outcome of the first request with the same key. */
  async #requireOutcome(id: string): Promise<void> {
    for (let poll = 0; poll < POLLS; poll += 1) {
      const row = await store.findOutgoing(this.#parts.db, id);
      if (row?.state === 'sent') return;
      if (row?.state === 'refused')
        throw new Refusal(row.refused_as ?? 'unexpected', row.refusal ?? undefined);
      if (row?.state !== 'sending') break;
      await pause(POLL_INTERVAL);
    }
    throw new Refusal('outcomeUnknown', UNKNOWN);
  }

  /** @returns the draft's id */
  async keepDraft(actor: Actor, input: OutgoingMail): Promise<{ draftId: string }> {
    const { access, composing } = this.#parts;
    return access.use(actor, async (opened) => {
      const { draftId: _, ...written } = input;
      const mail = await composing.compose(actor, opened, written);
      return { draftId: await opened.mailbox.createDraft(mail) };
    });
  }

  /** @throws Refusal notFound */
  changeDraft(actor: Actor, draftId: string, input: OutgoingMail): Promise<{ draftId: string }> {
    return this.#useDraft(actor, draftId, async (opened) => {
      const written = { ...input, draftId };
      const mail = await this.#parts.composing.compose(actor, opened, written);
      await opened.mailbox.changeDraft(draftId, mail);
      return { draftId };
    });
  }

  /** @throws Refusal notFound */
  deleteDraft(actor: Actor, draftId: string): Promise<void> {
    return this.#useDraft(actor, draftId, ({ mailbox }) => mailbox.deleteDraft(draftId));
  }

  async #useDraft<T>(actor: Actor, draftId: string, work: (opened: Opened) => Promise<T>) {
    if (!isMailId(draftId)) throw notFound('Draft');
    return this.#parts.access.use(actor, async (opened) => {
      try {
        return await work(opened);
      } catch (error) {
        if (isNotFound(error)) throw notFound('Draft');
        throw error;
      }
    });
  }
}

/** @throws LostReply when the mail may have been sent */
async function transmit(mailbox: Mailbox, mail: OutgoingBytes, draftId: string | undefined) {
  try {
    if (draftId === undefined || !(await isSentAsDraft(mailbox, mail, draftId)))
      await mailbox.send(mail);
  } catch (error) {
    throw error instanceof GoogleFailure && error.isUnsure ? new LostReply() : error;
  }
}

/** False when the draft was deleted; the mail is then sent without it. */
async function isSentAsDraft(mailbox: Mailbox, mail: OutgoingBytes, draftId: string) {
  if (!isMailId(draftId)) return false;
  try {
    await mailbox.sendDraft(draftId, mail);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof GoogleFailure && error.reason === 'notFound';
}
