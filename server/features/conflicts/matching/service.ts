import { setImmediate } from 'node:timers/promises';
import type { AskedName, HitMatch } from '@matterdesk/contract/conflicts.ts';
import {
  listPlaces,
  listSpellings,
  lookUpWords,
  type FoundName,
  type NamePlan,
} from '../../../db/names.ts';
import type { Executor } from '../../../db/schema.ts';
import { dictionaryWords, lookedUp, planSearch } from './rules.index.ts';
import { identifiersOf, parseName, type Name } from './rules.names.ts';
import { keysOf } from './rules.spelling.ts';
import { explain, compareNames, type Match, type Weigh } from './rules.ts';

/** A row that agrees with one of the asked names. */
export type Agreement = {
  row: FoundName;
  match: HitMatch;
  /** 0 to 1. */
  score: number;
  /** Whether the whole name agrees, or an email address or phone number. */
  isWhole: boolean;
  reason: string;
};
type Asked = Pick<AskedName, 'name' | 'emails' | 'phoneNumbers' | 'otherNames'>;

/** Spellings compared before other work gets its turn. */
const BATCH = 500;
/** Factor that leaves enough rows after those of the asked matter are dropped. */
const ENOUGH = 2;

/**
 * Rows that agree with each of the names, including those of walled matters: the caller decides who may see them. Of
 * equal rows there are enough for `most` hits.
 */
export async function findAgreements(
  db: Executor,
  asked: Asked[],
  most: number,
): Promise<Agreement[][]> {
  const spelled = asked.map(({ name, otherNames }) => [name, ...otherNames].map(parseName));
  const entries = await lookUpWords(db, wordsOf(spelled.flat()));
  const counts = new Map(entries.map(({ word, n }) => [word, n]));
  const weigh: Weigh = (word) => 1 / (1 + Math.log2(1 + (counts.get(word) ?? 0)));
  return Promise.all(
    asked.map((one, index) => {
      const names = spelled[index] ?? [];
      const plans = names.map((name, at) => ({
        ...planSearch(name, entries),
        // Once is enough.
        identifiers: at === 0 ? identifiersOf(one) : [],
      }));
      return findAll(db, { names, plans, weigh, most: most * ENOUGH });
    }),
  );
}

type Find = { names: Name[]; plans: NamePlan[]; weigh: Weigh; most: number };

/** Compares each spelling once, as a judge's name appears in thousands of rows. */
async function findAll(db: Executor, { names, plans, weigh, most }: Find): Promise<Agreement[]> {
  const compared = new Map<string, Comparison>();
  const found = new Map<string, Agreement>();
  const compare = (spelling: string): Comparison => {
    const known = compared.get(spelling);
    if (known !== undefined) return known;
    const comparison = compareWith(names, spelling, weigh);
    compared.set(spelling, comparison);
    return comparison;
  };
  for (const plan of plans) {
    for (const [at, spelling] of (await listSpellings(db, plan)).entries()) {
      if (at % BATCH === BATCH - 1) await setImmediate();
      compare(spelling);
    }
    const agreeing = [...compared].filter(([, comparison]) => comparison !== null);
    const asked = { names: agreeing.map(([name]) => name), most };
    for (const row of await listPlaces(db, plan, asked)) {
      // Rows with an identifier have names beside the spellings.
      const comparison = compare(row.name);
      const agreement = agree(row, { identifiers: plan.identifiers, comparison });
      if (agreement && !found.has(row.id)) found.set(row.id, agreement);
    }
  }
  return [...found.values()];
}

function wordsOf(names: Name[]) {
  const keys = new Set(names.flatMap((name) => dictionaryWords(name).flatMap(keysOf)));
  return { keys: [...keys], words: [...new Set(names.flatMap(lookedUp))] };
}

type Comparison = Omit<Agreement, 'row'> | null;

/** Compares a written name with the asked names, and keeps the best match. */
function compareWith(names: Name[], written: string, weigh: Weigh): Comparison {
  const found = parseName(written);
  let best: { match: Match; asked: Name } | undefined;
  for (const asked of names) {
    const match = compareNames(asked, found, weigh);
    if (match && match.score > (best?.match.score ?? 0)) best = { match, asked };
  }
  if (!best) return null;
  const { match, score, isWhole } = best.match;
  return { match, score, isWhole, reason: explain(best.match, { asked: best.asked, found }) };
}

function agree(
  row: FoundName,
  { identifiers, comparison }: { identifiers: string[]; comparison: Comparison },
): Agreement | undefined {
  const shared = row.identifiers.find((identifier) => identifiers.includes(identifier));
  if (shared !== undefined) {
    const reason = shared.includes('@')
      ? `Same email address: ${shared}.`
      : `Same phone number: +${shared}.`;
    return { row, match: 'identifier', score: 1, isWhole: true, reason };
  }
  return comparison ? { row, ...comparison } : undefined;
}
