import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** A mail to send, of about that many bytes; replies go into the thread. */
export type OutgoingBytes = { size: number; open: () => Readable; threadId: string | undefined };

/** Size in bytes above which Gmail requires an upload instead of JSON. */
const LARGEST_IN_JSON = 3_000_000;

export function isLarge({ size }: OutgoingBytes): boolean {
  return size > LARGEST_IN_JSON;
}

/** The mail as an upload, or inside JSON; an upload carries only its thread. */
export type Message = {
  media?: { mimeType: string; body: Readable };
  requestBody?: { threadId?: string; raw?: string };
};

export async function toMessage(mail: OutgoingBytes): Promise<Message> {
  const thread = mail.threadId === undefined ? undefined : { threadId: mail.threadId };
  if (isLarge(mail)) {
    const media = { mimeType: 'message/rfc822', body: mail.open() };
    return { media, ...(thread && { requestBody: thread }) };
  }
  const raw = (await buffer(mail.open())).toString('base64url');
  return { requestBody: { ...thread, raw } };
}

export function toDraft({ media, requestBody: message }: Message) {
  return { ...(media && { media }), ...(message && { requestBody: { message } }) };
}
