// Entries from which tasks, events and deadlines are made.

import { isId } from '../../core/ids.ts';
import { invalidField } from '../../core/refusal.ts';
import type { Scoped } from '../../db/schema.ts';
import { hasEntry } from './store.entries.ts';

type Made = {
  caseId: string | null | undefined;
  source: { type: string; id: string } | null | undefined;
};

/** @throws Refusal invalidInput for an entry that is not in this matter, was deleted, or that the caller does not see */
export async function requireSource(db: Scoped, { caseId, source }: Made): Promise<void> {
  if (source?.type !== 'entry') return;
  const { id } = source;
  const isKnown = isId(id) && !!caseId && isId(caseId) && (await hasEntry(db, caseId, id));
  if (!isKnown) throw invalidField('source', 'Please select an entry of this matter');
}
