import type { MailboxAddress } from '@matterdesk/contract/mails.ts';

/** How many people are suggested at once, and from how many letters on. */
const MOST = 6;
const LEAST_TYPED = 2;

/** What is being typed at the end of a list of addresses, and all that stands before it. */
export function cutLast(list: string): { before: string; last: string } {
  const at = Math.max(list.lastIndexOf(','), list.lastIndexOf(';')) + 1;
  return { before: list.slice(0, at), last: list.slice(at).trim() };
}

/** Those of whom a word of the name or of the address begins so; nobody once an address is whole. */
export function suggested(typed: string, known: readonly MailboxAddress[]): MailboxAddress[] {
  const wanted = typed.toLowerCase();
  if (wanted.length < LEAST_TYPED) return [];
  const found = new Map<string, MailboxAddress>();
  for (const one of known) {
    const email = one.email.toLowerCase();
    if (email === wanted) return [];
    const isNamed = found.get(email)?.name;
    if (!isNamed && email.includes('@') && beginsSo(one, wanted)) found.set(email, one);
  }
  return [...found.values()].slice(0, MOST);
}

function beginsSo({ name, email }: MailboxAddress, wanted: string): boolean {
  const text = ` ${name} ${email}`.toLowerCase();
  return text.replaceAll(/[@._-]/g, ' ').includes(` ${wanted}`) || text.includes(` ${wanted}`);
}
