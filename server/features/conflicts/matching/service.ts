import type { AskedName, HitMatch } from '@matterdesk/contract/conflicts.ts';
import { lookUpWords, searchNames, type FoundName } from '../../../db/names.ts';
import type { Executor } from '../../../db/schema.ts';
import { identifiersOf } from '../names/rules.ts';
import { dictionaryWords, lookedUp, planSearch, type Entry } from './rules.index.ts';
import { parseName, type Name } from './rules.names.ts';
import { explain } from './rules.reasons.ts';
import { compareNames, type Match, type Weigh } from './rules.ts';
import { keysOf } from './rules.spelling.ts';

/** A row that agrees with one of the asked names. */
export type Agreement = {
  row: FoundName;
  match: HitMatch;
  /** 0 to 1. */
  score: number;
  /** Whether the whole name agrees, or an e-mail address or phone number. */
  isWhole: boolean;
  reason: string;
};
export type Asked = Pick<AskedName, 'name' | 'emails' | 'phoneNumbers' | 'otherNames'>;

/** All rows that agree with each of the names, past the walls: who may see them is decided by the caller. */
export async function findAgreements(db: Executor, asked: Asked[]): Promise<Agreement[][]> {
  const spelled = asked.map(({ name, otherNames }) => [name, ...otherNames].map(parseName));
  const entries = await lookUpWords(db, wordsOf(spelled.flat()));
  const counts = new Map(entries.map(({ word, n }) => [word, n]));
  const weigh: Weigh = (word) => 1 / (1 + Math.log2(1 + (counts.get(word) ?? 0)));
  return Promise.all(
    asked.map(async (one, index) => {
      const names = spelled[index] ?? [];
      const identifiers = identifiersOf(one);
      const rows = new Map<string, FoundName>();
      for (const row of await searchAll(db, { names, entries, identifiers })) rows.set(row.id, row);
      return [...rows.values()].flatMap((row) => agree({ names, identifiers, row, weigh }) ?? []);
    }),
  );
}

function wordsOf(names: Name[]) {
  const keys = new Set(names.flatMap((name) => dictionaryWords(name).flatMap(keysOf)));
  return { keys: [...keys], words: [...new Set(names.flatMap(lookedUp))] };
}

async function searchAll(
  db: Executor,
  { names, entries, identifiers }: { names: Name[]; entries: Entry[]; identifiers: string[] },
): Promise<FoundName[]> {
  const found: FoundName[] = [];
  for (const [index, name] of names.entries()) {
    const plan = planSearch(name, entries);
    // With the first of its names is enough.
    found.push(
      ...(await searchNames(db, { ...plan, identifiers: index === 0 ? identifiers : [] })),
    );
  }
  return found;
}

type Compared = { names: Name[]; identifiers: string[]; row: FoundName; weigh: Weigh };

function agree({ names, identifiers, row, weigh }: Compared): Agreement | undefined {
  const shared = row.identifiers.find((identifier) => identifiers.includes(identifier));
  if (shared !== undefined) {
    const reason = shared.includes('@')
      ? `Same e-mail address: ${shared}.`
      : `Same phone number: +${shared}.`;
    return { row, match: 'identifier', score: 1, isWhole: true, reason };
  }
  const found = parseName(row.name);
  let best: { match: Match; asked: Name } | undefined;
  for (const asked of names) {
    const match = compareNames(asked, found, weigh);
    if (match && match.score > (best?.match.score ?? 0)) best = { match, asked };
  }
  if (!best) return undefined;
  const { match, score, isWhole } = best.match;
  return { row, match, score, isWhole, reason: explain(best.match, { asked: best.asked, found }) };
}
