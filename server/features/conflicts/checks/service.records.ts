// Records as they are read: what was found, with what was decided since, through the reader's walls.

import type { Person } from '@matterdesk/contract/cases.ts';
import type { Check, Hit, MadeDecision } from '@matterdesk/contract/conflicts.ts';
import type { Context } from '../../../context.ts';
import * as rules from './rules.ts';
import { showHits } from './service.showing.ts';
import * as store from './store.ts';

/** Runs of one check that are looked through for earlier decisions. */
const RUNS = 20;

export async function readCheckRecord(
  context: Context,
  reader: { id: string },
  row: store.CheckRow,
): Promise<Check> {
  const [check] = await readCheckRecords(context, reader, [row]);
  if (!check) throw new Error('a check was lost');
  return check;
}

export async function readCheckRecords(
  context: Context,
  reader: { id: string },
  rows: store.CheckRow[],
): Promise<Check[]> {
  const db = context.db.as(reader);
  const entries = await store.listEntries(
    db,
    rows.map(({ id }) => id),
  );
  const checks: Check[] = [];
  for (const row of rows) {
    const own = entries.filter((entry) => entry.check_id === row.id);
    const before = await decidedBefore(context, reader, row);
    const made = madeOf(own);
    const hits = await showHits(context, reader, {
      hits: row.hits,
      decidedOf: (hit) => ({
        decisions: made.get(hit.id) ?? [],
        before: before.get(rules.keyOf(row.names[hit.name]?.name ?? '', hit)) ?? [],
      }),
    });
    checks.push(toCheck(row, own, { hits, answers: answersTo(hits, made) }));
  }
  return checks;
}

/** What was decided in the runs before, by the asked name and what was found. */
async function decidedBefore(context: Context, reader: { id: string }, row: store.CheckRow) {
  const db = context.db.as(reader);
  const found = new Map<string, MadeDecision[]>();
  let previous = row.rerun_of;
  for (let run = 0; previous !== null && run < RUNS; run += 1) {
    const earlier = await store.findCheck(db, previous);
    if (!earlier) break;
    const made = madeOf(await store.listEntries(db, [earlier.id]));
    for (const hit of earlier.hits) {
      const key = rules.keyOf(earlier.names[hit.name]?.name ?? '', hit);
      found.set(key, [...(made.get(hit.id) ?? []), ...(found.get(key) ?? [])]);
    }
    previous = earlier.rerun_of;
  }
  return found;
}

/** Decisions by hit, in the order in which they were made. */
export function madeOf(entries: store.EntryRow[]): Map<string, MadeDecision[]> {
  const made = new Map<string, MadeDecision[]>();
  for (const entry of entries) {
    if (entry.action !== 'decided') continue;
    const { hitIds, ...decision } = entry.body;
    const stamped = { ...decision, by: entry.by, at: entry.at.toISOString() };
    for (const id of hitIds) made.set(id, [...(made.get(id) ?? []), stamped]);
  }
  return made;
}

/** What was asked about hits that stayed hidden: what those decide who see them is not for others. */
function answersTo(hits: Hit[], made: Map<string, MadeDecision[]>): Check['answers'] {
  return hits
    .filter(({ severity }) => severity === 'hidden')
    .flatMap(({ id }) => (made.get(id) ?? []).map((one) => ({ ...one, hit: id })))
    .filter(({ decision }) => decision === 'asked');
}

function toCheck(
  row: store.CheckRow,
  entries: store.EntryRow[],
  shown: Pick<Check, 'hits' | 'answers'>,
): Check {
  const { id, number, at, by, names, searched, rerun_of: rerunOf } = row;
  return {
    id,
    number,
    at: at.toISOString(),
    by,
    names,
    subject: subjectOf(row),
    searched,
    ...shown,
    concluded: concludedOf(entries),
    rerunOf,
    sha256: entries.at(-1)?.hash ?? '',
  };
}

function subjectOf(row: store.CheckRow): Check['subject'] {
  if (row.intake_id !== null)
    return { kind: 'intakes', id: row.intake_id, name: row.intake_name ?? '' };
  if (row.case_id === null) return null;
  return { kind: 'cases', id: row.case_id, name: row.case_name ?? '' };
}

export function concludedOf(entries: store.EntryRow[]): Check['concluded'] {
  for (const entry of entries) {
    if (entry.action !== 'concluded') continue;
    const by: Person | null = entry.by;
    return { ...entry.body, by, at: entry.at.toISOString() };
  }
  return null;
}
