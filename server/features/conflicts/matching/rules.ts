import { type IgnoredPart, type Name, type Word, sharedFullName } from './rules.names.ts';
import { distance, editsAllowed, isTransposed, soundAlike } from './rules.spelling.ts';

/** Ways in which two words agree, from the surest to the weakest. */
const kinds = ['exact', 'nickname', 'phonetic', 'fuzzy', 'initial'] as const;
type Kind = (typeof kinds)[number];
/** Ways in which two names agree. */
type NameMatch = 'exact' | 'nickname' | 'phonetic' | 'fuzzy' | 'partial';

type Pair = { asked: Word; found: Word; kind: Kind };
export type Match = {
  match: NameMatch;
  /** 0 to 1. */
  score: number;
  /** Whether nothing but middle names and initials of either name is left over. */
  isWhole: boolean;
  pairs: Pair[];
  asides: Set<IgnoredPart | 'middle'>;
};

/** Weight of a word: rare words weigh more. */
export type Weigh = (word: string) => number;

const QUALITY: Record<Kind, number> = {
  exact: 1,
  nickname: 0.95,
  phonetic: 0.85,
  fuzzy: 0.85,
  initial: 0.6,
};
/** Least share of weight in common for names of organizations that both have words of their own. */
const MIN_SHARED = 0.72;
const SHARED_WORDS = 3;
/** A middle name that only one of the two has. */
const MIDDLE_COST = 0.02;
const MIN_PARTIAL = 0.3;
const MAX_PARTIAL = 0.8;

/** The way in which two words agree, if they do. */
export function matchWords(one: Word, other: Word): Kind | undefined {
  if (one.text === other.text || bareOf(one) === bareOf(other)) return 'exact';
  if (one.text.length === 1 || other.text.length === 1)
    return one.text[0] === other.text[0] && /^[a-z]/.test(one.text) ? 'initial' : undefined;
  if (sharedFullName(one.text, other.text)) return 'nickname';
  const most = editsAllowed(one.text, other.text);
  if (most > 0 && isTransposed(one.text, other.text)) return 'fuzzy';
  if (soundAlike(one.text, other.text)) return 'phonetic';
  return most > 0 && distance(one.text, other.text, most) <= most ? 'fuzzy' : undefined;
}

function bareOf({ text, bare }: Word): string {
  return bare ?? text;
}

/** Compares two names; undefined where they are different. */
export function compareNames(asked: Name, found: Name, weigh: Weigh = () => 1): Match | undefined {
  let best: Match | undefined;
  const isPerson = !asked.isOrganization && !found.isOrganization;
  const rules = { weigh, isPerson, kindOf: knownKinds() };
  for (const [one, other] of spellings(asked.words, found.words)) {
    const match = compareWords(one, other, rules);
    if (match && (best === undefined || match.score > best.score)) best = match;
  }
  if (!best) return undefined;
  for (const { asides } of [asked, found])
    for (const aside of asides) if (aside !== 'order') best.asides.add(aside);
  if (asked.asides.has('order') !== found.asides.has('order')) best.asides.add('order');
  return best;
}

/** Both names as written, and with two neighbors joined where the other name has them as one word. */
function* spellings(one: Word[], other: Word[]): Generator<[Word[], Word[]]> {
  yield [one, other];
  for (const words of joinedLike(one, other)) yield [words, other];
  for (const words of joinedLike(other, one)) yield [one, words];
}

function* joinedLike(words: Word[], other: Word[]): Generator<Word[]> {
  for (let at = 0; at + 1 < words.length; at += 1) {
    const [first, second] = [words[at], words[at + 1]];
    if (!first || !second) return;
    const text = first.text + second.text;
    if (!other.some((word) => word.text === text)) continue;
    const shown = `${first.shown} ${second.shown}`;
    yield [...words.slice(0, at), { text, shown }, ...words.slice(at + 2)];
  }
}

type KindOf = typeof matchWords;
type Rules = { weigh: Weigh; isPerson: boolean; kindOf: KindOf };

/** Compares two words once, since the spellings of a name share most of theirs. */
function knownKinds(): KindOf {
  const known = new Map<Word, Map<Word, Kind | undefined>>();
  return (one, other) => {
    const kinds = known.get(one) ?? new Map<Word, Kind | undefined>();
    known.set(one, kinds);
    if (!kinds.has(other)) kinds.set(other, matchWords(one, other));
    return kinds.get(other);
  };
}

function compareWords(
  asked: Word[],
  found: Word[],
  { weigh, isPerson, kindOf }: Rules,
): Match | undefined {
  const all = pairUp(asked, found, kindOf);
  const full = all.filter(({ kind }) => kind !== 'initial');
  if (full.length === 0) return undefined;
  // Beside two words, an initial is a middle name.
  const pairs = full.length >= 2 ? full : all;
  const left = [leftOf(asked, all, 'asked'), leftOf(found, all, 'found')] as const;
  const shared = sharedOf({ asked, found, pairs, weigh });
  const asides = new Set<IgnoredPart | 'middle'>(isReordered(asked, found, pairs) ? ['order'] : []);
  if (
    left.every((words) => words.length === 0) ||
    (isPerson && areEndsPaired(asked, found, full))
  ) {
    const dropped = left[0].length + left[1].length;
    if (dropped > 0) asides.add('middle');
    return wholeMatch({ pairs, dropped, asides });
  }
  const isWithin = left.some((words) => words.length === 0);
  const isLarge = shared >= MIN_SHARED && full.length >= SHARED_WORDS;
  if (!isWithin && !isLarge) return undefined;
  const score = Math.min(Math.max(shared, MIN_PARTIAL), MAX_PARTIAL);
  return { match: 'partial', score, isWhole: false, pairs, asides };
}

/** Pairs each word with the word of the other name that agrees best. */
function pairUp(asked: Word[], found: Word[], kindOf: KindOf): Pair[] {
  const all = asked.flatMap((one) =>
    found.flatMap((other) => {
      const kind = kindOf(one, other);
      return kind ? [{ asked: one, found: other, kind }] : [];
    }),
  );
  all.sort((one, other) => QUALITY[other.kind] - QUALITY[one.kind]);
  const taken = new Set<Word>();
  return all.filter((pair) => {
    if (taken.has(pair.asked) || taken.has(pair.found)) return false;
    taken.add(pair.asked);
    taken.add(pair.found);
    return true;
  });
}

/** Full words without a partner; an initial counts only where a single word is shared. */
function leftOf(words: Word[], pairs: Pair[], side: 'asked' | 'found'): Word[] {
  const paired = new Set(pairs.map((pair) => pair[side]));
  const isEnough = pairs.length >= 2;
  return words.filter((word) => !paired.has(word) && (!isEnough || word.text.length > 1));
}

/** Whether first and last word of both names have a partner, so that only middle names are left. */
function areEndsPaired(asked: Word[], found: Word[], pairs: Pair[]): boolean {
  if (asked.length < 2 || found.length < 2) return false;
  const paired = new Set(pairs.flatMap((pair) => [pair.asked, pair.found]));
  return [asked[0], asked.at(-1), found[0], found.at(-1)].every((word) => word && paired.has(word));
}

function isReordered(asked: Word[], found: Word[], pairs: Pair[]): boolean {
  const places = pairs
    .toSorted((one, other) => asked.indexOf(one.asked) - asked.indexOf(other.asked))
    .map((pair) => found.indexOf(pair.found));
  return places.some((place, index) => index > 0 && place < (places[index - 1] ?? 0));
}

/** The share of both names' weight that the pairs cover. */
function sharedOf(compared: { asked: Word[]; found: Word[]; pairs: Pair[]; weigh: Weigh }): number {
  const { asked, found, pairs, weigh } = compared;
  const sum = (words: Word[]) => words.reduce((total, { text }) => total + weigh(text), 0);
  const covered = pairs.reduce(
    (total, pair) =>
      total + QUALITY[pair.kind] * Math.min(weigh(pair.asked.text), weigh(pair.found.text)),
    0,
  );
  return covered / Math.max(sum(asked), sum(found), Number.EPSILON);
}

function wholeMatch(whole: { pairs: Pair[]; dropped: number; asides: Match['asides'] }): Match {
  const { pairs, dropped, asides } = whole;
  const weakest = Math.max(...pairs.map(({ kind }) => kinds.indexOf(kind)));
  const kind = kinds[weakest] ?? 'exact';
  const quality = pairs.reduce((total, pair) => total + QUALITY[pair.kind], 0) / pairs.length;
  const score = Math.max(quality - dropped * MIDDLE_COST, MIN_PARTIAL);
  const isWhole = kind !== 'initial';
  return { match: kind === 'initial' ? 'partial' : kind, score, isWhole, pairs, asides };
}

const ASIDES = {
  legalForm: 'the legal form does not count',
  title: 'titles do not count',
  accents: 'accents do not count',
  script: 'the script does not count',
  order: 'the order of the words does not count',
  middle: 'middle names do not count',
} as const;

/** The reason why two names match, as a sentence. */
export function explain(match: Match, { asked, found }: { asked: Name; found: Name }): string {
  const parts = match.pairs.flatMap((pair) => explainPair(pair) ?? []);
  if (!match.isWhole && match.match === 'partial' && parts.length === 0)
    parts.push(explainPart(match.pairs, asked, found));
  if (parts.length === 0) parts.push(`'${asked.shown}' and '${found.shown}' are the same name`);
  if (asked.shown !== found.shown) for (const aside of match.asides) parts.push(ASIDES[aside]);
  return `${parts.join('; ')}.`;
}

function explainPair({ asked, found, kind }: Pair): string | undefined {
  if (kind === 'nickname') return explainNickname(asked, found);
  if (kind === 'phonetic') return `'${asked.shown}' sounds like '${found.shown}'`;
  if (kind === 'fuzzy') return `'${asked.shown}' is spelled almost like '${found.shown}'`;
  if (kind !== 'initial') return undefined;
  const [short, long] = asked.text.length === 1 ? [asked, found] : [found, asked];
  return `'${short.shown}.' may stand for '${long.shown}'`;
}

function explainNickname(asked: Word, found: Word): string {
  const full = sharedFullName(asked.text, found.text) ?? '';
  if (full === asked.text) return `'${found.shown}' is short for '${asked.shown}'`;
  if (full === found.text) return `'${asked.shown}' is short for '${found.shown}'`;
  const written = full.charAt(0).toUpperCase() + full.slice(1);
  return `'${asked.shown}' and '${found.shown}' are both short for '${written}'`;
}

function explainPart(pairs: Pair[], asked: Name, found: Name): string {
  const words = pairs.map((pair) => pair.asked.shown).join(' ');
  if (pairs.length === asked.words.length) return `'${words}' is part of '${found.shown}'`;
  return pairs.length === found.words.length
    ? `'${found.shown}' is part of '${asked.shown}'`
    : `'${asked.shown}' and '${found.shown}' share '${words}'`;
}
