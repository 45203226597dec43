import anyAscii from 'any-ascii';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { vocabulary } from './rules.vocabulary.ts';

export type Word = {
  /** Folded: ASCII, lower case; particles are joined with what follows them. */
  text: string;
  /** As it was written. */
  shown: string;
  /** Without its particles: 'cruz' of 'delacruz'. */
  bare?: string;
};

/** What was left out of a name, or changed, and does not count. */
export type Aside = 'legalForm' | 'title' | 'accents' | 'script' | 'order';

export type Name = {
  shown: string;
  words: Word[];
  asides: ReadonlySet<Aside>;
  /** Whether its words in the middle count. */
  isOrganization: boolean;
};

type Piece = { text: string; shown: string };

/** Reads a person's or an organization's name: `Smith, John Q.` is john q smith. */
export function parseName(shown: string): Name {
  const asides = new Set<Aside>();
  const pieces = inOrder(shown, asides);
  const kept = withoutExtras(pieces, asides);
  if (/\p{M}/u.test(normalized(shown, 'NFD')) && /\p{Script=Latin}/u.test(shown))
    asides.add('accents');
  if (/(?!\p{Script=Latin})\p{L}/u.test(shown)) asides.add('script');
  const isOrganization =
    asides.has('legalForm') || pieces.some(({ text }) => vocabulary.organizations.has(text));
  return { shown, words: joinParticles(kept.length > 0 ? kept : pieces), asides, isOrganization };
}

/** What stands before the only comma is the surname, unless a comma sets off a title or a legal form. */
function inOrder(shown: string, asides: Set<Aside>): Piece[] {
  const parts = shown.split(/[,،，]/).map(piecesOf);
  const extras = parts.filter((pieces) => pieces.length > 0 && pieces.every(isExtra));
  const names = parts.filter((pieces) => pieces.length > 0 && !extras.includes(pieces));
  if (names.length !== 2) return parts.flat();
  asides.add('order');
  return [...(names[1] ?? []), ...(names[0] ?? []), ...extras.flat()];
}

function piecesOf(part: string): Piece[] {
  const written = normalized(part, 'NFKC')
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

function withoutExtras(pieces: Piece[], asides: Set<Aside>): Piece[] {
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
