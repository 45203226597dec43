import { HISTORY_SHOWN, type Access } from '@matterdesk/contract/access.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import { notFound } from '../../core/refusal.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Wall } from './rules.ts';
import * as store from './store.ts';

/** A matter with everybody whom its access names. */
export type Found = {
  row: store.WalledRow;
  wall: Wall;
  assigned: Awaited<ReturnType<typeof store.listAssigned>>;
  named: store.NamedRow[];
};

/** @throws Refusal notFound */
export async function readWall(db: Scoped, caseId: string): Promise<Found> {
  const row = await store.findMatter(db, caseId);
  if (!row) throw notFound('Case');
  const assigned = await store.listAssigned(db, caseId);
  const named = await store.listNamed(db, caseId);
  const of = (kind: store.NamedRow['kind']) =>
    named.filter((one) => one.kind === kind).map(({ user_id: id }) => id);
  const wall = {
    mode: row.access,
    assigned: assigned.map(({ user_id: id }) => id),
    added: of('added'),
    screened: of('screened'),
  };
  return { row, wall, assigned, named };
}

/** As it is shown: the assigned first, each person once, and the screened nowhere else. */
export async function toAccess(db: Scoped, found: Found): Promise<Access> {
  const { row, wall, assigned, named } = found;
  const history = await store.listHistory(db, row.id, HISTORY_SHOWN);
  const admitted = [
    ...assigned.map((one) => ({ person: toPerson(one), why: 'assigned' as const, until: null })),
    ...['added' as const, 'opened' as const].flatMap((why) =>
      named
        .filter(({ kind }) => kind === why)
        .map((one) => ({ person: toPerson(one), why, until: one.until?.toISOString() ?? null })),
    ),
  ];
  const seen = new Set(wall.screened);
  return {
    updatedAt: row.access_updated_at.toISOString(),
    mode: row.access,
    people: admitted.filter(({ person: { id } }) => !seen.has(id) && seen.add(id)),
    screened: named.filter(({ kind }) => kind === 'screened').map(toScreened),
    history: history.map((entry) => ({
      at: entry.at.toISOString(),
      by: toAuthor(entry),
      action: entry.action,
      people: entry.people,
      reason: entry.reason,
    })),
  };
}

function toScreened(row: store.NamedRow) {
  return { person: toPerson(row), reason: row.reason, by: toAuthor(row), at: row.at.toISOString() };
}

function toPerson(row: { user_id: string; first_name: string; last_name: string }): Person {
  return { id: row.user_id, firstName: row.first_name, lastName: row.last_name };
}

function toAuthor(row: {
  by_id: string | null;
  by_first_name: string | null;
  by_last_name: string | null;
}): Person | null {
  const { by_id: id, by_first_name: firstName, by_last_name: lastName } = row;
  return id && firstName !== null && lastName !== null ? { id, firstName, lastName } : null;
}
