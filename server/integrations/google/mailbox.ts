import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { gmail_v1 as Gmail } from '@googleapis/gmail';
import type { OAuth2Client } from 'google-auth-library';
import type { LimitFunction } from 'p-limit';
import type * as z from 'zod/mini';
import type { GoogleConfig, GoogleTimeouts } from '../../config.ts';
import { holdBytes, type HeldBytes } from '../mime/held-bytes.ts';
import { GoogleFailure, undefinedIfMissing, withBackOff } from './failure.ts';
import { HEAD_FIELDS, headersOf, toHead, type MailHead } from './replies.ts';
import * as replies from './replies.ts';

/** Gmail's label of a folder. */
const LABELS = ['INBOX', 'SENT', 'DRAFT'] as const;
export type Label = (typeof LABELS)[number];

export type MailPage = { ids: string[]; next: string | undefined; estimate: number };

type LabelCounts = { total: number; unread: number };

/** Null when an emulator has no profile. */
type Profile = { email: string | undefined; historyId: string };

/** Mails since a point of the history, and the next point. */
export type MailboxChanges = { historyId: string; added: { id: string; labels: string[] }[] };

/** Size of Gmail's largest mail as JSON. */
const MAX_MAIL_BYTES = 75 * 1024 * 1024;
const MAX_HISTORY_PAGES = 5;
/** A point before every history. */
const BEGINNING = '1';

const me = { userId: 'me' };
/** A user's Gmail. Every method throws GoogleFailure. */
export class Mailbox {
  readonly #api: Gmail.Gmail;
  readonly #rootUrl: string;
  readonly #waits: GoogleTimeouts;

  private constructor(api: Gmail.Gmail, rootUrl: string, waits: GoogleTimeouts) {
    this.#api = api;
    this.#rootUrl = rootUrl;
    this.#waits = waits;
  }

  static async open(auth: OAuth2Client, { gmailRootUrl, waits }: GoogleConfig): Promise<Mailbox> {
    // Imported on demand: it costs memory and time at every start.
    const { gmail } = await import('@googleapis/gmail');
    const rootUrl = `${gmailRootUrl}/`;
    return new Mailbox(gmail({ version: 'v1', auth, rootUrl, retry: false }), rootUrl, waits);
  }

  async readProfile(): Promise<Profile> {
    const profile = await undefinedIfMissing(
      this.#read(replies.ProfileSchema, (options) => this.#api.users.getProfile(me, options)),
    );
    const { emailAddress, historyId } = profile ?? {};
    return {
      email: emailAddress ?? undefined,
      historyId: pointOf(historyId) ?? (await this.#newestPoint()),
    };
  }

  /** Point of the history of the newest mail. */
  async #newestPoint(): Promise<string> {
    const [id] = (await this.list({ label: 'INBOX', limit: 1 })).ids;
    if (id === undefined) return BEGINNING;
    const params = { ...me, id, format: 'minimal' };
    const mail = await this.#read(replies.MessageSchema, (options) =>
      this.#api.users.messages.get(params, options),
    );
    return pointOf(mail.historyId) ?? BEGINNING;
  }

  async list(asked: {
    /** All mail without it, but spam and trash. */
    label?: Label;
    limit: number;
    /** In Gmail's query language. */
    search?: string | undefined;
    after?: string | undefined;
  }): Promise<MailPage> {
    const { label, limit, search, after } = asked;
    const params = {
      ...me,
      ...(label && { labelIds: [label] }),
      maxResults: limit,
      ...(search && { q: search }),
      ...(after !== undefined && { pageToken: after }),
    };
    const page = await this.#read(replies.MessageListSchema, (options) =>
      this.#api.users.messages.list(params, options),
    );
    return {
      ids: (page.messages ?? []).map(({ id }) => id),
      next: page.nextPageToken ?? undefined,
      estimate: page.resultSizeEstimate ?? 0,
    };
  }

  /** Undefined where Gmail does not count. */
  async count(label: Label): Promise<LabelCounts | undefined> {
    const params = { ...me, id: label };
    const found = await undefinedIfMissing(
      this.#read(replies.LabelSchema, (options) => this.#api.users.labels.get(params, options)),
    );
    return found && { total: found.messagesTotal ?? 0, unread: found.messagesUnread ?? 0 };
  }

  async readHead(id: string): Promise<MailHead> {
    const params = { ...me, id, format: 'full', fields: HEAD_FIELDS };
    const ask = this.#read(replies.MessageSchema, (options) =>
      this.#api.users.messages.get(params, options),
    );
    return toHead(await ofMail(ask));
  }

  /** Without mails that were deleted since they were listed. @param queue bounds the parallel requests */
  async readHeads(ids: readonly string[], queue: LimitFunction): Promise<MailHead[]> {
    const heads = await Promise.all(
      ids.map((id) => queue(() => undefinedIfMissing(this.readHead(id)))),
    );
    return heads.filter((head) => head !== undefined);
  }

  /** The complete mail as Gmail's JSON with base64url `raw`. @param directory for large ones */
  readWhole(id: string, directory: string): Promise<HeldBytes> {
    const params = { ...me, id, format: 'raw' };
    const ask = async () => {
      const options = { timeout: this.#waits.whole, responseType: 'stream' } as const;
      const { data } = await this.#api.users.messages.get(params, options);
      const tooLarge = () => new GoogleFailure('tooLarge');
      return holdBytes(data, { directory, most: MAX_MAIL_BYTES, tooLarge });
    };
    return ofMail(withBackOff(ask, { isHarmless: true, again: this.#waits.again }));
  }

  /** Sets or removes a label of a mail. */
  async label(id: string, label: { name: 'UNREAD' | 'INBOX'; isSet: boolean }): Promise<void> {
    const requestBody = { [label.isSet ? 'addLabelIds' : 'removeLabelIds']: [label.name] };
    const params = { ...me, id, requestBody };
    await ofMail(
      this.#read(replies.AnySchema, (options) => this.#api.users.messages.modify(params, options)),
    );
  }

  async setTrashed(id: string, isTrashed: boolean): Promise<void> {
    const move = isTrashed ? 'trash' : 'untrash';
    await ofMail(
      this.#read(replies.AnySchema, (options) =>
        this.#api.users.messages[move]({ ...me, id }, options),
      ),
    );
  }

  /** Every mail of a thread, at most a hundred by Gmail's own bound. */
  async readThread(id: string): Promise<MailHead[]> {
    const params = { ...me, id, format: 'full', fields: `messages(${HEAD_FIELDS})` };
    const ask = this.#read(replies.ThreadSchema, (options) =>
      this.#api.users.threads.get(params, options),
    );
    return ((await ofMail(ask)).messages ?? []).map(toHead);
  }

  /** Sends a new mail. Failures say whether it may have been sent. */
  async send(mail: OutgoingBytes): Promise<void> {
    await this.#write(mail, (message, options) =>
      this.#api.users.messages.send({ ...me, ...message }, options),
    );
  }

  /** Replaces a draft with the mail and sends it. */
  async sendDraft(draftId: string, mail: OutgoingBytes): Promise<void> {
    // A plain upload cannot name its draft.
    if (isLarge(mail)) await this.changeDraft(draftId, mail);
    await this.#write(isLarge(mail) ? undefined : mail, (message, options) => {
      const requestBody = { ...toDraft(message).requestBody, id: draftId };
      return this.#api.users.drafts.send({ ...me, requestBody }, options);
    });
  }

  /** @returns the draft's id */
  async createDraft(mail: OutgoingBytes): Promise<string> {
    const draft = await this.#write(mail, (message, options) =>
      this.#api.users.drafts.create({ ...me, ...toDraft(message) }, options),
    );
    return parse(replies.DraftSchema, draft, { isUnsure: true }).id;
  }

  async changeDraft(id: string, mail: OutgoingBytes): Promise<void> {
    await this.#write(mail, (message, options) =>
      this.#api.users.drafts.update({ ...me, id, ...toDraft(message) }, options),
    );
  }

  async deleteDraft(id: string): Promise<void> {
    await this.#ask((options) => this.#api.users.drafts.delete({ ...me, id }, options));
  }

  /** Thread of a draft. */
  async readDraft(id: string): Promise<Pick<MailHead, 'threadId' | 'headers'>> {
    const params = { ...me, id, format: 'metadata' };
    const { message } = await this.#read(replies.DraftSchema, (options) =>
      this.#api.users.drafts.get(params, options),
    );
    return { threadId: message?.threadId ?? '', headers: headersOf(message?.payload) };
  }

  /** The draft of a mail, if it is among the newest. */
  async findDraft(mailId: string): Promise<string | undefined> {
    const params = { ...me, maxResults: 500 };
    const { drafts } = await this.#read(replies.DraftListSchema, (options) =>
      this.#api.users.drafts.list(params, options),
    );
    return drafts?.find(({ message }) => message?.id === mailId)?.id;
  }

  /** @throws GoogleFailure notFound when the history no longer reaches that far back */
  async readNews(since: string): Promise<MailboxChanges> {
    const added = new Map<string, string[]>();
    let historyId = since;
    let after: string | undefined;
    for (let page = 0; page < MAX_HISTORY_PAGES; page += 1) {
      const params = {
        ...me,
        startHistoryId: since,
        historyTypes: ['messageAdded'],
        ...(after !== undefined && { pageToken: after }),
      };
      const news = await this.#read(replies.HistorySchema, (options) =>
        this.#api.users.history.list(params, options),
      );
      for (const { message } of (news.history ?? []).flatMap(
        (change) => change.messagesAdded ?? [],
      ))
        if (message) added.set(message.id, message.labelIds ?? []);
      historyId = pointOf(news.historyId) ?? historyId;
      after = news.nextPageToken ?? undefined;
      if (after === undefined) break;
    }
    return { historyId, added: [...added].map(([id, labels]) => ({ id, labels })) };
  }

  /** Watches the folders and publishes changes to this topic only. @returns the expiry */
  async watch(topicName: string): Promise<Date> {
    const requestBody = { topicName, labelIds: [...LABELS], labelFilterBehavior: 'include' };
    const ask = () =>
      this.#read(replies.WatchSchema, (options) =>
        this.#api.users.watch({ ...me, requestBody }, options),
      );
    const { expiration } = await ask().catch(async (error: unknown) => {
      // Another topic's watch must end first.
      if (!(error instanceof GoogleFailure && error.reason === 'refused')) throw error;
      await this.stopWatch();
      return ask();
    });
    return new Date(Number(expiration ?? 0));
  }

  async stopWatch(): Promise<void> {
    await this.#ask((options) => this.#api.users.stop(me, options));
  }

  /** The library passes on any body, also text that was cut and no JSON, which would look like an empty answer. */
  #read<T>(
    schema: z.ZodMiniType<T>,
    ask: (options: { timeout: number }) => Promise<{ data: unknown }>,
  ): Promise<T> {
    return this.#ask(async (options) => ({ data: parse(schema, (await ask(options)).data) }));
  }

  /** For calls whose answer has no body. */
  #ask<T>(ask: (options: { timeout: number }) => Promise<{ data: T }>): Promise<T> {
    const { read: timeout, again } = this.#waits;
    return withBackOff(async () => (await ask({ timeout })).data, { isHarmless: true, again });
  }

  /** Retried only when certainly nothing was done. */
  async #write<T>(
    mail: OutgoingBytes | undefined,
    ask: (message: Message, options: object) => Promise<{ data: T }>,
  ): Promise<T> {
    // A stream cannot be resent with a fresh token, so the token is validated first.
    if (mail && isLarge(mail)) await this.readProfile();
    // The library needs the root URL again for uploads.
    const { send: timeout, again } = this.#waits;
    const options = { timeout, rootUrl: this.#rootUrl };
    let broken: { error: unknown } | undefined;
    const attempt = async () => {
      const message = mail ? await toMessage(mail) : {};
      message.media?.body.once('error', (error) => (broken = { error }));
      return (await ask(message, options)).data;
    };
    return withBackOff(attempt, { isHarmless: false, again }).catch((error: unknown) => {
      // Gmail drops a mail whose end is missing: this one certainly was not sent.
      throw broken ? broken.error : error;
    });
  }
}

/** @throws GoogleFailure for a reply that is not Gmail's */
function parse<T>(schema: z.ZodMiniType<T>, data: unknown, { isUnsure = false } = {}): T {
  const { success, data: parsed } = schema.safeParse(data);
  if (!success) throw new GoogleFailure('down', { isUnsure });
  return parsed;
}

function pointOf(historyId: string | number | null | undefined): string | undefined {
  return historyId == null ? undefined : String(historyId);
}

/** Gmail calls an id that it never gives invalid, where an unknown one is not found. */
async function ofMail<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const isInvalid = error instanceof GoogleFailure && error.reason === 'refused';
    throw isInvalid ? new GoogleFailure('notFound') : error;
  }
}

/** A mail to send, of about that many bytes; replies go into the thread. */
export type OutgoingBytes = { size: number; open: () => Readable; threadId: string | undefined };

/** Size in bytes above which Gmail requires an upload instead of JSON. */
const MAX_JSON_BYTES = 3_000_000;

function isLarge({ size }: OutgoingBytes): boolean {
  return size > MAX_JSON_BYTES;
}

/** The mail as an upload, or inside JSON; an upload carries only its thread. */
type Message = {
  media?: { mimeType: string; body: Readable };
  requestBody?: { threadId?: string; raw?: string };
};

async function toMessage(mail: OutgoingBytes): Promise<Message> {
  const thread = mail.threadId === undefined ? undefined : { threadId: mail.threadId };
  if (isLarge(mail)) {
    const media = { mimeType: 'message/rfc822', body: mail.open() };
    return { media, ...(thread && { requestBody: thread }) };
  }
  const raw = (await buffer(mail.open())).toString('base64url');
  return { requestBody: { ...thread, raw } };
}

function toDraft({ media, requestBody: message }: Message) {
  return { ...(media && { media }), ...(message && { requestBody: { message } }) };
}
