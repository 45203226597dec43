// Imports events from files of other calendars, and exports them.

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { EventImportItem } from '@matterdesk/contract/calendar-exchange.ts';
import type { CalendarEvent, EventKind } from '@matterdesk/contract/calendar.ts';
import { OCCURRENCES_MAX, parseRecurrence } from '@matterdesk/contract/recurrence.ts';
import { type ActorContext, type Context, write } from '../../../context.ts';
import { nowAt } from '../../../core/dates.ts';
import { invalidField } from '../../../core/refusal.ts';
import { mapInSlices, TimeSlices } from '../../../core/time-slices.ts';
import type { AuditEntry } from '../../../db/audit.ts';
import type { ImportedEventsTable, NewEventRow } from '../../../db/schema-calendar.ts';
import type { Scoped } from '../../../db/schema.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { Content } from '../../../http/content.ts';
import type { ReadEvent, ReadTime } from '../../../integrations/icalendar/reader.ts';
import { writeCalendar } from '../../../integrations/icalendar/write.ts';
import { requireActive } from '../../accounts/service.ts';
import { readFirm } from '../../firm/service.ts';
import { hasEnded, spanOf, toTimes, type Times } from '../rules.times.ts';
import { usualReminders } from '../rules.ts';
import { requireParts, calendarFilesOf } from '../service.fields.ts';
import { proposeAfterMoves } from '../service.imports.ts';
import { findSlots, startSeries } from '../service.series.ts';
import { readEvent } from '../service.ts';
import { lockEvents } from '../store.ts';
import * as events from '../store.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** A file with events, and the matter for them. */
export type IncomingEvents = { text: string; caseId: string | null; kind: EventKind };

/** The action for an event of a file. */
export type Step = rules.Decision & {
  event: ReadEvent;
  held: rules.HeldEvent[];
  /** The id of an event that this calendar itself wrote. */
  own?: string;
};

/** Choices of the user for all events of a file. */
type Target = {
  context: ActorContext;
  caseId: string | null;
  kind: EventKind;
  isPrivate: boolean;
  source: NewEventRow['source'];
};

type EventBatch = { unit: Unit; target: Target; batch: Batch };

/** Rows that are written together, and UTF-16 units of their texts. */
const BATCH = 200;
const BATCH_UNITS = 200_000;

/** Events with their notes, as another calendar takes them. */
export function writeEvents(events: readonly CalendarEvent[], at: Date): string {
  const entries = events.map((event) => rules.entryOf(event, { withNotes: true }));
  return [...writeCalendar({ method: 'PUBLISH', at }, entries)].join('');
}

/** @throws Refusal notFound */
export async function readEventFile(context: ActorContext, id: string): Promise<Content> {
  const event = await readEvent(context, id);
  const bytes = Buffer.from(writeEvents([event], new Date(event.updatedAt)));
  return {
    name: rules.fileNameOf(event.title),
    mimeType: 'text/calendar; charset=utf-8',
    isShown: true,
    size: bytes.length,
    about: { entity: 'event', entityId: id, ...(event.case && { caseId: event.case.id }) },
    read: (range) =>
      Promise.resolve(
        Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes], {
          objectMode: false,
        }),
      ),
  };
}

/** Previews an import. @throws Refusal invalidInput */
export async function tryEventImport(
  context: ActorContext,
  incoming: IncomingEvents,
): Promise<EventImportItem[]> {
  const read = await readCalendarText(context, incoming.text);
  const { caseId } = incoming;
  // A transaction, so that the matter is checked as by the import.
  return write(context, async (unit) => {
    await requireMatter(unit, caseId);
    const steps = await planSteps(unit.trx, read, { reader: context.actor, caseId });
    return mapInSlices(steps, toItem);
  });
}

/** Imports all events of a file, or none. @throws Refusal invalidInput */
export async function importEvents(
  context: ActorContext,
  incoming: IncomingEvents,
): Promise<EventImportItem[]> {
  const read = await readCalendarText(context, incoming.text);
  const { caseId, kind } = incoming;
  const target: Target = { context, caseId, kind, isPrivate: false, source: null };
  return write(context, async (unit) => {
    await requireMatter(unit, caseId);
    await requireActive(unit.trx, context.actor);
    await store.lockImports(unit.trx);
    const steps = await planSteps(unit.trx, read, { reader: context.actor, caseId });
    const wrong = steps.find(({ problem }) => problem !== null);
    if (wrong) throw invalidField('file', `${wrong.event.title}: ${wrong.problem}`);
    await takeSteps(unit, steps, target);
    const isSame = steps.every(({ action }) => action === 'skip');
    if (!isSame) unit.emit('series.changed', { series: null, case: caseId });
    return mapInSlices(steps, toItem);
  });
}

function requireMatter(unit: Unit, caseId: string | null): Promise<void> {
  return requireParts(unit, { asked: { case: caseId } });
}

async function readCalendarText(context: Context, text: string): Promise<ReadEvent[]> {
  const { timeZone } = await readFirm(context);
  const today = nowAt(new Date(), timeZone).day;
  const reading = await calendarFilesOf(context).read({ text, timeZone, today });
  if ('problem' in reading) throw invalidField('file', reading.problem);
  if (reading.events.length === 0) throw invalidField('file', 'The file has no events');
  return reading.events;
}

/** Decides what to do with each event of a file. */
export async function planSteps(
  db: Scoped,
  read: ReadEvent[],
  importer: rules.Importer,
): Promise<Step[]> {
  const found = rules.newestOf(read);
  const uids = [...new Set(found.map(({ uid }) => uid))];
  const [rows, own] = await Promise.all([
    store.findHeld(db, { uids, reader: importer.reader.id }),
    store.findOwn(
      db,
      found.map(rules.ownIdOf).filter((id) => id !== undefined),
    ),
  ]);
  const byUid = Map.groupBy(rows, ({ uid }) => uid);
  return mapInSlices(found, (event): Step => {
    const held = byUid.get(event.uid) ?? [];
    const ownId = rules.ownIdOf(event) ?? '';
    if (own.has(ownId)) return { event, held: [], own: ownId, action: 'skip', problem: null };
    return { event, held, ...rules.decide(event, held, importer) };
  });
}

function toItem({ event, action, problem }: Step): EventImportItem {
  return { title: event.title, start: event.times[0]?.start ?? '', action, problem };
}

/** Rows and entries of the record that are written together: the calendar of a matter is counted once for each part. */
class Batch {
  readonly #rows: NewEventRow[] = [];
  readonly #held: ImportedEventsTable[] = [];
  readonly #entries: AuditEntry[] = [];
  #units = 0;

  add(row: NewEventRow, held: ImportedEventsTable): void {
    this.#rows.push(row);
    this.#held.push(held);
    this.#units += row.title.length + row.location.length + row.notes.length;
  }

  record(entry: AuditEntry): void {
    this.#entries.push(entry);
  }

  isDue(): boolean {
    return this.#entries.length >= BATCH || this.#rows.length >= BATCH || this.#units > BATCH_UNITS;
  }

  async write(unit: Unit): Promise<void> {
    this.#units = 0;
    await events.insertEvents(unit.trx, this.#rows.splice(0));
    await store.insertHeld(unit.trx, this.#held.splice(0));
    await unit.recordAll(this.#entries.splice(0));
  }
}

/** Applies the steps, and proposes what counts from moved events. @returns ids of the changed rows, in order */
export async function takeSteps(unit: Unit, steps: Step[], target: Target): Promise<string[]> {
  const held = steps.flatMap((step) => step.held.map((row) => row.event_id));
  await events.lockSeriesOf(unit.trx, held);
  const before = await lockEvents(unit.trx, held);
  const eventBatch: EventBatch = { unit, target, batch: new Batch() };
  const changed: string[] = [];
  const slices = new TimeSlices();
  for (const step of steps) {
    if (slices.isOver) await slices.next();
    changed.push(...(await takeStep(eventBatch, step)));
    if (eventBatch.batch.isDue()) await eventBatch.batch.write(unit);
  }
  await eventBatch.batch.write(unit);
  await proposeAfterMoves(target.context, unit, before);
  return changed;
}

async function takeStep(eventBatch: EventBatch, step: Step): Promise<string[]> {
  const ids = await changeRows(eventBatch, step);
  const [entityId] = ids;
  if (entityId === undefined) return ids;
  const { event, action } = step;
  const after = { title: event.title, occurrences: ids.length, uid: event.uid };
  const { caseId, isPrivate } = eventBatch.target;
  eventBatch.batch.record({
    entity: 'event',
    entityId,
    action: { add: 'imported', update: 'updated', cancel: 'canceled', skip: 'skipped' }[action],
    ...(caseId !== null && { caseId }),
    after: isPrivate ? { private: true, members: Object.keys(after) } : after,
  });
  return ids;
}

async function changeRows(eventBatch: EventBatch, step: Step): Promise<string[]> {
  const { trx } = eventBatch.unit;
  const { event, held, action } = step;
  if (action === 'skip') return [];
  const known = rules.relevantOf(event, held);
  const older = known.filter((row) => rules.isNewer(event, row));
  if (action === 'add') return addAll(eventBatch, event);
  if (action === 'cancel') {
    const ids = older.map((row) => row.event_id);
    await events.updateEvents(trx, ids, { cancelled_at: new Date(), isSeen: true });
    await store.updateHeld(trx, ids, versionOf(event));
    return ids;
  }
  return updateAll(eventBatch, { event, known, older });
}

/** Keeps a series that the calendar can represent; any other becomes a separate event for each occurrence. */
async function addAll(eventBatch: EventBatch, event: ReadEvent): Promise<string[]> {
  const [first] = event.times;
  const rule = await seriesRuleOf(event);
  if (!first || rule === undefined) return addTimes(eventBatch, event, event.times);
  const { unit, target } = eventBatch;
  const row = rowOf(event, first, target);
  const ids = await startSeries(unit.trx, row, rule);
  await store.insertHeldSeries(unit.trx, ids, { uid: event.uid, ...originOf(event) });
  return ids;
}

/** The rule of a series, if the calendar finds the same occurrences by it. */
async function seriesRuleOf({ rule, times, allDay, timeZone }: ReadEvent) {
  const [first] = times;
  const recurrence = rule === null ? undefined : parseRecurrence(rule);
  if (!first || !recurrence || rule === null || times.length >= OCCURRENCES_MAX) return undefined;
  const at = toTimes({ allDay, timeZone, ...first });
  const { wall_start: start } = at;
  const horizon = toTimes({ allDay, timeZone, ...(times.at(-1) ?? first) }).wall_start.slice(0, 10);
  const slots = await findSlots(recurrence, start, { span: spanOf(at), horizon });
  return slots[0] === start && slots.length === times.length ? rule : undefined;
}

async function addTimes(
  { batch, target }: EventBatch,
  event: ReadEvent,
  times: ReadTime[],
): Promise<string[]> {
  return mapInSlices(times, (time) => {
    const row = rowOf(event, time, target);
    const { uid } = event;
    batch.add(row, { event_id: row.id, uid, slot: time.slot, ...originOf(event) });
    return row.id;
  });
}

type KnownEvent = { event: ReadEvent; known: rules.HeldEvent[]; older: rules.HeldEvent[] };

/** Occurrences keep their ids. Those that are missing in the file are canceled, unless they have ended. */
async function updateAll(eventBatch: EventBatch, { event, known, older }: KnownEvent) {
  const { trx } = eventBatch.unit;
  const bySlot = new Map(older.map((row) => [row.slot, row.event_id]));
  const taken = new Set(known.map(({ slot }) => slot));
  const changed: string[] = [];
  for (const time of event.times) {
    const id = bySlot.get(time.slot);
    if (id === undefined) continue;
    await events.updateEvents(trx, [id], {
      ...textsOf(event),
      ...timesOf(event, time),
      is_alone: true,
      cancelled_at: null,
      isSeen: true,
    });
    changed.push(id);
  }
  const named = new Set(event.times.map(({ slot }) => slot));
  const lost = older.filter((row) => !named.has(row.slot) && !hasEnded(row, new Date()));
  const ids = lost.map((row) => row.event_id);
  if (ids.length > 0)
    await events.updateEvents(trx, ids, { cancelled_at: new Date(), isSeen: true });
  await events.updateSearchText(trx, changed);
  await store.updateHeld(trx, [...changed, ...ids], versionOf(event));
  const times = event.times.filter(({ slot }) => !taken.has(slot));
  const added = await addTimes(eventBatch, event, times);
  return [...changed, ...added, ...ids];
}

function textsOf({ title, location, link, notes }: ReadEvent) {
  return { title, location, link, notes };
}

function timesOf({ allDay, timeZone }: ReadEvent, { start, end }: ReadTime): Times {
  return toTimes({ allDay, timeZone, start, end });
}

function versionOf({ sequence, stamp }: ReadEvent) {
  return { sequence, stamp: stamp === null ? null : new Date(stamp) };
}

function originOf(event: ReadEvent) {
  return { ...versionOf(event), organizer: event.organizer };
}

function rowOf(event: ReadEvent, time: ReadTime, { context, caseId, ...target }: Target) {
  const { actor } = context;
  return {
    id: randomUUID(),
    series_id: null,
    slot: null,
    ...textsOf(event),
    ...timesOf(event, time),
    kind: target.kind,
    case_id: caseId,
    people: [actor.id],
    guests: [],
    reminders: usualReminders(target.kind),
    is_private: target.isPrivate,
    source: target.source,
    cancelled_at: null,
    organizer_id: actor.id,
  };
}
