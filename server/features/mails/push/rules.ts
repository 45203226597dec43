// New mail, by push notifications and by polling.

import { MailboxChangeSchema, type MailboxChange } from '@matterdesk/contract/mails.ts';

/** Parses Gmail's push; undefined for anything else. */
export function readChange(data: string): MailboxChange | undefined {
  try {
    const json: unknown = JSON.parse(Buffer.from(data, 'base64').toString());
    return MailboxChangeSchema.safeParse(json).data;
  } catch {
    return undefined;
  }
}

/** Any point of the history is newer than an unknown one. */
export function isNewer(historyId: string, known: string): boolean {
  return !/^\d+$/.test(known) || BigInt(historyId) > BigInt(known);
}
