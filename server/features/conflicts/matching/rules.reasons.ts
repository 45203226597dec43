import type { Name, Word } from './rules.names.ts';
import type { Match, Pair } from './rules.ts';
import { sharedFullName } from './rules.vocabulary.ts';

const ASIDES = {
  legalForm: 'the legal form does not count',
  title: 'titles do not count',
  accents: 'accents do not count',
  script: 'the script does not count',
  order: 'the order of the words does not count',
  middle: 'middle names do not count',
} as const;

/** Why two names match, as a sentence. */
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
