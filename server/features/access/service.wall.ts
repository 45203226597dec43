import { HISTORY_SHOWN, type Access } from '@matterdesk/contract/access.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import { notFound, type Refusal } from '../../core/refusal.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Wall } from './rules.ts';
import * as named from './store.named.ts';
import * as store from './store.ts';

/** A matter with everybody whom its access names. */
export type Found = {
  matter: store.Matter;
  row: store.WalledRow;
  wall: Wall;
  assigned: store.Named[];
  named: named.NamedRow[];
};

export function unknown({ kind }: Pick<store.Matter, 'kind'>): Refusal {
  return notFound(kind === 'cases' ? 'Case' : 'Intake');
}

/** @throws Refusal notFound */
export async function readWall(db: Scoped, matter: store.Matter): Promise<Found> {
  const row = await store.findMatter(db, matter);
  if (!row) throw unknown(matter);
  const isCase = matter.kind === 'cases';
  const assigned = await (isCase ? store.listAssigned : store.listOwner)(db, matter.id);
  const openTo = isCase ? undefined : await store.listReaders(db, matter.id);
  const all = await named.listNamed(db, matter);
  const of = (kind: named.NamedRow['kind']) =>
    all.filter((one) => one.kind === kind).map(({ user_id: id }) => id);
  const wall = {
    mode: row.access,
    openTo,
    assigned: assigned.map(({ user_id: id }) => id),
    added: of('added'),
    screened: of('screened'),
  };
  return { matter, row, wall, assigned, named: all };
}

/** As it is shown: the assigned first, each person once, and the screened nowhere else. */
export async function toAccess(db: Scoped, found: Found): Promise<Access> {
  const { matter, row, wall, assigned } = found;
  const history = await named.listHistory(db, matter, HISTORY_SHOWN);
  const admitted = [
    ...assigned.map((one) => ({ person: toPerson(one), why: 'assigned' as const, until: null })),
    ...['added' as const, 'opened' as const].flatMap((why) =>
      found.named
        .filter(({ kind }) => kind === why)
        .map((one) => ({ person: toPerson(one), why, until: one.until?.toISOString() ?? null })),
    ),
  ];
  const seen = new Set(wall.screened);
  return {
    updatedAt: row.access_updated_at.toISOString(),
    mode: row.access,
    people: admitted.filter(({ person: { id } }) => !seen.has(id) && seen.add(id)),
    screened: found.named.filter(({ kind }) => kind === 'screened').map(toScreened),
    history: history.map((entry) => ({
      at: entry.at.toISOString(),
      by: toAuthor(entry),
      action: entry.action,
      people: entry.people,
      reason: entry.reason,
    })),
  };
}

function toScreened(row: named.NamedRow) {
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
