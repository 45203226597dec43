import type { MailboxAddress } from '@matterdesk/contract/mails.ts';

/** How many people are suggested, and after how many typed letters. */
const MAX_SUGGESTIONS = 6;
const MIN_TYPED = 2;

/** Splits a list of addresses into the address being typed at its end and everything before it. */
export function splitLast(list: string): { before: string; last: string } {
  const at = Math.max(list.lastIndexOf(','), list.lastIndexOf(';')) + 1;
  return { before: list.slice(0, at), last: list.slice(at).trim() };
}

/** People with a name or address in which a word starts with the text; none once the address is complete. */
export function suggested(typed: string, known: readonly MailboxAddress[]): MailboxAddress[] {
  const wanted = typed.toLowerCase();
  if (wanted.length < MIN_TYPED) return [];
  const found = new Map<string, MailboxAddress>();
  for (const person of known) {
    const email = person.email.toLowerCase();
    if (email === wanted) return [];
    const isNamed = found.get(email)?.name;
    if (!isNamed && email.includes('@') && matches(person, wanted)) found.set(email, person);
  }
  return [...found.values()].slice(0, MAX_SUGGESTIONS);
}

function matches({ name, email }: MailboxAddress, wanted: string): boolean {
  const text = ` ${name} ${email}`.toLowerCase();
  return text.replaceAll(/[@._-]/g, ' ').includes(` ${wanted}`) || text.includes(` ${wanted}`);
}
