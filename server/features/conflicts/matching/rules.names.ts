import { readFileSync } from 'node:fs';
import anyAscii from 'any-ascii';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { parseSections } from '../../../core/vocabulary.ts';

export type Word = {
  /** Folded: ASCII, lower case; particles are joined with what follows them. */
  text: string;
  /** Original spelling. */
  shown: string;
  /** Without its particles: 'cruz' of 'delacruz'. */
  bare?: string;
};

/** A part or property of a name that does not count. */
export type IgnoredPart = 'legalForm' | 'title' | 'accents' | 'script' | 'order';

export type Name = {
  shown: string;
  words: Word[];
  asides: ReadonlySet<IgnoredPart>;
  /** Whether its words in the middle count. */
  isOrganization: boolean;
};

/** Words of a name that count; the longest names of files have fewer. Each is compared with each of another name. */
const MAX_WORDS = 64;
/** Characters of a name that count, as one sign may stand for eighteen letters. */
const MAX_CHARACTERS = 1000;

type Piece = { text: string; shown: string };

/** Reads a person's or an organization's name: `Smith, John Q.` is john q smith. */
export function parseName(shown: string): Name {
  const asides = new Set<IgnoredPart>();
  const pieces = inOrder(shown, asides);
  const kept = withoutExtras(pieces, asides);
  if (/\p{M}/u.test(normalized(shown, 'NFD')) && /\p{Script=Latin}/u.test(shown))
    asides.add('accents');
  if (/(?!\p{Script=Latin})\p{L}/u.test(shown)) asides.add('script');
  const isOrganization =
    asides.has('legalForm') || pieces.some(({ text }) => vocabulary.organizations.has(text));
  const words = joinParticles(kept.length > 0 ? kept : pieces).slice(0, MAX_WORDS);
  return { shown, words, asides, isOrganization };
}

/** Puts the surname, before the only comma, last. A comma may also set off a title or a legal form. */
function inOrder(shown: string, asides: Set<IgnoredPart>): Piece[] {
  const parts = shown.split(/[,،，]/).map(piecesOf);
  const extras = parts.filter((pieces) => pieces.length > 0 && pieces.every(isExtra));
  const names = parts.filter((pieces) => pieces.length > 0 && !extras.includes(pieces));
  if (names.length !== 2) return parts.flat();
  asides.add('order');
  return [...(names[1] ?? []), ...(names[0] ?? []), ...extras.flat()];
}

function piecesOf(part: string): Piece[] {
  const written = normalized(part, 'NFKC')
    .slice(0, MAX_CHARACTERS)
    .replaceAll(/['’‘ʼ`´]/g, '')
    .replaceAll(/(?<![\p{L}\p{N}])(?:\p{L}\.){2,}(?:\p{L}(?![\p{L}\p{N}]))?/gu, joinLetters);
  return written
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .flatMap((shown) =>
      foldPiece(shown).map((text) => ({ shown, text: vocabulary.abbreviations.get(text) ?? text })),
    );
}

/** `L.L.C.` is one word, `J.R.` two initials. */
function joinLetters(dotted: string): string {
  const letters = dotted.replaceAll('.', '');
  const isKnown = isLegalForm({ text: letters.toLowerCase(), shown: letters.toUpperCase() });
  return isKnown || vocabulary.suffixes.has(letters.toLowerCase())
    ? letters
    : [...letters].join(' ');
}

/** Scripts without blanks between words are cut at their syllables. */
function foldPiece(shown: string): string[] {
  const ascii = anyAscii(shown);
  const isSyllabic = /\p{Script=Han}|\p{Script=Hangul}/u.test(shown);
  return (isSyllabic ? ascii.split(/(?=[A-Z])/) : [ascii])
    .map((text) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
    .filter((text) => text !== '');
}

function isLegalForm({ text, shown }: Piece): boolean {
  if (vocabulary.legalForms.has(text)) return true;
  return vocabulary.shortLegalForms.has(text) && shown === shown.toUpperCase();
}

function isTitle({ text }: Piece): boolean {
  return vocabulary.titles.has(text) || vocabulary.suffixes.has(text);
}

function isExtra(piece: Piece): boolean {
  return isLegalForm(piece) || isTitle(piece);
}

function withoutExtras(pieces: Piece[], asides: Set<IgnoredPart>): Piece[] {
  return pieces.filter((piece, index) => {
    if (isTitle(piece)) asides.add('title');
    // A name may begin with a word that is a legal form elsewhere.
    else if (index > 0 && isLegalForm(piece)) asides.add('legalForm');
    else return !vocabulary.noise.has(piece.text) || isInitial(piece);
    return false;
  });
}

function isInitial({ text, shown }: Piece): boolean {
  return text.length === 1 && shown === shown.toUpperCase();
}

function joinParticles(pieces: Piece[]): Word[] {
  const words: Word[] = [];
  let pending: Piece[] = [];
  for (const [index, piece] of pieces.entries()) {
    const isLast = index === pieces.length - 1;
    // A particle that begins a name of two words may be a first name: Van Morrison, Al Capone.
    const isFirstName = index === 0 && pieces.length === 2 && !/^(mc|mac|o)$/.test(piece.text);
    if (!isLast && !isFirstName && isParticle(piece, index)) pending.push(piece);
    else {
      words.push(joined(pending, piece));
      pending = [];
    }
  }
  return words;
}

/** A lone O, D or L is an initial where it is written in capitals, but before a surname. */
function isParticle({ text, shown }: Piece, index: number): boolean {
  if (!vocabulary.particles.has(text)) return false;
  return text.length > 1 || (text === 'o' && index > 0 && shown === 'O') || shown === text;
}

function joined(particles: Piece[], { text, shown }: Piece): Word {
  if (particles.length === 0) return { text, shown };
  const before = particles.map((piece) => piece.text).join('');
  const written = [...particles.map((piece) => piece.shown), shown].join(' ');
  return { text: before + text, shown: written, bare: text };
}

const FILE = 'vocabulary.txt';

/** Parses `vocabulary.txt`, which describes its own sections. @throws Error that names a missing section */
function parseVocabulary(text: string) {
  const lines = parseSections(text);
  const linesOf = (name: string) => lines(name).map((line) => line.split(' '));
  const wordsOf = (name: string) => new Set(linesOf(name).flat());
  return {
    noise: wordsOf('noise'),
    titles: wordsOf('titles'),
    suffixes: wordsOf('suffixes'),
    legalForms: wordsOf('legal forms'),
    /** These are words of names, too, unless they are written in capitals. */
    shortLegalForms: wordsOf('legal forms in capitals'),
    organizations: wordsOf('organizations'),
    particles: wordsOf('particles'),
    abbreviations: new Map(
      linesOf('abbreviations').map(([short = '', , long = '']) => [short, long]),
    ),
    fullNames: fullNamesOf(linesOf('nicknames')),
  };
}

/** The full names that each first name stands for, itself included. */
function fullNamesOf(lines: string[][]): Map<string, string[]> {
  const fullNames = new Map<string, string[]>();
  for (const [full = '', ...short] of lines)
    for (const name of [full, ...short])
      fullNames.set(name, [...(fullNames.get(name) ?? []), full]);
  return fullNames;
}

const vocabulary = parseVocabulary(readFileSync(new URL(FILE, import.meta.url), 'utf8'));

const namesOf = new Map<string, string[]>();
for (const [name, fulls] of vocabulary.fullNames)
  for (const full of fulls) namesOf.set(full, [...(namesOf.get(full) ?? []), name]);

/** The full name that two first names share: 'robert' for 'bob' and 'rob'. */
export function sharedFullName(one: string, other: string): string | undefined {
  if (one === other) return undefined;
  const fulls = vocabulary.fullNames.get(other);
  const shared = fulls && vocabulary.fullNames.get(one)?.filter((full) => fulls.includes(full));
  return shared?.find((full) => full === one || full === other) ?? shared?.[0];
}

/** All first names that share a full name with this one, without itself. */
export function relatedNames(name: string): string[] {
  const fulls = vocabulary.fullNames.get(name) ?? [];
  const related = new Set(fulls.flatMap((full) => namesOf.get(full) ?? []));
  related.delete(name);
  return [...related];
}

/** Fewer digits are an extension, or no number at all. */
const MIN_DIGITS = 7;
/** The digits to dial, as `phone_digits` computes them in the database. */
function phoneDigits(written: string): string {
  const [bare = ''] = written
    .trim()
    .replaceAll('(0)', '')
    .split(/x|ext|#/i);
  const digits = bare.replaceAll(/[^0-9]/g, '');
  if (bare.startsWith('+')) return digits;
  if (digits.startsWith('00')) return digits.slice(2);
  if (digits.startsWith('011')) return digits.slice(3);
  return digits.length === 10 ? `1${digits}` : digits;
}

/** Email addresses and phone numbers in the form in which they are compared. */
export function identifiersOf(contact: { emails?: string[]; phoneNumbers?: string[] }): string[] {
  const emails = (contact.emails ?? []).map((email) => email.trim().toLowerCase());
  const digits = (contact.phoneNumbers ?? []).map(phoneDigits);
  const called = digits.filter((number) => number.length >= MIN_DIGITS);
  return [...new Set([...emails.filter((email) => email.includes('@')), ...called])];
}
