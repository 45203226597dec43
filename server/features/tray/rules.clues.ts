// Finds in a paper what may point to its matter.

import type { PartyRole } from '@matterdesk/contract/contacts.ts';
import { isHarmless } from '@matterdesk/contract/text.ts';
import type { TrayItem } from '@matterdesk/contract/tray.ts';
import { dateInWords } from '../../core/dates.ts';
import type { Clues } from '../../db/schema-tray.ts';
import { fold, nameKey } from '../../db/search.ts';
import { runs, wordsOf } from '../../integrations/mime/clues.ts';

/** Pages that are read for clues. */
export const MAX_PAGES = 5;
/** Words of a page, and clues of each kind, at most: a page of the tray asks for those of all its papers together. */
const MAX_WORDS = 800;
const MAX_CLUES = 500;
const MAX_CLAIMS = 200;
/** Letters of a word beside the digits of a case number, such as 'CIV' or 'Matr.'. */
const MAX_BESIDE = 5;
const MAX_EXCERPT_LENGTH = 200;
const MIN_DIGITS_IN_CLAIM = 5;
const [SHORTEST_CLAIM, LONGEST_CLAIM] = [5, 60];

/** The words that the database's `numbers_in` finds. */
const NUMBER = /[A-Za-z0-9]+(?:[-/.][A-Za-z0-9]+)*/g;
/** Numbers of telephones, days, years, places and amounts, which many papers share. */
const NO_CLAIM = [
  /^(1?[-.]?\d{3}[-.])?\d{3}[-.]\d{4}$/,
  /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/,
  /^\d{5}(-\d{4})?$/,
  /^(19|20)\d\d-(19|20)\d\d$/,
  /^\d+\.\d\d$/,
];
const CLAIM_WORDS = new Set(['claim', 'policy', 'account', 'file', 'invoice']);
/** Words before a number among which one says what it is. */
const MAX_WORDS_BEFORE = 3;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = String.raw`(?:${MONTHS.join('|')})[a-z]*\.?`;
const DATES: readonly [RegExp, (parts: readonly string[]) => string][] = [
  [/\b(\d{4})-(\d\d)-(\d\d)\b/g, ([year = '', month = '', day = '']) => iso(year, month, day)],
  [
    /\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g,
    ([month = '', day = '', year = '']) => iso(year, month, day),
  ],
  [
    new RegExp(String.raw`\b(${MONTH}) (\d{1,2}),? (\d{4})\b`, 'gi'),
    ([month = '', day = '', year = '']) => iso(year, monthOf(month), day),
  ],
  [
    new RegExp(String.raw`\b(\d{1,2}) (${MONTH}) (\d{4})\b`, 'gi'),
    ([day = '', month = '', year = '']) => iso(year, monthOf(month), day),
  ],
];

/** As the postal service shortens them. */
const STREETS: Readonly<Record<string, string>> = {
  street: 'st',
  avenue: 'ave',
  road: 'rd',
  boulevard: 'blvd',
  drive: 'dr',
  lane: 'ln',
  place: 'pl',
  court: 'ct',
};
const [SHORTEST_PLACE, LONGEST_PLACE] = [2, 4];

type PageText = { page: number; text: string };

export function cluesOf(pages: readonly PageText[]): Clues {
  const read = pages.map(({ page, text }) => ({ page, text, words: wordsOf(text, MAX_WORDS) }));
  const numbers = new Map<string, number>();
  for (const { page, words } of read)
    for (const run of runs(words, 1))
      if (mayBeCaseNumber(run) && !numbers.has(fold(run))) numbers.set(fold(run), page);
  const all = read.flatMap(({ words }) => words);
  const named = runs(all, 2).filter((run) => run.split(' ').every((word) => /^\p{Lu}/u.test(word)));
  return {
    numbers: [...numbers].slice(0, MAX_CLUES),
    claims: read.flatMap(({ words }) => claimsIn(words)).slice(0, MAX_CLAIMS),
    names: [...new Set(named.map(nameKey))].slice(0, MAX_CLUES),
    dates: [...new Set(read.flatMap(({ text }) => datesIn(text)))].slice(0, MAX_CLUES),
    places: [...new Set(all.flatMap((_, at) => placesAt(all, at)))].slice(0, MAX_CLUES),
  };
}

/** The beginning of a text, in one line. */
export function excerptOf(text: string): string {
  const line = text
    .slice(0, MAX_EXCERPT_LENGTH * 10)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const cut = [...line].slice(0, MAX_EXCERPT_LENGTH).join('');
  return isHarmless(cut) ? cut : '';
}

/** Has digits at one of its ends, and between them no words of prose. */
function mayBeCaseNumber(run: string): boolean {
  const words = run.split(' ');
  const hasDigit = (word = '') => /\d/.test(word);
  return (
    (hasDigit(words[0]) || hasDigit(words.at(-1))) &&
    words.every((word) => hasDigit(word) || word.length <= MAX_BESIDE) &&
    !/^\d{1,4}$/.test(run) &&
    isHarmless(run)
  );
}

function claimsIn(words: readonly string[]): Clues['claims'] {
  return words.flatMap((word, at) =>
    (word.match(NUMBER) ?? []).filter(isClaim).map((number): Clues['claims'][number] => {
      const before = words
        .slice(Math.max(at - MAX_WORDS_BEFORE, 0), at)
        .map((each) => each.toLowerCase());
      return [number.toUpperCase(), before.findLast((each) => CLAIM_WORDS.has(each)) ?? 'number'];
    }),
  );
}

function isClaim(number: string): boolean {
  const digits = number.replaceAll(/\D/g, '').length;
  const hasLength = number.length >= SHORTEST_CLAIM && number.length <= LONGEST_CLAIM;
  return (
    hasLength && digits >= MIN_DIGITS_IN_CLAIM && !NO_CLAIM.some((shape) => shape.test(number))
  );
}

function datesIn(text: string): string[] {
  const written = text.slice(0, MAX_WORDS * 20).replaceAll(/\s+/g, ' ');
  return DATES.flatMap(([pattern, read]) =>
    [...written.matchAll(pattern)].map(([, ...parts]) => read(parts)),
  );
}

function iso(year: string, month: string, day: string): string {
  return [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
}

function monthOf(name: string): string {
  return String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);
}

/** Beginnings of an address that starts at this word, from the shortest. */
function placesAt(words: readonly string[], at: number): string[] {
  if (!/^\d+[a-z]?$/i.test(words[at] ?? '')) return [];
  const place = words.slice(at, at + LONGEST_PLACE).map(placeWord);
  return place.flatMap((_, more) =>
    more + 1 < SHORTEST_PLACE ? [] : [place.slice(0, more + 1).join(' ')],
  );
}

function placeWord(word: string): string {
  const folded = nameKey(word);
  return STREETS[folded] ?? folded;
}

/** The first line of an address as `Clues.places` has it; undefined for one without a house number. */
export function placeOf(address: string): string | undefined {
  const [line = ''] = address.split(/[\n,]/);
  return placesAt(wordsOf(line, LONGEST_PLACE), 0).at(-1);
}

/** An address as a reason names it. */
function streetOf(address: string): string {
  return address.split(/[\n,]/)[0]?.trim() ?? '';
}

// Which matters are proposed for a paper, and why: sentences instead of a score.

type Proposal = TrayItem['proposals'][number];
export type Matter = { id: string; caseName: string; caseNo: string | null };
/** A case whose number, folded, is `key`. */
export type FoundNumber = { key: string; matter: Matter };
/** A number in a matter's notes, or in those on a party or its contact. */
export type FoundClaim = { number: string; matter: Matter; contact: string | null };
/** A party of an active matter whose name, without case and accents, is `key`. */
export type FoundParty = {
  key: string;
  matter: Matter;
  name: string;
  role: PartyRole;
  dateOfBirth: string | null;
  address: string | null;
};

/** A matter in which a mail of the thread is filed. */
export type FoundThread = { thread: string; matter: Matter };
/** A party of an active matter whose address or number is `key`. */
export type FoundCorrespondent = { key: string; matter: Matter; name: string; role: PartyRole };

export type FoundMatters = {
  numbers: readonly FoundNumber[];
  claims: readonly FoundClaim[];
  parties: readonly FoundParty[];
  threads: readonly FoundThread[];
  correspondents: readonly FoundCorrespondent[];
};

/** The thread of a mail, and the sender of one or of a text; null for papers. */
export type ItemClues = {
  clues: Clues | null;
  thread_id: string | null;
  sender_key: string | null;
};

/** Proposals of an item, and reasons of a proposal, at most. */
const MAX_PROPOSALS = 3;
const MAX_REASONS = 3;

const ROLES: Readonly<Record<PartyRole, string>> = {
  client: 'the client',
  opposingParty: 'an opposing party',
  opposingCounsel: 'opposing counsel',
  coCounsel: 'co-counsel',
  witness: 'a witness',
  expert: 'an expert',
  insurer: 'the insurer',
  provider: 'a provider',
  guardian: 'the guardian',
  judge: 'the judge',
  court: 'the court',
  referrer: 'the referrer',
  other: 'a party',
};

type Reason = { matter: Matter; sentence: string };

/**
 * The best first: a number of a case, then one in a matter's notes, then a person, a thread, and a correspondent of one
 * matter alone. Equals stay side by side.
 */
export function proposalsFor(item: ItemClues, found: FoundMatters): Proposal[] {
  const { clues } = item;
  const reasons = [
    ...(clues ? byNumber(clues, found.numbers) : []),
    ...(clues ? byClaim(clues, found.claims) : []),
    ...(clues ? byParty(clues, found.parties) : []),
    ...byThread(item, found.threads),
    ...byCorrespondent(item, found.correspondents),
  ];
  const byCase = Map.groupBy(reasons, ({ matter }) => matter.id);
  return [...byCase.values()].slice(0, MAX_PROPOSALS).flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { id, caseName, caseNo } = first.matter;
    const sentences = new Set(own.map(({ sentence }) => sentence));
    return [
      { case: { id, caseName, caseNo }, reason: [...sentences].slice(0, MAX_REASONS).join('\n') },
    ];
  });
}

/** In the order in which the paper names them; a number that is a part of a longer one does not count. */
function byNumber({ numbers }: Clues, found: readonly FoundNumber[]): Reason[] {
  const places = new Map(numbers.map(([key, page], at) => [key, { page, at }]));
  const named = found.flatMap((one) => {
    const place = places.get(one.key);
    return place ? [{ ...one, ...place }] : [];
  });
  return named
    .filter(({ key }) => !named.some((other) => other.key !== key && other.key.includes(key)))
    .toSorted((a, b) => a.at - b.at)
    .map(({ matter, page }) => {
      const where = page === 0 ? 'in the message' : `on page ${page}`;
      return { matter, sentence: `Case No ${matter.caseNo} ${where}` };
    });
}

function byThread({ thread_id: own }: ItemClues, found: readonly FoundThread[]): Reason[] {
  return found
    .filter(({ thread }) => thread === own)
    .map(({ matter }) => ({ matter, sentence: 'This thread is filed there' }));
}

function byCorrespondent(item: ItemClues, found: readonly FoundCorrespondent[]): Reason[] {
  const own = found.filter(({ key }) => key === item.sender_key);
  if (own.length > 1) return [];
  return own.map(({ matter, name, role }) => ({ matter, sentence: `${name} is ${ROLES[role]}` }));
}

/** The sender's name as the reader's contacts have it. */
export function senderNameOf(item: ItemClues, { correspondents }: FoundMatters): string | null {
  return correspondents.find(({ key }) => key === item.sender_key)?.name ?? null;
}

function byClaim({ claims }: Clues, found: readonly FoundClaim[]): Reason[] {
  const words = new Map(claims);
  return found
    .filter(({ number }) => words.has(number))
    .map(({ number, matter, contact }) => {
      const word = words.get(number) ?? '';
      const what = `${word.charAt(0).toUpperCase()}${word.slice(1)} ${number}`;
      const where = contact === null ? "in this matter's notes" : `with ${contact}`;
      return { matter, sentence: `${what} is ${where}` };
    });
}

/** A name alone proposes nothing: the paper has the person's address or date of birth, too. */
function byParty({ names, dates, places }: Clues, found: readonly FoundParty[]): Reason[] {
  const named = new Set(names);
  return found
    .filter(({ key }) => named.has(key))
    .flatMap(({ matter, name, role, dateOfBirth, address }) => {
      const place = address === null ? undefined : placeOf(address);
      const is = `is ${ROLES[role]}`;
      if (place !== undefined && places.includes(place))
        return [{ matter, sentence: `${name}, ${streetOf(address ?? '')}, ${is}` }];
      if (dateOfBirth !== null && dates.includes(dateOfBirth))
        return [{ matter, sentence: `${name}, born ${dateInWords(dateOfBirth)}, ${is}` }];
      return [];
    });
}
