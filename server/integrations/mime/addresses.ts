// Parses and writes e-mail.

import { addressParser, decodeWords } from 'postal-mime';

export type NamedAddress = { name: string; email: string };

/** Header characters to parse, and addresses to keep per list. */
const LONGEST_HEADER = 20_000;
const MOST_ADDRESSES = 1000;

/** A decoded header on one line. */
export function decodeHeader(value: string): string {
  return decodeWords(value.slice(0, LONGEST_HEADER)).replaceAll(/\s+/g, ' ').trim();
}

/** Addresses of a header, with groups flattened. */
export function decodeAddresses(value: string): NamedAddress[] {
  const found = addressParser(value.slice(0, LONGEST_HEADER), { flatten: true });
  return found
    .slice(0, MOST_ADDRESSES)
    .map(({ name, address }) => ({ name: onOneLine(name), email: onOneLine(address ?? '') }))
    .filter(({ name, email }) => name !== '' || email !== '');
}

function onOneLine(text: string) {
  return text.replaceAll(/\s+/g, ' ').trim();
}
