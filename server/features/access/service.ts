// Walls: who sees a matter. The database filters what is read; here the filter is changed.

import {
  type Access,
  type AccessChange,
  type AccessPreview,
  HISTORY_SHOWN,
  walledKinds,
} from '@matterdesk/contract/access.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { ActorContext } from '../../context.ts';
import { type Actor, allow } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, Refusal, notFound } from '../../core/refusal.ts';
import type { Scoped } from '../../db/schema.ts';
import { liftScope } from '../../db/scoped-query.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { cutPage, describeTotal, type PageQuery, readCursor, SERIAL } from '../../http/paging.ts';
import { listActiveUserIds, requireAssignable } from '../accounts/service.ts';
import { followWall } from '../contacts/service.sources.ts';
import * as rules from './rules.ts';
import { isInside, type Wall } from './rules.ts';
import * as store from './store.ts';

type AssignedMatter = { matter: store.Matter; assigned: string[] };

type RequestedChange = { matter: Matter; change: AccessChange };

const RANK = /^[01]$/;
const PAGE = 50;
const WHY = 'access to a matter is decided over all of its people';

/** Active people who manage walls, by their last names. */
export function listWallManagers(db: Scoped): Promise<Person[]> {
  return store.listWallManagers(db);
}

/** @throws Refusal notFound for the screened, and for those without access who do not manage walls */
export async function readAccess(context: ActorContext, matter: Matter): Promise<Access> {
  const db = context.db.asSystem(WHY);
  return toAccess(db, await findWall(db, context.actor, matter));
}

/** @throws Refusal notPermitted, notFound, conflict when access changed meanwhile or no one would keep it */
export async function changeAccess(
  context: ActorContext,
  matter: Matter,
  change: AccessChange,
): Promise<Access> {
  return context.writer.runAsSystem(context.actor, WHY, async (unit) => {
    const place = await applyAccess(unit, context.actor, { matter, change });
    return toAccess(unit.trx, await readWall(unit.trx, place));
  });
}

/** Changes access in the caller's transaction, which sees everything from here on. @throws as changeAccess does */
export async function applyAccess(
  unit: Unit,
  actor: Actor,
  asked: RequestedChange,
): Promise<store.Matter> {
  requireMayChange(actor);
  await liftScope(unit.trx, WHY);
  const { change } = asked;
  const { found, after } = await checkChange(unit, actor, asked);
  const { matter: place, wall: before } = found;
  const screened = new Map(change.screened.map(({ person, reason }) => [person, reason]));
  const { added, paused } = after;
  await store.replaceNamed(unit.trx, place, { added, screened, paused, by: actor.id });
  const kept = { access: after.mode, isWalled: rules.isWalled(after) };
  await store.updateMatter(unit.trx, place, kept);
  if (place.kind === 'cases') await followWall(unit, place.id);
  const reason = change.reason ?? '';
  const action = rules.nameOfChange(before, after);
  const people = rules.affectedPeople(before, after);
  await store.insertHistory(unit.trx, place, { by: actor.id, action, people, reason });
  await unit.record({ ...about(place, 'changed'), before, after: { ...after, reason } });
  announce(unit, place.id, [before, after]);
  return place;
}

/** Numbers of active people who would see the matter, and who would lose it. */
export async function previewAccess(
  context: ActorContext,
  matter: Matter,
  change: AccessChange,
): Promise<AccessPreview> {
  requireMayChange(context.actor);
  const { found, after, active } = await context.writer.runAsSystem(context.actor, WHY, (unit) =>
    checkChange(unit, context.actor, { matter, change }),
  );
  const sees = active.filter((id) => rules.isInside(after, id));
  const loses = active.filter((id) => rules.isInside(found.wall, id) && !sees.includes(id));
  return { sees: sees.length, loses: loses.length };
}

/** Matters with a wall, for those who manage walls. */
export async function listAccess(context: ActorContext, query: PageQuery) {
  allow(context.actor, 'manageWalls');
  const [rank, serial] = query.cursor ? readCursor(query.cursor, [RANK, SERIAL]) : [];
  const after = rank && serial ? { rank: Number(rank), serial } : undefined;
  const limit = query.limit ?? PAGE;
  const db = context.db.asSystem(WHY);
  const rows = await store.listWalled(db, context.actor.id, { limit: limit + 1, after });
  const { page, nextCursor } = cutPage(rows, limit, (row) => [String(row.rank), row.serial]);
  const counted = await store.countWalled(db, context.actor.id);
  return {
    matters: page.map(({ rank: _rank, serial: _serial, ...listed }) => listed),
    nextCursor,
    ...describeTotal(counted),
  };
}

/**
 * Checks a change of a walled matter's assignees: an active user must have access afterwards. Announces it to those
 * with access before or after.
 * @throws Refusal conflict
 */
export async function requireAssignment(
  unit: Unit,
  actor: Actor,
  { matter, assigned }: AssignedMatter,
): Promise<void> {
  const wall = await requireMayAssign(unit, actor, { matter, assigned });
  const out = assigned.find((id) => wall.screened.includes(id) && !wall.assigned.includes(id));
  const person = out === undefined ? undefined : await store.findPerson(unit.trx, out);
  if (person) throw isScreened(person);
  const active = await listActiveUserIds(unit.trx);
  const after = { ...wall, assigned };
  if (!active.some((id) => rules.isInside(after, id))) throw noOneLeft();
  announce(unit, matter.id, [wall, after]);
  await liftScope(unit.trx, 'a user who leaves a matter still gets the reply');
}

/** An assignment lets people in, which takes access that does not end. @throws Refusal notPermitted */
export async function requireMayAssign(
  unit: Unit,
  actor: Actor,
  { matter, assigned }: AssignedMatter,
) {
  const found = await readWall(unit.trx, matter);
  const active = await listActiveUserIds(unit.trx);
  if (rules.peopleLetIn(found.wall, assigned).length > 0 && !mayLetIn(actor, found, active))
    throw new Refusal('notPermitted');
  return found.wall;
}

async function checkChange(unit: Unit, actor: Actor, { matter, change }: RequestedChange) {
  await store.lockMatter(unit.trx, placeOf(matter));
  const found = await findWall(unit.trx, actor, matter);
  if (found.row.access_updated_at.toISOString() !== change.updatedAt)
    throw new Refusal('conflict', 'Access changed meanwhile. Please look again');
  const after = rules.changedWall(found.wall, change);
  await requirePeople(unit, found, after);
  if (rules.needsReason(found.wall, after) && !change.reason)
    throw invalidField('reason', 'Please enter a reason');
  const active = await listActiveUserIds(unit.trx);
  const isLettingIn = rules.letsIn(found.wall, after);
  if (rules.letsInSelf(found.wall, after, actor.id)) throw new Refusal('notPermitted');
  if (isLettingIn && !mayLetIn(actor, found, active)) throw new Refusal('notPermitted');
  if (!active.some((id) => rules.isInside(after, id))) throw noOneLeft();
  return { found, after, active };
}

async function requirePeople(unit: Unit, found: MatterAccess, after: rules.Wall): Promise<void> {
  const { added, screened: out } = found.wall;
  const lists = [
    { ids: after.added, path: 'people', already: added },
    { ids: after.screened, path: 'screened', already: out },
  ];
  for (const asked of lists) await requireAssignable(unit.trx, asked);
  const both = after.added.find((id) => after.screened.includes(id));
  const person = both === undefined ? undefined : await store.findPerson(unit.trx, both);
  if (person) throw isScreened(person);
}

/**
 * Those with access that does not end. Where no active person has it any more, those who opened the matter for a time, with
 * a reason.
 */
function mayLetIn(actor: Actor, { wall, named }: MatterAccess, active: string[]): boolean {
  if (rules.isInside(wall, actor.id)) return true;
  const hasOpened = named.some(({ user_id: id, kind }) => kind === 'opened' && id === actor.id);
  return hasOpened && !active.some((id) => rules.isInside(wall, id));
}

/** Changing access takes the right to change matters, or to manage walls. */
function requireMayChange({ permissions }: Actor) {
  if (!permissions.createCases && !permissions.manageWalls) throw new Refusal('notPermitted');
}

function isScreened(person: { first_name: string; last_name: string }): Refusal {
  const name = `${person.first_name} ${person.last_name}`;
  return new Refusal('conflict', `${name} is screened from this matter`);
}

function noOneLeft(): Refusal {
  return new Refusal('conflict', 'Somebody must keep access');
}

/** A matter as a route names it. */
export type Matter = { kind: string; id: string };

/** A matter with everyone whom its access names. */
export type MatterAccess = {
  matter: store.Matter;
  row: store.WalledRow;
  wall: Wall;
  assigned: store.NamedUser[];
  named: store.NamedRow[];
};

/** @throws Refusal notFound */
export async function readWall(db: Scoped, matter: store.Matter): Promise<MatterAccess> {
  const row = await store.findMatter(db, matter);
  if (!row) throw matterNotFound(matter);
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
async function toAccess(db: Scoped, found: MatterAccess): Promise<Access> {
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

/** A matter whose access the actor may not see counts as missing. @throws Refusal notFound */
export async function findWall(db: Scoped, actor: Actor, matter: Matter): Promise<MatterAccess> {
  const place = placeOf(matter);
  const found = await readWall(db, place);
  if (!maySeeAccess(actor, found)) throw matterNotFound(place);
  return found;
}

/** @throws Refusal notFound for an unknown kind of matter or an invalid id */
function placeOf({ kind, id }: Matter): store.Matter {
  const known = walledKinds.find((one) => one === kind);
  if (!known) throw notFound('Matter');
  if (!isId(id)) throw matterNotFound({ kind: known });
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

function matterNotFound({ kind }: Pick<store.Matter, 'kind'>): Refusal {
  return notFound(kind === 'cases' ? 'Case' : 'Intake');
}

/** Those of the matter's people who wait to be let in again. */
function pausedOf({ wall, assigned, named: all }: MatterAccess) {
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
function maySeeAccess(actor: Actor, { wall, named }: MatterAccess): boolean {
  if (wall.screened.includes(actor.id)) return false;
  if (actor.permissions.manageWalls || isInside(wall, actor.id)) return true;
  return named.some(({ user_id: id, kind }) => kind === 'opened' && id === actor.id);
}
