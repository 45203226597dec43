// Events that an import adds, changes and removes, many at once: no one is invited, and nothing past reminds anyone.

import { randomUUID } from 'node:crypto';
import type { CalendarEvent, EventKind } from '@matterdesk/contract/calendar.ts';
import type { ActorContext } from '../../context.ts';
import type { FullRow, NewEventRow } from '../../db/schema-calendar.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { proposeAfterEvents } from '../deadlines/chains/service.ts';
import { hasEnded, type Times, toTimes } from './rules.times.ts';
import { isMoved, nameOfChange, toEvent, toRecord, usualReminders } from './rules.ts';
import { about } from './service.ts';
import * as store from './store.ts';

/** `start` and `end` are days of an all-day event, else instants. */
export type ImportedEvent = {
  caseId: string | null;
  title: string;
  kind: EventKind;
  start: string;
  end: string;
  location: string;
  notes: string;
  /** Ids of users. */
  people: readonly string[];
  link?: string;
  /** Without it, the firm's. */
  timeZone?: string;
  /** Minutes before the start; without them, the usual ones. */
  reminders?: readonly number[];
};
export type EventChange = { id: string } & Partial<
  Omit<ImportedEvent, 'caseId' | keyof EventExtras>
>;
/** Details that only an event of our own has; later imports do not change them. */
type EventExtras = Pick<ImportedEvent, 'link' | 'timeZone' | 'reminders'>;
type ImportDefaults = { organizerId: string; timeZone: string; now: Date };

const USED = 'A deadline counts from it';
const DAY_LENGTH = 'YYYY-MM-DD'.length;

function timesOf({ start, end }: Pick<ImportedEvent, 'start' | 'end'>, timeZone: string): Times {
  return toTimes({ allDay: start.length === DAY_LENGTH, start, end, timeZone });
}

/** @returns their ids in order */
export async function importEvents(
  unit: Unit,
  { organizerId, timeZone, now }: ImportDefaults,
  events: readonly ImportedEvent[],
): Promise<string[]> {
  if (events.length === 0) return [];
  const rows = events.map((event): NewEventRow & { id: string } => {
    const times = timesOf(event, event.timeZone ?? timeZone);
    const reminders = event.reminders ?? usualReminders(event.kind);
    return {
      id: randomUUID(),
      series_id: null,
      slot: null,
      title: event.title,
      kind: event.kind,
      case_id: event.caseId,
      ...times,
      location: event.location,
      link: event.link ?? '',
      notes: event.notes,
      people: [...event.people],
      guests: [],
      reminders: hasEnded(times, now) ? [] : [...reminders],
      is_private: false,
      source: null,
      cancelled_at: null,
      organizer_id: organizerId,
    };
  });
  await store.insertEvents(unit.trx, rows);
  const ids = rows.map(({ id }) => id);
  const added = await store.findEvents(unit.trx, ids);
  await unit.recordAll(added.map((row) => entryOf('imported', { after: toEvent(row) })));
  refresh(unit);
  return ids;
}

/** Events as they are, by id, locked for the transaction. Canceled ones are left out. */
export async function readImportedEvents(
  trx: Transaction,
  ids: readonly string[],
): Promise<Map<string, ImportedEvent>> {
  const rows = await store.lockEvents(trx, ids);
  const kept = rows.filter((row) => row.cancelled_at === null);
  return new Map(kept.map((row) => [row.id, toImported(row)]));
}

function toImported(row: FullRow): ImportedEvent {
  const { title, kind, start, end, location, notes } = toEvent(row);
  return { caseId: row.case_id, title, kind, start, end, location, notes, people: row.people };
}

/** Changes events; what counts from a moved one is proposed, as for any other change. */
export async function changeImportedEvents(
  context: ActorContext,
  unit: Unit,
  changes: readonly EventChange[],
): Promise<void> {
  const ids = changes.map(({ id }) => id);
  const before = new Map((await store.lockEvents(unit.trx, ids)).map((row) => [row.id, row]));
  await store.updateImportedEvents(
    unit.trx,
    changes.flatMap(({ id, ...change }) => {
      const row = before.get(id);
      return row ? updateOf(row, change) : [];
    }),
  );
  const after = await store.findEvents(unit.trx, ids);
  await unit.recordAll(
    after.flatMap((row) => {
      const was = before.get(row.id);
      if (!was) return [];
      const states = { before: toEvent(was), after: toEvent(row) };
      return [entryOf(nameOfChange(states.before, states.after), states)];
    }),
  );
  await proposeAfterMoves(context, unit, before.values());
  refresh(unit);
}

/** Proposes what counts from events that have moved since then, or were canceled. @param before locked rows */
export async function proposeAfterMoves(
  context: ActorContext,
  unit: Unit,
  before: Iterable<FullRow>,
): Promise<void> {
  const known = new Map([...before].map((row) => [row.id, row]));
  const counted = await store.listCountedFrom(unit.trx, [...known.keys()]);
  for (const row of await store.findEvents(unit.trx, [...counted])) {
    const was = known.get(row.id);
    if (was && isMoved(was, row))
      await proposeAfterEvents(context, unit, { ids: [row.id], event: row });
  }
}

function updateOf(row: FullRow, change: Omit<EventChange, 'id'>): store.EventUpdate {
  const is = { ...toImported(row), ...change };
  // One of both may have been changed here.
  const isOneForm = is.start.length === is.end.length;
  const end = isOneForm && is.end >= is.start ? is.end : is.start;
  return {
    id: row.id,
    title: is.title,
    kind: is.kind,
    location: is.location,
    notes: is.notes,
    people: [...is.people],
    reminders: row.reminders,
    ...timesOf({ start: is.start, end }, row.time_zone),
  };
}

/**
 * Removes events as if they had never come.
 * @returns why some stay, by id: deadlines count from them
 */
export async function removeImportedEvents(
  unit: Unit,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await store.lockEvents(unit.trx, ids);
  const counted = await store.listCountedFrom(unit.trx, ids);
  const removed = rows.filter(({ id }) => !counted.has(id));
  await store.removeEvents(
    unit.trx,
    removed.map(({ id }) => id),
  );
  await unit.recordAll(removed.map((row) => entryOf('deleted', { before: toEvent(row) })));
  refresh(unit);
  return new Map([...counted].map((id) => [id, USED]));
}

/** Events of the same matter, title and beginning, each once, by the place of what was asked. */
export async function findSameEvents(
  db: Scoped,
  asked: readonly Pick<ImportedEvent, 'caseId' | 'title' | 'start'>[],
): Promise<Map<number, string>> {
  const rows = asked.map(({ caseId, title, start }) => {
    const isDay = start.length === DAY_LENGTH;
    return {
      caseId,
      title,
      startsAt: isDay ? null : new Date(start),
      firstDay: isDay ? start : null,
    };
  });
  const found = new Map<number, string>();
  const taken = new Set<string>();
  for (const { place, id } of await store.findSame(db, rows))
    if (!found.has(place) && !taken.has(id)) {
      found.set(place, id);
      taken.add(id);
    }
  return found;
}

function entryOf(action: string, states: { before?: CalendarEvent; after?: CalendarEvent }) {
  const { before, after } = states;
  const event = after ?? before;
  if (!event) throw new Error('an act of no event');
  return {
    ...about(event),
    action,
    ...(before && { before: toRecord(before) }),
    ...(after && { after: toRecord(after) }),
  };
}

/** Open calendars read again, once for the whole write. */
function refresh(unit: Unit): void {
  unit.emit('series.changed', { series: null, case: null });
}
