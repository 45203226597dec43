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
    asked.map((one, index) => findAll(db, { one, names: spelled[index] ?? [], entries, weigh })),
  );
}

type Find = { one: Asked; names: Name[]; entries: Entry[]; weigh: Weigh };

/** Compares piece by piece: a common name may have as many rows as the firm has matters. */
async function findAll(db: Executor, { one, names, entries, weigh }: Find): Promise<Agreement[]> {
  const identifiers = identifiersOf(one);
  const found = new Map<string, Agreement>();
  for (const [index, name] of names.entries()) {
    // With the first of its names is enough.
    const plan = { ...planSearch(name, entries), identifiers: index === 0 ? identifiers : [] };
    for await (const rows of searchNames(db, plan))
      for (const row of rows) {
        const agreement = found.has(row.id) ? undefined : agree({ names, identifiers, row, weigh });
        if (agreement) found.set(row.id, agreement);
      }
  }
  return [...found.values()];
}

function wordsOf(names: Name[]) {
  const keys = new Set(names.flatMap((name) => dictionaryWords(name).flatMap(keysOf)));
  return { keys: [...keys], words: [...new Set(names.flatMap(lookedUp))] };
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
