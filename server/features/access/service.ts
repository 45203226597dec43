import {
  walledKinds,
  type Access,
  type AccessChange,
  type AccessPreview,
  type Glass,
} from '@matterdesk/contract/access.ts';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { allow, type Actor } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import type { Database, Scoped } from '../../db/schema.ts';
import { liftScope } from '../../db/scoped-query.ts';
import type { Unit, Writer } from '../../db/unit-of-work.ts';
import { cutPage, describeTotal, readCursor, type PageQuery } from '../../http/paging.ts';
import type { AccountService } from '../accounts/service.ts';
import * as rules from './rules.ts';
import { readWall, toAccess, unknown, type Found } from './service.wall.ts';
import * as named from './store.named.ts';
import * as store from './store.ts';

/** As a route names it. */
export type Matter = { kind: string; id: string };

type Asked = { actor: Actor; matter: Matter; change: AccessChange };

const RANK = /^[01]$/;
const SERIAL = /^\d{1,18}$/;
const PAGE = 50;
const WHY = 'access to a matter is decided over all of its people';

/** Walls: who sees a matter. The database filters what is read; here the filter is changed. */
export class AccessService {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #accounts: AccountService;

  constructor(db: Database, writer: Writer, accounts: AccountService) {
    this.#db = db;
    this.#writer = writer;
    this.#accounts = accounts;
  }

  /** @throws Refusal notFound for the screened, and for those without access who do not manage walls */
  async readAccess(actor: Actor, matter: Matter): Promise<Access> {
    const db = this.#db.asSystem(WHY);
    return toAccess(db, await this.#find(db, actor, matter));
  }

  /** @throws Refusal notPermitted, notFound, conflict when access changed meanwhile or no one would keep it */
  async changeAccess(actor: Actor, matter: Matter, change: AccessChange): Promise<Access> {
    requireHand(actor);
    return this.#writer.runAsSystem(actor, WHY, async (unit) => {
      const { found, after } = await this.#weigh(unit, { actor, matter, change });
      const { matter: place, wall: before } = found;
      const screened = new Map(change.screened.map(({ person, reason }) => [person, reason]));
      await named.replaceNamed(unit.trx, place, { added: after.added, screened, by: actor.id });
      const kept = { access: after.mode, isWalled: rules.isWalled(after) };
      await store.updateMatter(unit.trx, place, kept);
      const reason = change.reason ?? '';
      const action = rules.nameOfChange(before, after);
      const people = rules.affected(before, after);
      await named.insertHistory(unit.trx, place, { by: actor.id, action, people, reason });
      await unit.record({ ...about(place, 'changed'), before, after: { ...after, reason } });
      announce(unit, place.id, [before, after]);
      return toAccess(unit.trx, await readWall(unit.trx, place));
    });
  }

  /** Numbers of active people who would see the matter, and who would lose it. */
  async previewAccess(actor: Actor, matter: Matter, change: AccessChange): Promise<AccessPreview> {
    requireHand(actor);
    const { found, after, active } = await this.#writer.runAsSystem(actor, WHY, (unit) =>
      this.#weigh(unit, { actor, matter, change }),
    );
    const sees = active.filter((id) => rules.isInside(after, id));
    const loses = active.filter((id) => rules.isInside(found.wall, id) && !sees.includes(id));
    return { sees: sees.length, loses: loses.length };
  }

  /** Everything that a change must pass before it is written. */
  async #weigh(unit: Unit, { actor, matter, change }: Asked) {
    await store.lockMatter(unit.trx, placeOf(matter));
    const found = await this.#find(unit.trx, actor, matter);
    if (found.row.access_updated_at.toISOString() !== change.updatedAt)
      throw new Refusal('conflict', 'Access changed meanwhile. Please look again');
    const after = rules.changedWall(found.wall, change);
    await this.#requirePeople(unit, found, after);
    if (rules.needsReason(found.wall, after) && !change.reason)
      throw invalidField('reason', 'Please enter a reason');
    if (!rules.isInside(found.wall, actor.id) && rules.isInside(after, actor.id))
      throw new Refusal('notPermitted');
    const active = await store.listActivePeople(unit.trx);
    if (!active.some((id) => rules.isInside(after, id))) throw noOneLeft();
    return { found, after, active };
  }

  async #requirePeople(unit: Unit, found: Found, after: rules.Wall): Promise<void> {
    const { added, screened: out } = found.wall;
    const lists = [
      { ids: after.added, path: 'people', already: added },
      { ids: after.screened, path: 'screened', already: out },
    ];
    for (const asked of lists) await this.#accounts.requireAssignable(unit.trx, asked);
    const both = after.added.find((id) => after.screened.includes(id));
    const person = both === undefined ? undefined : await store.findPerson(unit.trx, both);
    if (person) throw isScreened(person);
  }

  /** A person's own access decides whether there is a matter to speak of. */
  async #find(db: Scoped, actor: Actor, matter: Matter): Promise<Found> {
    const place = placeOf(matter);
    const found = await readWall(db, place);
    if (!mayLook(actor, found)) throw unknown(place);
    return found;
  }

  /** Matters with a wall, for those who manage walls. */
  async listAccess(actor: Actor, query: PageQuery) {
    allow(actor, 'manageWalls');
    const [rank, serial] = query.cursor ? readCursor(query.cursor, [RANK, SERIAL]) : [];
    const after = rank && serial ? { rank: Number(rank), serial } : undefined;
    const limit = query.limit ?? PAGE;
    const db = this.#db.asSystem(WHY);
    const rows = await store.listWalled(db, actor.id, { limit: limit + 1, after });
    const { page, nextCursor } = cutPage(rows, limit, (row) => [String(row.rank), row.serial]);
    const counted = await store.countWalled(db, actor.id, TOTAL_CAP + 1);
    return {
      matters: page.map(({ rank: _rank, serial: _serial, ...listed }) => listed),
      nextCursor,
      ...describeTotal(counted),
    };
  }

  /** Lets the caller see a matter for some hours; everyone with access is notified. */
  async openAccess(actor: Actor, matter: Matter, { reason, hours }: Glass): Promise<Date> {
    allow(actor, 'manageWalls');
    return this.#writer.runAsSystem(actor, WHY, async (unit) => {
      const { matter: place, wall } = await this.#find(unit.trx, actor, matter);
      const opening = { userId: actor.id, reason, hours };
      const until = await named.insertOpening(unit.trx, place, opening);
      const entry = { action: 'glassOpened', people: [actor.id], reason } as const;
      await named.insertHistory(unit.trx, place, { by: actor.id, ...entry });
      const after = { reason, until: until.toISOString() };
      await unit.record({ ...about(place, 'opened'), after });
      const { id, firstName, lastName } = actor;
      const opened = { id: place.id, person: { id, firstName, lastName }, until: after.until };
      unit.emit('access.opened', opened, { audience: audienceOf([wall], 'manageWalls') });
      unit.emit('access.changed', { id: place.id }, { audience: { userIds: [id] } });
      return until;
    });
  }

  /** Notifies the users whose openings have ended; their pages then close. */
  async endOpenings(): Promise<void> {
    await this.#writer.runAsSystem(null, 'openings end by themselves', async (unit) => {
      for (const kind of walledKinds)
        for (const { id, user_id: userId } of await named.takeEnded(unit.trx, kind))
          unit.emit('access.changed', { id }, { audience: { userIds: [userId] } });
    });
  }

  /**
   * Before a walled matter's people are assigned anew: someone must stay, and those who come or go are notified.
   * @throws Refusal conflict
   */
  async requireAssignment(unit: Unit, matter: store.Matter, assigned: string[]): Promise<void> {
    const { wall } = await readWall(unit.trx, matter);
    const out = assigned.find((id) => wall.screened.includes(id) && !wall.assigned.includes(id));
    const person = out === undefined ? undefined : await store.findPerson(unit.trx, out);
    if (person) throw isScreened(person);
    const active = await store.listActivePeople(unit.trx);
    const after = { ...wall, assigned };
    if (!active.some((id) => rules.isInside(after, id))) throw noOneLeft();
    announce(unit, matter.id, [wall, after]);
    await liftScope(unit.trx, 'a user who leaves a matter still gets the reply');
  }
}

/** @throws Refusal notFound for what is no kind of matter, or no id */
function placeOf({ kind, id }: Matter): store.Matter {
  const known = walledKinds.find((one) => one === kind);
  if (!known) throw notFound('Matter');
  if (!isId(id)) throw unknown({ kind: known });
  return { kind: known, id };
}

/** Those with access, and outside of it those who manage walls; the screened never. */
function mayLook(actor: Actor, { wall, named }: Found): boolean {
  if (wall.screened.includes(actor.id)) return false;
  if (actor.permissions.manageWalls || rules.isInside(wall, actor.id)) return true;
  return named.some(({ user_id: id, kind }) => kind === 'opened' && id === actor.id);
}

/** Changing access takes the right to change matters, or to manage walls. */
function requireHand({ permissions }: Actor) {
  if (!permissions.createCases && !permissions.manageWalls) throw new Refusal('notPermitted');
}

function isScreened(person: { first_name: string; last_name: string }): Refusal {
  const name = `${person.first_name} ${person.last_name}`;
  return new Refusal('conflict', `${name} is screened from this matter`);
}

function noOneLeft(): Refusal {
  return new Refusal('conflict', 'Somebody must keep access');
}

/** What stands in the audit log; of an intake no value, so that erasing it leaves none there. */
function about({ kind, id }: store.Matter, action: 'changed' | 'opened') {
  return kind === 'cases'
    ? ({ entity: 'access', action, entityId: id, caseId: id } as const)
    : ({ entity: 'intake', action: `access ${action}`, entityId: id } as const);
}

/** Both those who lose the matter and those who gain it are notified. */
function announce(unit: Unit, id: string, walls: rules.Wall[]) {
  unit.emit('access.changed', { id }, { audience: audienceOf(walls) });
}

function audienceOf(walls: rules.Wall[], permission?: 'manageWalls') {
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
