// The items of a calendar between two days, from all sources.

import {
  eventKinds,
  ITEMS_MAX,
  type CalendarItem,
  type CalendarQuery,
} from '@matterdesk/contract/calendar.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Context } from '../../context.ts';
import { isId } from '../../core/ids.ts';
import { startOfDay } from '../../core/clocks.ts';
import type { Scoped } from '../../db/schema.ts';
import { readDeadlineItems } from '../deadlines/service.ts';
import { readFirm } from '../firm/service.ts';
import { windowOf } from './rules.times.ts';
import * as rules from './rules.ts';
import { horizonOf } from './service.series.ts';
import * as store from './store.items.ts';
import { findExpandedTo, findPeople } from './store.ts';

/** An item without the names of its case and people. */
type Found = Omit<CalendarItem, 'case' | 'people'> & {
  caseId: string | null;
  people: string[];
};

export async function readCalendar(context: Context, actor: rules.Reader, query: CalendarQuery) {
  const db = context.db.as(actor);
  const zone = query.timeZone ?? (await readFirm(context)).timeZone;
  const wanted = toItemQuery(actor, query, zone);
  const [lists, expandedTo] = await Promise.all([
    wanted ? findCalendarItems(db, actor, { query, wanted }) : [],
    findExpandedTo(db),
  ]);
  const items = inOrderOfTime(lists.flat(), zone);
  return {
    items: await withNames(db, items.slice(0, ITEMS_MAX)),
    isCut: items.length > ITEMS_MAX,
    expandedTo: expandedTo ?? horizonOf(''),
  };
}

function findCalendarItems(
  db: Scoped,
  actor: rules.Reader,
  { query, wanted }: { query: CalendarQuery; wanted: store.ItemQuery },
): Promise<Found[][]> {
  const names = query.kinds?.split(',');
  const wants = (name: string) => names === undefined || names.includes(name);
  const toItem = (row: store.EventItem) => eventItem(row, actor);
  const hasEvents = wanted.kinds === undefined || wanted.kinds.length > 0;
  return Promise.all([
    hasEvents ? store.listTimed(db, wanted).then((rows) => rows.map(toItem)) : [],
    hasEvents ? store.listAllDay(db, wanted).then((rows) => rows.map(toItem)) : [],
    wants('task')
      ? store.listTasks(db, wanted).then((rows) => rows.map((row) => taskItem(row, actor)))
      : [],
    wants('caseDate')
      ? store.listCaseDates(db, wanted).then((rows) => rows.map((row) => dateItem(row, actor)))
      : [],
    wants('deadline') ? readDeadlineItems(db, actor, wanted) : [],
  ]);
}

/** @returns undefined for a filter with an unknown value, which finds nothing */
function toItemQuery(
  actor: rules.Reader,
  query: CalendarQuery,
  zone: string,
): store.ItemQuery | undefined {
  const people = query.people?.split(',').filter(isId);
  if (people?.length === 0 || (query.case !== undefined && !isId(query.case))) return undefined;
  const names = query.kinds?.split(',');
  return {
    ...windowOf(query, zone),
    reader: actor.id,
    people,
    kinds: names && eventKinds.filter((kind) => names.includes(kind)),
    caseId: query.case,
    search: query.search,
    limit: ITEMS_MAX + 1,
  };
}

const plain = { private: false, cancelled: false, hard: false, status: null };

function eventItem(row: store.EventItem, actor: rules.Reader): Found {
  return {
    ...plain,
    type: 'event',
    id: row.id,
    title: rules.titleFor(row, actor),
    kind: rules.kindFor(row, actor),
    caseId: row.case_id,
    people: row.people,
    allDay: row.all_day,
    ...rules.spanOnWire(row),
    private: row.is_private,
    cancelled: row.cancelled_at !== null,
    canEdit: rules.mayEdit(row, actor),
  };
}

function taskItem(row: store.TaskItem, actor: rules.Reader): Found {
  return {
    ...plain,
    type: 'task',
    id: row.id,
    title: row.name,
    kind: null,
    caseId: row.case_id,
    people: [row.assigned_to],
    allDay: false,
    start: row.start_time.toISOString(),
    end: row.end_time.toISOString(),
    status: row.done_at && 'done',
    canEdit: actor.permissions.editTasks,
  };
}

const titles = { opened: 'Opened', incident: 'Date of injury' };

function dateItem(
  { case_id: caseId, what, day, people }: store.CaseDate,
  actor: rules.Reader,
): Found {
  return {
    ...plain,
    type: 'caseDate',
    id: `${caseId}-${what}`,
    title: titles[what],
    kind: null,
    caseId,
    people,
    allDay: true,
    start: day,
    end: day,
    canEdit: actor.permissions.createCases,
  };
}

/** Soonest first; days begin when the reader's do. */
function inOrderOfTime(items: Found[], zone: string): Found[] {
  const days = new Map<string, number>();
  const begin = (day: string) => {
    const known = days.get(day) ?? startOfDay(day, zone).getTime();
    days.set(day, known);
    return known;
  };
  return items
    .map((item) => ({ item, at: item.allDay ? begin(item.start) : Date.parse(item.start) }))
    .toSorted((a, b) => a.at - b.at || Number(b.item.allDay) - Number(a.item.allDay))
    .map(({ item }) => item);
}

async function withNames(db: Scoped, items: Found[]): Promise<CalendarItem[]> {
  const caseIds = new Set(items.flatMap(({ caseId }) => (caseId === null ? [] : [caseId])));
  const [cases, people] = await Promise.all([
    store.findCaseNames(db, [...caseIds]),
    findPeople(db, [...new Set(items.flatMap((item) => item.people))]),
  ]);
  return items.map(({ caseId, people: ids, ...item }) => {
    const caseName = caseId === null ? undefined : cases.get(caseId);
    return {
      ...item,
      case: caseId === null || caseName === undefined ? null : { id: caseId, caseName },
      people: ids.map((id) => people.get(id)).filter((person): person is Person => !!person),
    };
  });
}
