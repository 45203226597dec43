// Receives Twilio's webhooks. The signature is verified before the form is read.

import { textWebhookRoutes } from '@matterdesk/contract/messages.ts';
import { type Context, perContext } from '../../../context.ts';
import { isId } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Form } from '../../../http/bodies.ts';
import { isSignedByTwilio } from '../../../integrations/twilio/client.ts';
import { mediaSidOf } from '../../../integrations/twilio/media.ts';
import { fetchWaitingMedia } from '../media/service.ts';
import * as rules from '../rules.ts';
import { applyMessageStatus, ingestText } from '../service.ingest.ts';
import { dateMessage } from './service.records.ts';

/** A webhook request: the query with its question mark, the signature header and the form. */
export type Webhook = { query: string; signature: string; form: Form };

const MESSAGE_SID = /^(SM|MM)[0-9a-z]{1,64}$/i;
/** Characters of a number or name. */
const MAX_NUMBER = 60;
const MAX_MEDIA = 10;

const pendingOf = perContext(() => new Set<Promise<void>>());

/** Receives a text. @throws Refusal notPermitted unless it comes from Twilio */
export async function receiveText(context: Context, webhook: Webhook): Promise<void> {
  requireTwilioSignature(context, textWebhookRoutes.receiveText.path, webhook);
  const { form } = webhook;
  const sid = memberOf(form, 'MessageSid');
  const [own, other] = [memberOf(form, 'To'), memberOf(form, 'From')];
  if (!MESSAGE_SID.test(sid) || !isParty(own) || !isParty(other))
    throw new Refusal('invalidInput', 'Not a text message');
  const text = { sid, own, other, body: memberOf(form, 'Body'), media: mediaOf(form) };
  const id = await ingestText(context, { ...text, sentAt: undefined });
  if (id !== undefined) finishInbound(context, id);
}

/** Receives the status of a sent text. @throws Refusal notPermitted unless it comes from Twilio */
export async function updateTextStatus(context: Context, webhook: Webhook): Promise<void> {
  requireTwilioSignature(context, textWebhookRoutes.receiveStatus.path, webhook);
  const { form, query } = webhook;
  const sid = memberOf(form, 'MessageSid');
  const status = rules.statusOf(memberOf(form, 'MessageStatus') || memberOf(form, 'SmsStatus'));
  if (!MESSAGE_SID.test(sid)) throw new Refusal('invalidInput', 'Not a text message');
  if (!status) return;
  const named = new URLSearchParams(query).get('message') ?? '';
  const code = codeIn(memberOf(form, 'ErrorCode'));
  await applyMessageStatus(context, { sid, id: isId(named) ? named : undefined, status, code });
}

/** Waits for requests to Twilio that follow a webhook. */
export async function settleInbound(context: Context): Promise<void> {
  await Promise.all(pendingOf(context));
}

function requireTwilioSignature(
  context: Context,
  path: string,
  { query, signature, form }: Webhook,
): void {
  const { publicUrl, twilio } = context.config;
  const url = `${publicUrl}${path}${query}`;
  const isSigned = twilio && isSignedByTwilio(twilio.authToken, { url, signature, form });
  const account = memberOf(form, 'AccountSid') || twilio?.accountSid;
  if (!isSigned || account !== twilio.accountSid) throw new Refusal('notPermitted');
}

/** Fetches time and attachments after the reply; the job retries failures. */
function finishInbound(context: Context, id: string): void {
  const { log } = context;
  const work = dateMessage(context, id)
    .then(() => fetchWaitingMedia(context, id))
    .catch((error: unknown) => log.warn({ err: error, text: id }, 'text not completed'))
    .finally(() => pendingOf(context).delete(work));
  pendingOf(context).add(work);
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
  return text !== '' && text.length <= MAX_NUMBER && !text.includes('\0');
}

function mediaOf(form: Form) {
  const count = Math.min(MAX_MEDIA, Number(memberOf(form, 'NumMedia')) || 0);
  return Array.from({ length: count }, (_, index) => ({
    sid: mediaSidOf(memberOf(form, `MediaUrl${index}`)),
    mimeType: memberOf(form, `MediaContentType${index}`).replaceAll('\0', '').slice(0, 100),
  })).flatMap(({ sid, mimeType }) => (sid === undefined ? [] : [{ sid, mimeType }]));
}
