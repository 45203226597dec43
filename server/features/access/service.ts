import type {
  Access,
  AccessChange,
  AccessPreview,
  Glass,
  WalledMatter,
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
import { readWall, toAccess, type Found } from './service.wall.ts';
import * as store from './store.ts';

export type Matter = { kind: string; id: string };

type Asked = { actor: Actor; matter: Matter; change: AccessChange };

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
      const { row, wall: before } = found;
      const screened = new Map(change.screened.map(({ person, reason }) => [person, reason]));
      await store.replaceNamed(unit.trx, row.id, { added: after.added, screened, by: actor.id });
      const kept = { access: after.mode, is_walled: rules.isWalled(after) };
      await store.updateMatter(unit.trx, row.id, kept);
      const reason = change.reason ?? '';
      const action = rules.nameOfChange(before, after);
      const people = rules.affected(before, after);
      await store.insertHistory(unit.trx, { caseId: row.id, by: actor.id, action, people, reason });
      await unit.record({
        ...about(row.id),
        action: 'changed',
        before,
        after: { ...after, reason },
      });
      announce(unit, row.id, [before, after]);
      return toAccess(unit.trx, await readWall(unit.trx, row.id));
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
    if (isId(matter.id)) await store.lockMatter(unit.trx, matter.id);
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
  async #find(db: Scoped, actor: Actor, { kind, id }: Matter): Promise<Found> {
    if (kind !== 'cases') throw notFound(kind === 'intakes' ? 'Intake' : 'Matter');
    if (!isId(id)) throw notFound('Case');
    const found = await readWall(db, id);
    if (!mayLook(actor, found)) throw notFound('Case');
    return found;
  }

  /** Matters with a wall, for those who manage walls. */
  async listAccess(actor: Actor, query: PageQuery) {
    allow(actor, 'manageWalls');
    const [after] = query.cursor ? readCursor(query.cursor, [SERIAL]) : [];
    const limit = query.limit ?? PAGE;
    const db = this.#db.asSystem(WHY);
    const rows = await store.listWalled(db, actor.id, { limit: limit + 1, after });
    const { page, nextCursor } = cutPage(rows, limit, (row) => [row.serial]);
    const counted = await store.countWalled(db, actor.id, TOTAL_CAP + 1);
    return { matters: page.map(toMatter), nextCursor, ...describeTotal(counted) };
  }

  /** Lets the caller see a matter for some hours; everyone with access is notified. */
  async openAccess(actor: Actor, matter: Matter, { reason, hours }: Glass): Promise<Date> {
    allow(actor, 'manageWalls');
    return this.#writer.runAsSystem(actor, WHY, async (unit) => {
      const { row, wall } = await this.#find(unit.trx, actor, matter);
      const opening = { caseId: row.id, userId: actor.id, reason, hours };
      const until = await store.insertOpening(unit.trx, opening);
      const entry = { action: 'glassOpened', people: [actor.id], reason } as const;
      await store.insertHistory(unit.trx, { caseId: row.id, by: actor.id, ...entry });
      const after = { reason, until: until.toISOString() };
      await unit.record({ ...about(row.id), action: 'opened', after });
      const { id, firstName, lastName } = actor;
      const opened = { id: row.id, person: { id, firstName, lastName }, until: after.until };
      unit.emit('access.opened', opened, { audience: audienceOf([wall], 'manageWalls') });
      unit.emit('access.changed', { id: row.id }, { audience: { userIds: [id] } });
      return until;
    });
  }

  /** Notifies the users whose openings have ended; their pages then close. */
  async endOpenings(): Promise<void> {
    await this.#writer.runAsSystem(null, 'openings end by themselves', async (unit) => {
      for (const { case_id: id, user_id: userId } of await store.takeEnded(unit.trx))
        unit.emit('access.changed', { id }, { audience: { userIds: [userId] } });
    });
  }

  /**
   * Before a walled matter's people are assigned anew: someone must stay, and those who come or go are notified.
   * @throws Refusal conflict
   */
  async requireAssignment(unit: Unit, caseId: string, assigned: string[]): Promise<void> {
    const found = await readWall(unit.trx, caseId);
    const active = await store.listActivePeople(unit.trx);
    const after = { ...found.wall, assigned };
    if (!active.some((id) => rules.isInside(after, id))) throw noOneLeft();
    announce(unit, caseId, [found.wall, after]);
    await liftScope(unit.trx, 'a user who leaves a matter still gets the reply');
  }
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

function about(id: string) {
  return { entity: 'access', entityId: id, caseId: id } as const;
}

/** Both those who lose the matter and those who gain it are notified. */
function announce(unit: Unit, id: string, walls: rules.Wall[]) {
  unit.emit('access.changed', { id }, { audience: audienceOf(walls) });
}

function audienceOf(walls: rules.Wall[], permission?: 'manageWalls') {
  const screened = (walls[0]?.screened ?? []).filter((id) =>
    walls.every((wall) => wall.screened.includes(id)),
  );
  if (walls.some(({ mode }) => mode === 'open')) return { except: screened };
  const userIds = walls.flatMap(({ assigned, added }) => [...assigned, ...added]);
  const inside = [...new Set(userIds)].filter((id) => !screened.includes(id));
  return permission ? { userIds: inside, permission, except: screened } : { userIds: inside };
}

function toMatter(row: Awaited<ReturnType<typeof store.listWalled>>[number]): WalledMatter {
  const { id, case_no: number, case_name: name, access: mode } = row;
  return { kind: 'cases', id, number, name, mode };
}
