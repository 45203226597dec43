import { type Access, HISTORY_SHOWN, walledKinds } from '@matterdesk/contract/access.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Actor } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import { notFound, type Refusal } from '../../core/refusal.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { isInside, type Wall } from './rules.ts';
import * as store from './store.ts';

/** A matter as a route names it. */
export type Matter = { kind: string; id: string };

/** A matter with everyone whom its access names. */
export type Found = {
  matter: store.Matter;
  row: store.WalledRow;
  wall: Wall;
  assigned: store.Named[];
  named: store.NamedRow[];
};

/** @throws Refusal notFound */
export async function readWall(db: Scoped, matter: store.Matter): Promise<Found> {
  const row = await store.findMatter(db, matter);
  if (!row) throw unknown(matter);
  const isCase = matter.kind === 'cases';
  const assigned = await (isCase ? store.listAssigned : store.listOwner)(db, matter.id);
  const openTo = isCase ? undefined : await store.listReaders(db, matter.id);
  const all = await store.listNamed(db, matter);
  const of = (kind: store.NamedRow['kind']) =>
    all.filter((one) => one.kind === kind).map(({ user_id: id }) => id);
  const wall = {
    mode: row.access,
    openTo,
    assigned: assigned.map(({ user_id: id }) => id),
    added: of('added'),
    screened: of('screened'),
    paused: of('paused'),
  };
  return { matter, row, wall, assigned, named: all };
}

/** Access as it is shown: the assigned first, each person once, and the screened nowhere else. */
export async function toAccess(db: Scoped, found: Found): Promise<Access> {
  const { matter, row, wall, assigned } = found;
  const history = await store.listHistory(db, matter, HISTORY_SHOWN);
  const admitted = [
    ...assigned.map((one) => ({ person: toPerson(one), why: 'assigned' as const, until: null })),
    ...['added' as const, 'opened' as const].flatMap((why) =>
      found.named
        .filter(({ kind }) => kind === why)
        .map((one) => ({ person: toPerson(one), why, until: one.until?.toISOString() ?? null })),
    ),
  ];
  const paused = pausedOf(found);
  const seen = new Set([...wall.screened, ...wall.paused]);
  return {
    updatedAt: row.access_updated_at.toISOString(),
    mode: row.access,
    people: admitted.filter(
      ({ why, person: { id } }) =>
        (!seen.has(id) || (why === 'opened' && wall.paused.includes(id))) && seen.add(id),
    ),
    ...(paused.length > 0 && { paused }),
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

/** A person's own access decides whether there is a matter to speak of. @throws Refusal notFound */
export async function findWall(db: Scoped, actor: Actor, matter: Matter): Promise<Found> {
  const place = placeOf(matter);
  const found = await readWall(db, place);
  if (!maySeeAccess(actor, found)) throw unknown(place);
  return found;
}

/** @throws Refusal notFound for what is no kind of matter, or no id */
export function placeOf({ kind, id }: Matter): store.Matter {
  const known = walledKinds.find((one) => one === kind);
  if (!known) throw notFound('Matter');
  if (!isId(id)) throw unknown({ kind: known });
  return { kind: known, id };
}

/** The subject in the audit log. An intake’s entries hold no values, so that erasing it leaves none there. */
export function about({ kind, id }: store.Matter, action: 'changed' | 'opened') {
  return kind === 'cases'
    ? ({ entity: 'access', action, entityId: id, caseId: id } as const)
    : ({ entity: 'intake', action: `access ${action}`, entityId: id } as const);
}

/** Notifies both those who lose the matter and those who gain it. */
export function announce(unit: Unit, id: string, walls: Wall[]) {
  unit.emit('access.changed', { id }, { audience: audienceOf(walls) });
}

export function audienceOf(walls: Wall[], permission?: 'manageWalls') {
  const screened = (walls[0]?.screened ?? []).filter((id) =>
    walls.every((wall) => wall.screened.includes(id)),
  );
  if (walls.some(({ mode, openTo }) => mode === 'open' && !openTo)) return { except: screened };
  const userIds = walls.flatMap(({ mode, openTo = [], assigned, added }) => [
    ...assigned,
    ...added,
    ...(mode === 'open' ? openTo : []),
  ]);
  const inside = [...new Set(userIds)].filter((id) => !screened.includes(id));
  return permission ? { userIds: inside, permission, except: screened } : { userIds: inside };
}

function unknown({ kind }: Pick<store.Matter, 'kind'>): Refusal {
  return notFound(kind === 'cases' ? 'Case' : 'Intake');
}

/** Those of the matter's people who wait to be let in again. */
function pausedOf({ wall, assigned, named: all }: Found) {
  const isAssigned = (id: string) => assigned.some(({ user_id: userId }) => userId === id);
  return all
    .filter(({ kind, user_id: id }) => kind === 'paused' && !wall.screened.includes(id))
    .filter(({ user_id: id }) => isAssigned(id) || wall.added.includes(id))
    .map((row) => ({
      person: toPerson(row),
      why: isAssigned(row.user_id) ? ('assigned' as const) : ('added' as const),
      by: toAuthor(row),
      at: row.at.toISOString(),
    }));
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

/** Those with access, and outside of it those who manage walls; the screened never. */
function maySeeAccess(actor: Actor, { wall, named }: Found): boolean {
  if (wall.screened.includes(actor.id)) return false;
  if (actor.permissions.manageWalls || isInside(wall, actor.id)) return true;
  return named.some(({ user_id: id, kind }) => kind === 'opened' && id === actor.id);
}
