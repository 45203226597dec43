// Events as they are read, added, changed and published. `service.series.ts` has those that repeat.

import { randomUUID } from 'node:crypto';
import type {
  CalendarEvent,
  Clash,
  EventPatch,
  NewEvent,
  SeriesScope,
} from '@matterdesk/contract/calendar.ts';
import type { Proposal } from '@matterdesk/contract/proposals.ts';
import { type ActorContext, asActor, hook, write } from '../../context.ts';
import type { Actor } from '../../core/actor.ts';
import type { IdempotencyKey } from '../../core/idempotency-key.ts';
import { isId } from '../../core/ids.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import { listCalendarEditors } from '../../db/audiences.ts';
import type { FullRow, NewEventRow } from '../../db/schema-calendar.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { proposeAfterEvents } from '../deadlines/chains/service.ts';
import { readFirm } from '../firm/service.ts';
import * as rules from './rules.ts';
import { requireParts, requireTimes, toColumns } from './service.fields.ts';
import { changeSeries, startSeries } from './service.series.ts';
import * as store from './store.ts';

const CLASHES_SHOWN = 20;
/** Events of a matter that are read at once. */
const MAX_EVENTS = 20_000;

type Outcome = { event: CalendarEvent; clashes: Clash[] };
type ChangedEvent = Outcome & { proposal: Proposal | null };
type Change = { asked: EventPatch; scope: SeriesScope };
/** An event was canceled that guests may have in their calendars. */
export const eventCanceled = hook<[actor: Actor, id: string]>();

/** @throws Refusal notFound */
export async function readEvent(context: ActorContext, id: string): Promise<CalendarEvent> {
  return rules.toEvent(await findVisibleEvent(asActor(context), id), context.actor);
}

/** Events of a matter that the reader may read, in order, and how many others there are. */
export async function listEventsOfCase(
  context: ActorContext,
  caseId: string,
): Promise<{ events: CalendarEvent[]; hidden: number }> {
  const { actor } = context;
  const rows = await store.listEventsOfCase(asActor(context), caseId, MAX_EVENTS);
  const open = rows.filter((row) => !rules.isMasked(row, actor));
  return {
    events: open.map((row) => rules.toEvent(row, actor)),
    hidden: rows.length - open.length,
  };
}

async function findVisibleEvent(db: Scoped, id: string): Promise<FullRow> {
  const row = isId(id) ? await store.findEvent(db, id) : undefined;
  if (!row) throw notFound('Event');
  return row;
}

/** Adds an event, which everyone may. @throws Refusal invalidInput for unknown people or an unknown matter */
export async function addEvent(
  context: ActorContext,
  input: NewEvent,
  once?: IdempotencyKey,
): Promise<Outcome> {
  const { timeZone } = await readFirm(context);
  return write(
    context,
    async (unit) => {
      await requireParts(unit, { asked: input });
      const row = toRow(context.actor, input, timeZone);
      const ids = input.recurrence
        ? await startSeries(unit.trx, row, input.recurrence)
        : await insertOne(unit, row);
      const added = await findVisibleEvent(unit.trx, row.id);
      const event = rules.toEvent(added, context.actor);
      await unit.record({ ...about(event), action: 'created', after: rules.toRecord(event) });
      if (event.series === null) await publishEvent(unit, 'event.created', added);
      else publishSeries(unit, event.series, [event.case?.id]);
      return { event, clashes: await findClashes(unit, context.actor, { added, ids }) };
    },
    once && { ...once, requireVisible: (trx, { event }) => findVisibleEvent(trx, event.id) },
  );
}

/** Before the body is validated, so that a refusal says nothing about it. @throws Refusal notPermitted */
export async function requireMayEditEvent(context: ActorContext, id: string): Promise<void> {
  const row = isId(id) ? await store.findEvent(asActor(context), id) : undefined;
  if (row && !rules.mayEdit(row, context.actor)) throw new Refusal('notPermitted');
}

/** @throws Refusal notFound, notPermitted for the events of others, invalidInput */
export async function changeEvent(
  context: ActorContext,
  id: string,
  change: Change,
): Promise<ChangedEvent> {
  const { canceled, ...changed } = await applyEventChange(context, id, change);
  for (const each of canceled) await eventCanceled.run(context, context.actor, each);
  return canceled.includes(id) ? { ...changed, event: await readEvent(context, id) } : changed;
}

function applyEventChange(context: ActorContext, id: string, { asked, scope }: Change) {
  const since = new Date();
  return write(context, async (unit) => {
    const row = isId(id) ? await store.lockEvent(unit.trx, id) : undefined;
    if (!row) throw notFound('Event');
    if (!rules.mayEdit(row, context.actor)) throw new Refusal('notPermitted');
    const before = rules.toEvent(row, context.actor);
    await requireParts(unit, { asked, before });
    const times = requireTimes(asked, before);
    const ids = await changeSeries(unit.trx, { row, asked, scope, times });
    const after = await findVisibleEvent(unit.trx, id);
    const event = rules.toEvent(after, context.actor);
    await reportEventChange(unit, { before: row, after, ids });
    const outcome = {
      event,
      clashes: await findClashes(unit, context.actor, { added: after, ids }),
    };
    const isMoved = ids.length > 1 || rules.isMoved(row, after);
    const changed = { ids, event: { id, title: event.title } };
    const series = [row.series_id, after.series_id].filter((of) => of !== null);
    return {
      ...outcome,
      canceled: await store.listCanceled(unit.trx, { ids, series, since }),
      proposal: isMoved ? await proposeAfterEvents(context, unit, changed) : null,
    };
  });
}

/** Records a change at both matters, and publishes it. */
async function reportEventChange(
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

/** Fields of every audit entry about an event. */
export function about({ id, case: of }: CalendarEvent) {
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

/**
 * Publishes an event as each reader sees it: with its source to the organizer, as editable to those who may change it,
 * and to everyone else masked if it is private.
 */
export async function publishEvent(
  unit: Unit,
  name: 'event.created' | 'event.updated',
  row: FullRow,
): Promise<void> {
  const { organizer_id: organizer, people, is_private: isPrivate, source } = row;
  const editors = isPrivate ? [] : await listCalendarEditors(unit.trx);
  const own = new Set([organizer, ...people, ...editors]);
  const others = [...own].filter((id) => id !== organizer);
  const event = rules.toEvent(row);
  const editable = { ...event, canEdit: true };
  unit.emit(name, { ...editable, source }, { among: { userIds: [organizer] } });
  unit.emit(name, editable, { among: { userIds: others } });
  unit.emit(name, isPrivate ? rules.masked(event) : event, { among: { except: [...own] } });
}

/** Publishes that occurrences of a series changed, to each of these matters. */
function publishSeries(unit: Unit, series: string | null, cases: (string | undefined)[]): void {
  for (const of of new Set(cases)) unit.emit('series.changed', { series, case: of ?? null });
}
