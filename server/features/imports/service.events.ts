// Events of an import, of matters and of the firm.

import { type EventKind, eventKinds } from '@matterdesk/contract/calendar.ts';
import { mapInSlices } from '../../core/time-slices.ts';
import type { SourceRow } from '../../integrations/exports/source.ts';
import {
  changeImportedEvents,
  type EventChange,
  findSameEvents,
  type ImportedEvent,
  importEvents,
  readImportedEvents,
  removeImportedEvents,
} from '../calendar/service.imports.ts';
import { findViewers } from '../tasks/service.imports.ts';
import * as texts from './rules.cells.ts';
import * as rules from './rules.events.ts';
import { peopleIn, textOf } from './rules.ts';
import type { Draft, Kind, RefusedRow, Run, Values } from './service.kinds.ts';
import {
  type FindPerson,
  findMatters,
  findPeople,
  namesMatter,
  withoutMatter,
} from './service.references.ts';

const MAX_NOTES_LENGTH = 4000;
const TOO_LONG = `An event takes notes of ${MAX_NOTES_LENGTH} characters`;

/** Users who attend, and the names of those who have no account or do not see the matter. */
type Attendees = { ids: string[]; others: string[] };
type EventReferences = {
  matters: ReadonlyMap<SourceRow, string>;
  attendees: ReadonlyMap<SourceRow, Attendees>;
};

async function draftEvents(run: Run, rows: readonly SourceRow[]): Promise<(Draft | RefusedRow)[]> {
  const matters = await findMatters(run, rows);
  const person = await findPeople(run, rows, 'people');
  const attendees = await findAttendees(run, rows, { matters, person });
  return mapInSlices(rows, (row) => draftEvent(run, row, { matters, attendees }));
}

async function findAttendees(
  { context }: Run,
  rows: readonly SourceRow[],
  { matters, person }: { matters: EventReferences['matters']; person: FindPerson },
): Promise<Map<SourceRow, Attendees>> {
  const asked = rows.flatMap((row) =>
    peopleIn(row.cells['people'] ?? '').map((name) => ({ row, name, userId: person(name) })),
  );
  const known = asked.flatMap(({ row, name, userId }) => {
    const caseId = matters.get(row);
    return caseId === undefined || userId === undefined ? [] : [{ row, name, caseId, userId }];
  });
  const seeing = await findViewers(context.db.asSystem('an event is for those who see it'), known);
  const blind = new Set(known.filter((_, at) => seeing[at]?.sees !== true).map(keyOf));
  const found = new Map<SourceRow, Attendees>();
  for (const { row, name, userId } of asked) {
    const attending = found.get(row) ?? { ids: [], others: [] };
    found.set(row, attending);
    if (userId === undefined || blind.has(keyOf({ row, userId }))) attending.others.push(name);
    else if (!attending.ids.includes(userId)) attending.ids.push(userId);
  }
  return found;
}

function keyOf({ row, userId }: { row: SourceRow; userId: string }): string {
  return `${row.file} ${row.row} ${userId}`;
}

function draftEvent(run: Run, row: SourceRow, found: EventReferences): Draft | RefusedRow {
  const { cells } = row;
  const caseId = found.matters.get(row);
  if (caseId === undefined && namesMatter(row)) return withoutMatter(row);
  const name = texts.plainLine(cells['title'], row.isPlain);
  if (name === '') return { row, field: 'title', message: 'Title is required' };
  const times = rules.timesOf(cells, run);
  if ('message' in times) return { row, ...times };
  const { title, whole } = texts.titleOf(name);
  const place = texts.titleOf(texts.plainLine(cells['location'], row.isPlain));
  const attending = found.attendees.get(row) ?? { ids: [], others: [] };
  const { others } = attending;
  const own = texts.joinLines([whole, place.whole, texts.paragraphsOf(cells['text'], row.isPlain)]);
  const people = others.length > 0 ? `People in ${run.system}: ${others.join('; ')}` : '';
  const described = [own, people].filter((part) => part !== '').join('\n\n');
  const notes = texts.withRest(described, row, run.system);
  if (notes.length > MAX_NOTES_LENGTH) return { row, field: 'text', message: TOO_LONG };
  const event: ImportedEvent = {
    caseId: caseId ?? null,
    title,
    kind: rules.kindOf(cells['kind']),
    ...times,
    location: place.title,
    notes,
    people: attending.ids,
    ...rules.ownOf(cells),
  };
  return { row, key: cells['id'] ?? null, name: title, values: valuesOf(event), extra: event };
}

function valuesOf({ title, kind, start, end, location, notes, people }: ImportedEvent): Values {
  return { title, kind, start, end, location, text: notes, people };
}

function eventIn({ extra }: Draft): ImportedEvent {
  return extra as ImportedEvent;
}

function changeOf(id: string, values: Values): EventChange {
  const [title, location, notes] = ['title', 'location', 'text'].map((key) => textOf(values[key]));
  const [start, end] = [textOf(values['start']), textOf(values['end'])];
  const kind = eventKinds.find((each: EventKind) => each === values['kind']);
  const { people } = values;
  return {
    id,
    ...(title !== undefined && { title }),
    ...(kind !== undefined && { kind }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    ...(location !== undefined && { location }),
    ...(notes !== undefined && { notes }),
    ...(typeof people === 'object' && people !== null && { people }),
  };
}

export const eventKind: Kind = {
  kind: 'events',
  draft: draftEvents,
  match: (_run, db, drafts) => findSameEvents(db, drafts.map(eventIn)),
  async current(trx, ids) {
    const found = await readImportedEvents(trx, ids);
    return new Map([...found].map(([id, event]) => [id, valuesOf(event)]));
  },
  insert: ({ context, timeZone, now }, unit, drafts) =>
    importEvents(unit, { organizerId: context.actor.id, timeZone, now }, drafts.map(eventIn)),
  update: ({ context }, unit, changes) =>
    changeImportedEvents(
      context,
      unit,
      changes.map(({ id, values }) => changeOf(id, values)),
    ),
  remove: (_run, unit, ids) => removeImportedEvents(unit, ids),
};
