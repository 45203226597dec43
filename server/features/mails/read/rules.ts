// Reading mail: lists, a mail with its attachments, and filing it in a case.

/** The beginning of a long mail is enough to find its case. */
const CHARACTERS = 50_000;
const WORDS = 1000;
/** Words in a case number or name. */
const LONGEST_RUN = 4;
/** Limit of recipients, since a long list points to no single case. */
const MOST_PEOPLE = 200;

const ADDRESS = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g;
/** Punctuation around a word. */
const AROUND = /^[\s()[\]{}<>"'„“”‚‘’.,;:!?#*_]+|[\s()[\]{}<>"'„“”‚‘’.,;:!?#*_]+$/g;

type Person = { name: string; email: string };
type Written = { subject: string; text: string; people: Person[]; own: string[] };

/** Numbers, addresses and names in a mail that may point to a case. */
export function cluesOf({ subject, text, people: all, own }: Written) {
  const people = all.slice(0, MOST_PEOPLE);
  const written = `${subject}\n${text.slice(0, CHARACTERS)}`;
  const words = written
    .split(/\s+/)
    .slice(0, WORDS)
    .map((word) => word.replaceAll(AROUND, ''))
    .filter((word) => word !== '');
  const isOwn = (email: string) => own.includes(email.toLowerCase());
  const emails = [...people.map(({ email }) => email), ...(written.match(ADDRESS) ?? [])];
  return {
    numbers: runs(words, 1).filter((run) => /\d/.test(run) && run.length <= 100),
    emails: unique(emails.filter((email) => email !== '' && !isOwn(email))).slice(0, MOST_PEOPLE),
    names: unique([
      ...people.filter(({ email }) => !isOwn(email)).flatMap(({ name }) => bothWays(name)),
      ...runs(words, 2).filter((run) => /^\p{Lu}\S*( \p{Lu}\S*)+$/u.test(run)),
    ]),
  };
}

/** Runs of consecutive words, from `fewest` to LONGEST_RUN long. */
function runs(words: string[], fewest: number): string[] {
  const lengths = Array.from({ length: LONGEST_RUN - fewest + 1 }, (_, more) => fewest + more);
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

export const REASONS = {
  number: (caseNo: string) => `Case number ${caseNo} appears in it`,
  clientEmail: () => "The client's email address appears in it",
  counselEmail: () => "Opposing counsel's email address appears in it",
  clientName: () => "The client's name appears in it",
  counselName: () => "Opposing counsel's name appears in it",
} as const;
