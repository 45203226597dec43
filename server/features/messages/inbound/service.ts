import { messageRoutes } from '@matterdesk/contract/messages.ts';
import type { TwilioConfig } from '../../../config.ts';
import { isId } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Form } from '../../../http/form-body.ts';
import { mediaSidOf } from '../../../integrations/twilio/media.ts';
import { isSignedByTwilio } from '../../../integrations/twilio/signature.ts';
import * as rules from '../rules.ts';
import type { MediaService } from '../media/service.ts';
import type { NewsService } from '../service.news.ts';
import type { Texting } from '../service.parts.ts';
import type { RecordService } from './service.records.ts';

type Parts = Texting & {
  config: TwilioConfig | undefined;
  news: NewsService;
  media: MediaService;
  records: RecordService;
};

/** A webhook request: the query with its question mark, the signature header and the form. */
export type Called = { query: string; signature: string; form: Form };

const MESSAGE_SID = /^(SM|MM)[0-9a-z]{1,64}$/i;
const LONGEST_NUMBER = 60;
const MOST_MEDIA = 10;

/** Receives Twilio's webhooks. The signature is verified before the form is read. */
export class InboundService {
  readonly #parts: Parts;
  readonly #pending = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Receives a text. @throws Refusal notPermitted unless it comes from Twilio */
  async receive(called: Called): Promise<void> {
    this.#requireTwilio(messageRoutes.receiveText.path, called);
    const { form } = called;
    const sid = memberOf(form, 'MessageSid');
    const [own, other] = [memberOf(form, 'To'), memberOf(form, 'From')];
    if (!MESSAGE_SID.test(sid) || !isParty(own) || !isParty(other))
      throw new Refusal('invalidInput', 'Not a text message');
    const text = { sid, own, other, body: memberOf(form, 'Body'), media: mediaOf(form) };
    const id = await this.#parts.news.receive({ ...text, sentAt: undefined });
    if (id !== undefined) this.#finish(id);
  }

  /** Receives the status of a sent text. @throws Refusal notPermitted unless it comes from Twilio */
  async updateStatus(called: Called): Promise<void> {
    this.#requireTwilio(messageRoutes.receiveStatus.path, called);
    const { form, query } = called;
    const sid = memberOf(form, 'MessageSid');
    const status = rules.statusOf(memberOf(form, 'MessageStatus') || memberOf(form, 'SmsStatus'));
    if (!MESSAGE_SID.test(sid)) throw new Refusal('invalidInput', 'Not a text message');
    if (!status) return;
    const named = new URLSearchParams(query).get('message') ?? '';
    const code = codeIn(memberOf(form, 'ErrorCode'));
    await this.#parts.news.applyStatus({ sid, id: isId(named) ? named : undefined, status, code });
  }

  /** Waits for requests to Twilio that follow a webhook. */
  async settle(): Promise<void> {
    await Promise.all(this.#pending);
  }

  #requireTwilio(path: string, { query, signature, form }: Called): void {
    const { config, reach } = this.#parts;
    const url = `${reach.publicUrl}${path}${query}`;
    const isSigned = config && isSignedByTwilio(config.authToken, { url, signature, form });
    const account = memberOf(form, 'AccountSid') || config?.accountSid;
    if (!isSigned || account !== config.accountSid) throw new Refusal('notPermitted');
  }

  /** Fetches time and attachments after the reply; the next round retries failures. */
  #finish(id: string): void {
    const { records, media, log } = this.#parts;
    const work = records
      .date(id)
      .then(() => media.fetchWaiting(id))
      .catch((error: unknown) => log.warn({ err: error, text: id }, 'text not completed'))
      .finally(() => this.#pending.delete(work));
    this.#pending.add(work);
  }
}

/** Empty for missing and repeated members. */
function memberOf(form: Form, name: string): string {
  const value = Object.hasOwn(form, name) ? form[name] : undefined;
  return typeof value === 'string' ? value : '';
}

function codeIn(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

function isParty(text: string) {
  return text !== '' && text.length <= LONGEST_NUMBER && !text.includes('\0');
}

function mediaOf(form: Form) {
  const count = Math.min(MOST_MEDIA, Number(memberOf(form, 'NumMedia')) || 0);
  return Array.from({ length: count }, (_, index) => ({
    sid: mediaSidOf(memberOf(form, `MediaUrl${index}`)),
    mimeType: memberOf(form, `MediaContentType${index}`).replaceAll('\0', '').slice(0, 100),
  })).flatMap(({ sid, mimeType }) => (sid === undefined ? [] : [{ sid, mimeType }]));
}
