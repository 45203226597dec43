// Walks through a mailbox, from the newest mail back.

import type { MailPage } from '../../../integrations/google/mailbox.ts';
import type { NamedAddress } from '../../../integrations/mime/summary.ts';

/** The progress of reading a mailbox. */
export type MailboxWalk = {
  walked_until: Date | null;
  walk_started: Date | null;
  walk_cursor: string | null;
  walk_left: number;
};

/** Mails per walk. */
const MAX_MAILS = 5000;
/** Seconds to allow for clock skew, and for new mail that Google lists with a delay. */
const OVERLAP_SECONDS = 600;

/** The current walk, or the next one. @param now when it would start */
export function continueWalk(walk: MailboxWalk, now: Date): MailboxWalk {
  const { walked_until, walk_started, walk_cursor, walk_left } = walk;
  if (walk_started !== null) return { walked_until, walk_started, walk_cursor, walk_left };
  return { walked_until, walk_started: now, walk_cursor: null, walk_left: MAX_MAILS };
}

/** The walk's query in Gmail's language; undefined over the whole mailbox. */
export function queryOf({ walked_until: until }: MailboxWalk): string | undefined {
  if (until === null) return undefined;
  return `after:${Math.floor(until.getTime() / 1000) - OVERLAP_SECONDS}`;
}

/** The walk after this page; it ends with the last page, or at the limit. */
export function afterPage(walk: MailboxWalk, { ids, next }: MailPage): MailboxWalk {
  const left = walk.walk_left - ids.length;
  if (next !== undefined && left > 0) return { ...walk, walk_cursor: next, walk_left: left };
  const ended = { walk_started: null, walk_cursor: null, walk_left: 0 };
  return { ...walk, ...ended, walked_until: walk.walk_started };
}

/** Each address once per name; malformed addresses are dropped. */
export function distinctAddresses(all: NamedAddress[]): NamedAddress[] {
  const named = all
    .filter(({ email }) => /^[^@\s]+@[^@\s]+$/.test(email))
    .map(({ name, email }) => ({ name: name.includes('@') ? '' : name, email }));
  return [
    ...new Map(named.map((each) => [`${each.email.toLowerCase()}\n${each.name}`, each])).values(),
  ];
}
