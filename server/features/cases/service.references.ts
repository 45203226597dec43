// Finds the case that a letter refers to: first by its number, then by its parties.

import { normalized } from '@matterdesk/contract/normalization.ts';
import { type ActorContext, asActor } from '../../context.ts';
import type { Scoped } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';
import * as store from './store.ts';

/** Parts of a letter that may identify a case. */
type References = {
  /** Possible case numbers. */
  numbers: string[];
  emails: string[];
  names: string[];
};

type ReferencedCase = {
  id: string;
  caseName: string;
  caseNo: string | null;
  by: 'number' | 'clientEmail' | 'counselEmail' | 'clientName' | 'counselName';
};

export async function findReferencedCase(
  context: ActorContext,
  { numbers, emails, names }: References,
): Promise<ReferencedCase | undefined> {
  const db = asActor(context);
  const byNumber = await findByNumber(db, numbers);
  if (byNumber) return toFound(byNumber, 'number');
  const addresses = emails.map((email) => email.toLowerCase());
  const people = names.map((name) => normalized(name).toLowerCase());
  const steps = [
    ['clientEmail', 'client_email', addresses],
    ['counselEmail', 'counsel_email', addresses],
    ['clientName', 'client_name', people],
    ['counselName', 'counsel_name', people],
  ] as const;
  for (const [by, column, words] of steps) {
    if (words.length === 0) continue;
    const [row] = await store.findByPerson(db, column, words);
    if (row) return toFound(row, by);
  }
  return undefined;
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
async function findByNumber(
  db: Scoped,
  numbers: string[],
): Promise<store.ReferencedRow | undefined> {
  if (numbers.length === 0) return undefined;
  const rows = await store.findByNumber(db, numbers.map(fold));
  const lengthOf = ({ case_no_key: key }: store.ReferencedRow) => key?.length ?? 0;
  return rows.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
}

function toFound(row: store.ReferencedRow, by: ReferencedCase['by']): ReferencedCase {
  return { id: row.id, caseName: row.case_name, caseNo: row.case_no, by };
}
