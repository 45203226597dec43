import * as z from 'zod/mini';
import type { MailboxAddress } from '@matterdesk/contract/mails.ts';

/** Number of suggested people, and of letters to type before they appear. */
const MAX_SUGGESTIONS = 6;
const MIN_TYPED = 2;

/** The chosen addresses, and the text after them that is still being typed. */
export type Recipients = { chosen: string[]; typed: string };

/** Splits a list of addresses; `Name <address>` becomes the address, and what is no address yet is still being typed. */
export function parseRecipients(list: string): Recipients {
  const parts = list
    .split(SEPARATOR)
    .map(bareAddress)
    .filter((part) => part !== '');
  const typed = parts.filter((part) => !isAddress(part));
  return { chosen: parts.filter(isAddress), typed: typed.join(', ') };
}

/** Takes what is typed: a separator ends an address, whether it is right or not. */
export function typeRecipient(before: readonly string[], text: string): Recipients {
  const parts = text.split(SEPARATOR);
  const typed = parts.pop()?.trimStart() ?? '';
  const ended = parts.map(bareAddress).filter((part) => part !== '');
  return { chosen: [...before, ...ended], typed };
}

/** Makes the typed text an address, once it is one. */
export function endTyping({ chosen, typed }: Recipients): Recipients {
  const address = bareAddress(typed);
  return isAddress(address) ? { chosen: [...chosen, address], typed: '' } : { chosen, typed };
}

export function listRecipients({ chosen, typed }: Recipients): string {
  return [...chosen, typed].filter((part) => part !== '').join(', ');
}

export function isAddress(text: string): boolean {
  return z.regexes.email.test(text);
}

const SEPARATOR = /[,;\n]/;

function bareAddress(text: string): string {
  return (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim();
}

/** People with a name or address in which a word starts with the text; none once the address is complete. */
export function suggested(typed: string, known: readonly MailboxAddress[]): MailboxAddress[] {
  const wanted = typed.trim().toLowerCase();
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
