import type { AskedName, HitMatch } from '@matterdesk/contract/conflicts.ts';
import { TimeSlices } from '../../../core/time-slices.ts';
import {
  listMatchingRows,
  listMatchingNames,
  lookUpWords,
  type FoundName,
  type NamePlan,
} from '../../../db/names.ts';
import type { Executor } from '../../../db/schema.ts';
import { Alternatives, planSearch } from './rules.index.ts';
import { identifiersOf, parseName, type Name } from './rules.names.ts';
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
type NameQuery = Pick<AskedName, 'name' | 'emails' | 'phoneNumbers' | 'otherNames'>;

/** Factor that leaves enough rows after those of the asked matter are dropped. */
const ENOUGH = 2;

/**
 * Rows that agree with each of the names, including those of walled matters: the caller decides who may see them. Of
 * equal rows there are enough for `most` hits.
 */
export async function findAgreements(
  db: Executor,
  asked: NameQuery[],
  most: number,
): Promise<Agreement[][]> {
  const slices = new TimeSlices();
  const spelled: Name[][] = [];
  for (const { name, otherNames } of asked)
    spelled.push(await slices.map([name, ...otherNames], parseName));
  const alternatives = new Alternatives();
  await slices.map(spelled.flat(), (name) => alternatives.ask(name));
  const entries = await lookUpWords(db, alternatives.asked);
  await slices.map(entries, (entry) => alternatives.offer(entry));
  const counts = new Map(entries.map(({ word, n }) => [word, n]));
  const weigh: Weigh = (word) => 1 / (1 + Math.log2(1 + (counts.get(word) ?? 0)));
  return Promise.all(
    asked.map(async (one, index) => {
      const names = spelled[index] ?? [];
      const plans = await slices.map(names, (name) => planSearch(name, alternatives));
      // The first plan alone searches by the identifiers, which all names share.
      const identified = plans.map((plan, at) => ({
        ...plan,
        identifiers: at === 0 ? identifiersOf(one) : [],
      }));
      return findAll(db, { names, plans: identified, weigh, most: most * ENOUGH, slices });
    }),
  );
}

type Find = { names: Name[]; plans: NamePlan[]; weigh: Weigh; most: number; slices: TimeSlices };

/** Compares each spelling once, as a judge's name appears in thousands of rows. */
async function findAll(
  db: Executor,
  { names, plans, weigh, most, slices }: Find,
): Promise<Agreement[]> {
  const compared = new Map<string, Comparison>();
  const found = new Map<string, Agreement>();
  const compare = async (spelling: string): Promise<Comparison> => {
    const known = compared.get(spelling);
    if (known !== undefined) return known;
    const comparison = await compareWith(names, spelling, { weigh, slices });
    compared.set(spelling, comparison);
    return comparison;
  };
  for (const plan of plans) {
    for (const spelling of await listMatchingNames(db, plan)) await compare(spelling);
    const agreeing = [...compared].filter(([, comparison]) => comparison !== null);
    const asked = { names: agreeing.map(([name]) => name), most };
    for (const row of await listMatchingRows(db, plan, asked)) {
      // Rows with an identifier have names beside the spellings.
      const comparison = await compare(row.name);
      const agreement = agree(row, { identifiers: plan.identifiers, comparison });
      if (agreement && !found.has(row.id)) found.set(row.id, agreement);
    }
  }
  return [...found.values()];
}

type Comparison = Omit<Agreement, 'row'> | null;

/** Compares a written name with the asked names, and keeps the best match. */
async function compareWith(
  names: Name[],
  written: string,
  { weigh, slices }: { weigh: Weigh; slices: TimeSlices },
): Promise<Comparison> {
  const found = parseName(written);
  let best: { match: Match; asked: Name } | undefined;
  for (const asked of names) {
    if (slices.isOver) await slices.next();
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
