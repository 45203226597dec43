import type { Clues, ReadMail } from './answers.ts';

/** The beginning of a long mail is enough to find its case. */
const MAX_CHARACTERS = 50_000;
const MAX_WORDS = 1000;
/** Words in a case number or name. */
const MAX_RUN_WORDS = 4;
/** Limit of recipients, since a long list points to no single case. */
const MAX_PEOPLE = 200;

const ADDRESS = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g;
/** Characters of a word; no number or name has more. */
const MAX_WORD_LENGTH = 100;
/** Characters of an address or a name. */
const MAX_CLUE_LENGTH = 400;
/** Punctuation around a word. */
const AROUND = new Set('()[]{}<>"\'„“”‚‘’.,;:!?#*_');

/** @param own addresses in lower case, which point to no case */
export function cluesOf(mail: ReadMail, own: string[]): Clues {
  const { subject, text, from, recipients, bcc, replyTo } = mail;
  const all = [...(from ? [from] : []), ...recipients, ...bcc, ...replyTo];
  const people = all.slice(0, MAX_PEOPLE);
  const written = `${subject}\n${text.slice(0, MAX_CHARACTERS)}`;
  const words = wordsOf(written, MAX_WORDS);
  const isOwn = (email: string) => own.includes(email.toLowerCase());
  const emails = [...people.map(({ email }) => email), ...(written.match(ADDRESS) ?? [])];
  return {
    numbers: runs(words, 1).filter((run) => /\d/.test(run) && run.length <= MAX_WORD_LENGTH),
    emails: unique(emails.filter((email) => isShort(email) && !isOwn(email))).slice(0, MAX_PEOPLE),
    names: unique([
      ...people.filter(({ email }) => !isOwn(email)).flatMap(({ name }) => bothWays(name)),
      ...runs(words, 2).filter((run) => run.split(' ').every((word) => /^\p{Lu}/u.test(word))),
    ]).filter(isShort),
  };
}

function isShort(clue: string): boolean {
  return clue !== '' && clue.length <= MAX_CLUE_LENGTH;
}

/** The first words of a text, without the punctuation around them. */
export function wordsOf(text: string, most: number): string[] {
  return text
    .split(/\s+/)
    .slice(0, most)
    .map(bare)
    .filter((word) => word !== '' && word.length <= MAX_WORD_LENGTH);
}

/** Words without the punctuation around them. */
export function bare(words: string): string {
  // A regular expression would search for the end in quadratic time.
  let [start, end] = [0, words.length];
  while (start < end && AROUND.has(words.charAt(start))) start += 1;
  while (start < end && AROUND.has(words.charAt(end - 1))) end -= 1;
  return words.slice(start, end);
}

/** Runs of consecutive words, from `fewest` to `most` long. */
export function runs(words: string[], fewest: number, most = MAX_RUN_WORDS): string[] {
  const lengths = Array.from({ length: most - fewest + 1 }, (_, more) => fewest + more);
  return unique(
    words.flatMap((_, at) =>
      lengths
        .filter((length) => at + length <= words.length)
        .map((length) => words.slice(at, at + length).join(' ')),
    ),
  );
}

/** `Doe, Jane` also as `Jane Doe`. */
function bothWays(name: string): string[] {
  const [last, first, ...more] = name.split(',').map((part) => part.trim());
  const turned = first && last && more.length === 0 ? [`${first} ${last}`] : [];
  return name.trim() === '' ? [] : [name.trim(), ...turned];
}

function unique(texts: string[]): string[] {
  return [...new Set(texts)];
}
