// New mail: what Google pushes, and what is asked for.

import { MailboxChangeSchema, type MailboxChange } from '@matterdesk/contract/mail-push.ts';

/** What Gmail says in a push; undefined for what it never says. */
export function readChange(data: string): MailboxChange | undefined {
  try {
    const said: unknown = JSON.parse(Buffer.from(data, 'base64').toString());
    return MailboxChangeSchema.safeParse(said).data;
  } catch {
    return undefined;
  }
}

/** Whether a point of the history is later than one that we know; of what we do not know, any is. */
export function isNewer(historyId: string, known: string): boolean {
  return !/^\d+$/.test(known) || BigInt(historyId) > BigInt(known);
}
