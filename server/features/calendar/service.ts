import { randomUUID } from 'node:crypto';
import type {
  CalendarEvent,
  Clash,
  EventPatch,
  NewEvent,
  Scope,
} from '@matterdesk/contract/calendar.ts';
import type { Proposal } from '@matterdesk/contract/proposals.ts';
import type { Actor } from '../../core/actor.ts';
import type { FullRow, NewEventRow } from '../../db/schema-calendar.ts';
import { isId } from '../../core/ids.ts';
import type { Once } from '../../core/once.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import type { Database, Scoped } from '../../db/schema.ts';
import type { Unit, Writer } from '../../db/unit-of-work.ts';
import * as rules from './rules.ts';
import {
  requireParts,
  requireTimes,
  toColumns,
  type Chains,
  type Firm,
  type Neighbours,
} from './service.fields.ts';
import { publishEvent, publishSeries } from './service.news.ts';
import { changeSeries, startSeries } from './service.series.ts';
import * as store from './store.ts';

const CLASHES_SHOWN = 20;

type Outcome = { event: CalendarEvent; clashes: Clash[] };
type Changed = Outcome & { proposal: Proposal | null };
type InformGuests = (actor: Actor, id: string) => Promise<void>;
type Change = { asked: EventPatch; scope: Scope };
type Parts = Neighbours & { db: Database; writer: Writer; firm: Firm; proposals: Chains };

/** Events: single ones, and series whose occurrences are rows. */
export class EventService {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #parts: Parts;
  #informGuests: InformGuests = () => Promise.resolve();

  constructor(parts: Parts) {
    this.#db = parts.db;
    this.#writer = parts.writer;
    this.#parts = parts;
  }

  /** Calls `inform` with each event that was canceled and that guests may have in their calendars. */
  onCanceled(inform: InformGuests): void {
    this.#informGuests = inform;
  }

  /** @throws Refusal notFound */
  async readEvent(actor: Actor, id: string): Promise<CalendarEvent> {
    return rules.toEvent(await this.#find(this.#db.as(actor), id), actor);
  }

  async #find(db: Scoped, id: string): Promise<FullRow> {
    const row = isId(id) ? await store.findEvent(db, id) : undefined;
    if (!row) throw notFound('Event');
    return row;
  }

  /** Everyone may add. @throws Refusal invalidInput for unknown people or an unknown matter */
  async addEvent(actor: Actor, input: NewEvent, once?: Once): Promise<Outcome> {
    const { timeZone } = await this.#parts.firm.read();
    return this.#writer.run(
      actor,
      async (unit) => {
        await requireParts(unit, this.#parts, { asked: input });
        const row = toRow(actor, input, timeZone);
        const ids = input.recurrence
          ? await startSeries(unit.trx, row, input.recurrence)
          : await insertOne(unit, row);
        const added = await this.#find(unit.trx, row.id);
        const event = rules.toEvent(added, actor);
        await unit.record({ ...about(event), action: 'created', after: rules.toRecord(event) });
        if (event.series === null) await publishEvent(unit, 'event.created', added);
        else publishSeries(unit, event.series, [event.case?.id]);
        return { event, clashes: await findClashes(unit, actor, { added, ids }) };
      },
      once && { ...once, again: (trx, { event }) => this.#find(trx, event.id) },
    );
  }

  /** Before the body is validated, so that a refusal says nothing about it. @throws Refusal notPermitted */
  async requireMayEdit(actor: Actor, id: string): Promise<void> {
    const row = isId(id) ? await store.findEvent(this.#db.as(actor), id) : undefined;
    if (row && !rules.mayEdit(row, actor)) throw new Refusal('notPermitted');
  }

  /** @throws Refusal notFound, notPermitted for the events of others, invalidInput */
  async changeEvent(actor: Actor, id: string, change: Change): Promise<Changed> {
    const { canceled, ...changed } = await this.#change(actor, id, change);
    for (const each of canceled) await this.#informGuests(actor, each);
    return canceled.includes(id) ? { ...changed, event: await this.readEvent(actor, id) } : changed;
  }

  #change(actor: Actor, id: string, { asked, scope }: Change) {
    const since = new Date();
    return this.#writer.run(actor, async (unit) => {
      const row = isId(id) ? await store.lockEvent(unit.trx, id) : undefined;
      if (!row) throw notFound('Event');
      if (!rules.mayEdit(row, actor)) throw new Refusal('notPermitted');
      const before = rules.toEvent(row, actor);
      await requireParts(unit, this.#parts, { asked, before });
      const times = requireTimes(asked, before);
      const ids = await changeSeries(unit.trx, { row, asked, scope, times });
      const after = await this.#find(unit.trx, id);
      const event = rules.toEvent(after, actor);
      await this.#report(unit, { before: row, after, ids });
      const outcome = { event, clashes: await findClashes(unit, actor, { added: after, ids }) };
      const isMoved = ids.length > 1 || rules.isMoved(row, after);
      const changed = { ids, event: { id, title: event.title } };
      const { proposals } = this.#parts;
      const series = [row.series_id, after.series_id].filter((of) => of !== null);
      return {
        ...outcome,
        canceled: await store.listCanceled(unit.trx, { ids, series, since }),
        proposal: isMoved ? await proposals.followEvents(unit, actor, changed) : null,
      };
    });
  }

  /** Audit entries of both matters, and what browsers receive. */
  async #report(
    unit: Unit,
    { before, after, ids }: { before: FullRow; after: FullRow; ids: string[] },
  ): Promise<void> {
    const [was, is] = [rules.toEvent(before), rules.toEvent(after)];
    const isElsewhere = was.case?.id !== is.case?.id;
    const states = { before: rules.toRecord(was), after: rules.toRecord(is) };
    const entry = { action: rules.nameOfChange(was, is), ...states };
    await unit.recordAll([
      ...(isElsewhere && was.case ? [{ ...about(was), ...entry }] : []),
      { ...about(is), ...entry },
    ]);
    const isSeries = ids.length > 1 || was.series !== is.series;
    if (isSeries) publishSeries(unit, is.series ?? was.series, [was.case?.id, is.case?.id]);
    else {
      await publishEvent(unit, 'event.updated', after);
      if (isElsewhere) publishSeries(unit, null, [was.case?.id]);
    }
  }
}

function about({ id, case: of }: CalendarEvent) {
  return { entity: 'event', entityId: id, ...(of && { caseId: of.id }) } as const;
}

async function insertOne(unit: Unit, row: NewEventRow & { id: string }): Promise<string[]> {
  await store.insertEvents(unit.trx, [row]);
  return [row.id];
}

function toRow(actor: Actor, input: NewEvent, timeZone: string) {
  const allDay = input.allDay ?? input.start.length === 10;
  const { start, end } = input;
  const row = {
    id: randomUUID(),
    series_id: null,
    slot: null,
    title: input.title,
    kind: input.kind,
    case_id: null,
    location: '',
    link: '',
    notes: '',
    people: [actor.id],
    guests: [],
    reminders: rules.usualReminders(input.kind),
    is_private: false,
    source: null,
    cancelled_at: null,
    organizer_id: actor.id,
  };
  const wire = { allDay, start, end, timeZone: input.timeZone ?? timeZone };
  return { ...row, ...toColumns(input), ...requireTimes(input, wire) };
}

async function findClashes(
  unit: Unit,
  actor: Actor,
  { added, ids }: { added: FullRow; ids: string[] },
): Promise<Clash[]> {
  if (added.cancelled_at !== null) return [];
  const asked = { ids, people: added.people, limit: CLASHES_SHOWN };
  const rows = await store.listClashes(unit.trx, asked);
  return rows.map((row) => rules.toClash(row, actor));
}
