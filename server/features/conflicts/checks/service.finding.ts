// Searches all names, past the walls. What a reader sees of it is decided when it is read.

import { randomUUID } from 'node:crypto';
import type { AskedName, Source } from '@matterdesk/contract/conflicts.ts';
import { type Context, perContext } from '../../../context.ts';
import { countNames } from '../../../db/names.ts';
import { findAgreements, type Agreement } from '../matching/service.ts';
import * as rules from './rules.ts';
import { nothing, toCase, toFile, toHits, type Facts } from './service.hits.ts';
import * as facts from './store.facts.ts';

/** The matter or intake that a check is about: its own names are no hits. */
export type Subject = { caseId: string | null; intakeId: string | null };
type Asked = { names: AskedName[]; subject: Subject; withTexts: boolean; most: number };

const WHY = 'a conflict check that left out walled matters would be wrong silently';

const dbOf = perContext((context) => context.db.asSystem(WHY));
/* CONSTRUCTOR
this.#db = db.asSystem(WHY);
*/

/** Whole hits, by name and worst first. @param asked.most hits of one name */
export async function searchNames(
  context: Context,
  { names, subject, withTexts, most }: Asked,
): Promise<rules.KeptHit[]> {
  const agreements = await findAgreements(dbOf(context), names, most);
  const others = agreements.map((found) => found.filter((one) => !isOwn(one, subject)));
  const known = await factsOf(context, others.flat());
  const hits: rules.KeptHit[] = [];
  for (const [index, name] of names.entries()) {
    const naming = { name, index, known, subject };
    const found = (others[index] ?? []).flatMap((one) => toHits(one, naming));
    if (withTexts) found.push(...(await findInTexts(context, name.name, { index, ...subject })));
    hits.push(...rules.withoutRepeats(found).slice(0, most));
  }
  return hits;
}

async function factsOf(context: Context, found: Agreement[]): Promise<Facts> {
  const caseIds = new Set(found.flatMap(({ row }) => row.case_id ?? []));
  const fileIds = found.flatMap(({ row }) => (row.source === 'fileNames' ? row.source_id : []));
  const intakeIds = new Set(found.flatMap(({ row }) => row.intake_id ?? []));
  const contactIds = new Set(found.flatMap(({ row }) => row.contact_id ?? []));
  const [cases, files, intakes, standings] = await Promise.all([
    facts.listCases(dbOf(context), [...caseIds]),
    facts.listFiles(dbOf(context), fileIds),
    facts.listIntakes(dbOf(context), [...intakeIds]),
    facts.listStandings(dbOf(context), [...contactIds]),
  ]);
  return {
    cases: new Map(cases.map((row) => [row.id, row])),
    files: new Map(files.map((row) => [row.id, row])),
    intakes: new Map(intakes.map((row) => [row.id, row])),
    standings: Map.groupBy(standings, ({ asked }) => asked),
  };
}

async function findInTexts(
  context: Context,
  name: string,
  { index, caseId }: Subject & { index: number },
): Promise<rules.KeptHit[]> {
  const files = await facts.findInTexts(dbOf(context), name);
  const others = files.filter((file) => file.case_id !== caseId);
  const ids = [...new Set(others.map((file) => file.case_id))];
  const cases = new Map((await facts.listCases(dbOf(context), ids)).map((row) => [row.id, row]));
  return others.map((file) => ({
    id: randomUUID(),
    name: index,
    severity: 'mention',
    match: 'exact',
    score: 0.5,
    reason: 'The name appears in a file, not among the parties.',
    isWhole: true,
    found: {
      ...nothing,
      name,
      role: 'text',
      source: 'texts',
      case: toCase(cases.get(file.case_id)),
      file: toFile(file),
    },
    of: { source: 'texts', id: file.id, ownerId: null, fileId: file.id },
  }));
}

/** How many names each source has. */
export async function countSources(
  context: Context,
  withTexts: boolean,
): Promise<{ source: Source; count: number }[]> {
  const [counts, texts] = await Promise.all([
    countNames(dbOf(context)),
    withTexts ? facts.countTexts(dbOf(context)) : undefined,
  ]);
  return texts === undefined ? counts : [...counts, { source: 'texts', count: texts }];
}

function isOwn({ row }: Agreement, { caseId, intakeId }: Subject): boolean {
  return (
    (caseId !== null && row.case_id === caseId) || (intakeId !== null && row.intake_id === intakeId)
  );
}
