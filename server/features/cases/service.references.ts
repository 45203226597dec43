// Finds the case that a letter refers to: first by its number, then by its parties.

import { normalized } from '@matterdesk/contract/normalization.ts';
import { type ActorContext, asActor } from '../../context.ts';
import type { Scoped } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';
import { bare, runs } from '../../integrations/mime/clues.ts';
import { MAX_SHARING, type PartyClue, partyClues, type ReferencedRow } from './store.references.ts';
import * as references from './store.references.ts';
import * as store from './store.ts';

/** Parts of a letter that may identify a case. */
type References = {
  subject: string;
  /** Possible case numbers. */
  numbers: string[];
  emails: string[];
  names: string[];
};

type ReferencedCase = {
  id: string;
  caseName: string;
  caseNo: string | null;
  by: 'number' | 'caseName' | PartyClue;
};

/** Characters and words of a subject, and words of a case's name in it. */
const MAX_SUBJECT = 500;
const MAX_SUBJECT_WORDS = 40;
const [FEWEST_WORDS, MOST_WORDS] = [2, 14];

/** None where the letter fits several: a wrong case is worse than none. */
export async function findReferencedCase(
  context: ActorContext,
  { subject, numbers, emails, names }: References,
): Promise<ReferencedCase | undefined> {
  const db = asActor(context);
  const byNumber = await findByNumber(db, numbers);
  if (byNumber) return toFound(byNumber, 'number');
  const byName = await findByName(db, subject);
  if (byName) return toFound(byName, 'caseName');
  return findByParties(db, {
    emails: emails.map((email) => email.toLowerCase()),
    names: names.map((name) => normalized(name).toLowerCase()),
  });
}

/** The only case with the longest name that the subject holds; an active one before those in the archive. */
async function findByName(db: Scoped, subject: string): Promise<ReferencedRow | undefined> {
  const keys = nameKeysIn(subject);
  if (keys.length === 0) return undefined;
  const rows = await references.findByName(db, keys);
  if (rows.length > MAX_SHARING) return undefined;
  const longest = Math.max(...rows.map(({ case_name: name }) => name.length));
  return onlyOne(rows.filter(({ case_name: name }) => name.length === longest));
}

/** Runs of words that may be a case's name, in lower case. */
function nameKeysIn(subject: string): string[] {
  const words = normalized(subject).slice(0, MAX_SUBJECT).split(/\s+/).slice(0, MAX_SUBJECT_WORDS);
  const keys = runs(words, FEWEST_WORDS, MOST_WORDS).flatMap((run) => {
    const name = bare(run);
    // A full stop ends a sentence, or 'Inc.'.
    return run.includes(`${name}.`) ? [name, `${name}.`] : [name];
  });
  return [...new Set(keys.map((key) => key.toLowerCase()))];
}

/** The only case of the first person that does not point to too many, among those that the others fit. */
async function findByParties(
  db: Scoped,
  people: { emails: string[]; names: string[] },
): Promise<ReferencedCase | undefined> {
  const found = await references.findByParties(db, people);
  const first = [...found].find(([, { length }]) => length > 0 && length <= MAX_SHARING);
  if (!first) return undefined;
  let [by, left] = first;
  for (const clue of partyClues) {
    const fitting = left.filter((row) => row[clue]);
    if (fitting.length === 0 || fitting.length === left.length) continue;
    [by, left] = [clue, fitting];
  }
  const row = onlyOne(left);
  return row && toFound(row, by);
}

function onlyOne(rows: readonly ReferencedRow[]): ReferencedRow | undefined {
  const active = rows.filter(({ status_type: status }) => status === 'Active');
  const found = active.length > 0 ? active : rows;
  return found.length === 1 ? found[0] : undefined;
}

/**
 * Those of some ids whose case the caller does not see. @param isPlanned takes an id that no case has for one to come
 */
export async function listHidden(
  context: ActorContext,
  ids: readonly string[],
  { isPlanned }: { isPlanned: boolean },
): Promise<Set<string>> {
  const seen = await store.listKnown(asActor(context), ids);
  const others = ids.filter((id) => !seen.has(id));
  if (!isPlanned || others.length === 0) return new Set(others);
  return store.listKnown(context.db.asSystem('what is behind a wall is not found'), others);
}

/** The longest number, since shorter ones may be its prefix. */
async function findByNumber(db: Scoped, numbers: string[]): Promise<ReferencedRow | undefined> {
  if (numbers.length === 0) return undefined;
  const rows = await references.findByNumber(db, numbers.map(fold));
  const lengthOf = ({ case_no_key: key }: ReferencedRow) => key?.length ?? 0;
  return rows.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
}

function toFound(row: ReferencedRow, by: ReferencedCase['by']): ReferencedCase {
  return { id: row.id, caseName: row.case_name, caseNo: row.case_no, by };
}
