// The items of a calendar between two days, from all sources.

import {
  type CalendarGrid,
  dayOfMoment,
  itemsOf,
  toMoment,
} from '@matterdesk/contract/calendar-grid.ts';
import { eventKinds, ITEMS_MAX, type CalendarQuery } from '@matterdesk/contract/calendar.ts';
import type { Context } from '../../context.ts';
import { startOfDay } from '../../core/dates.ts';
import { isId } from '../../core/ids.ts';
import { type CaseWord, findCaseWords } from '../../db/cases.ts';
import type { Scoped } from '../../db/schema.ts';
import { readDeadlineItems } from '../deadlines/service.ts';
import { readFirm } from '../firm/service.ts';
import { narrowWindow, windowOf } from './rules.times.ts';
import * as rules from './rules.ts';
import { horizonOf } from './service.series.ts';
import * as store from './store.items.ts';
import { findExpandedTo, findPeople } from './store.ts';

type Form = CalendarGrid['forms'][number];

/**
 * Items without the names of their cases and people, by column, because thousands of objects cost more than the work on
 * them. Equal forms may share an object. People are their ids, separated by commas.
 */
type Items = {
  id: string[];
  form: Form[];
  title: string[];
  caseId: (string | null)[];
  /** Null where it is not known yet. */
  caseName: (string | null)[];
  people: string[];
  start: number[];
  end: number[];
};

export async function readCalendar(context: Context, actor: rules.Reader, query: CalendarQuery) {
  const grid = await readCalendarGrid(context, actor, query);
  return { items: itemsOf(grid), isCut: grid.isCut, expandedTo: grid.expandedTo };
}

/** The same items by column, soonest first. */
export async function readCalendarGrid(
  context: Context,
  actor: rules.Reader,
  query: CalendarQuery,
): Promise<CalendarGrid> {
  const db = context.db.as(actor);
  const zone = query.timeZone ?? (await readFirm(context)).timeZone;
  const words = query.search === undefined ? undefined : await findCaseWords(db, query.search);
  const wanted = toItemQuery(actor, query, { zone, words });
  const [lists, expandedTo] = await Promise.all([
    wanted ? findCalendarItems(db, actor, { query, wanted, zone }) : [],
    findExpandedTo(db),
  ]);
  const items = joinItems(lists);
  const order = inOrderOfTime(items, zone);
  return {
    ...(await toGrid(db, items, order.slice(0, ITEMS_MAX))),
    isCut: order.length > ITEMS_MAX,
    expandedTo: expandedTo ?? horizonOf(''),
  };
}

async function findCalendarItems(
  db: Scoped,
  actor: rules.Reader,
  { query, wanted, zone }: { query: CalendarQuery; wanted: store.ItemQuery; zone: string },
): Promise<Items[]> {
  const names = query.kinds?.split(',');
  const wants = (name: string) => names === undefined || names.includes(name);
  const hasEvents = wanted.kinds === undefined || wanted.kinds.length > 0;
  const tasks = wants('task') ? await store.listTaskMoments(db, wanted) : undefined;
  // Tasks run for weeks, so in a large firm they fill a calendar: what begins after the last of them is left out.
  const last = tasks?.start[ITEMS_MAX];
  const rest = last === undefined ? wanted : narrowWindow(wanted, instantOfMinutes(last), zone);
  const others = await Promise.all([
    ...(hasEvents
      ? [
          store.listTimed(db, rest).then((rows) => eventItems(rows, actor, false)),
          store.listAllDay(db, rest).then((rows) => eventItems(rows, actor, true)),
        ]
      : []),
    ...(wants('caseDate')
      ? [store.listCaseDates(db, rest).then((rows) => dateItems(rows, actor))]
      : []),
    ...(wants('deadline') ? [readDeadlineItems(db, actor, rest).then(deadlineItems)] : []),
  ]);
  return tasks ? [taskItems(tasks, actor), ...others] : others;
}

function instantOfMinutes(minutes: number): Date {
  return new Date(minutes * 60_000);
}

function joinItems(lists: Items[]): Items {
  return {
    id: joinColumns(lists.map(({ id }) => id)),
    form: joinColumns(lists.map(({ form }) => form)),
    title: joinColumns(lists.map(({ title }) => title)),
    caseId: joinColumns(lists.map(({ caseId }) => caseId)),
    caseName: joinColumns(lists.map(({ caseName }) => caseName)),
    people: joinColumns(lists.map(({ people }) => people)),
    start: joinColumns(lists.map(({ start }) => start)),
    end: joinColumns(lists.map(({ end }) => end)),
  };
}

function joinColumns<Value>(columns: Value[][]): Value[] {
  // Copies each at once, unlike `flat`, which looks at every value.
  return new Array<Value>().concat(...columns);
}

/** @returns undefined for a filter with an unknown value, which finds nothing */
function toItemQuery(
  actor: rules.Reader,
  query: CalendarQuery,
  { zone, words }: { zone: string; words: CaseWord[] | undefined },
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
    words,
    limit: ITEMS_MAX + 1,
  };
}

const plain = { allDay: false, private: false, cancelled: false, hard: false, status: null };

function eventItems(rows: store.EventMoments, actor: rules.Reader, allDay: boolean): Items {
  const events = rows.id.map((_, n) => ({
    title: rows.title[n] ?? '',
    kind: rows.kind[n] ?? 'other',
    organizer_id: rows.organizer_id[n] ?? '',
    people: rows.people[n] ?? [],
    is_private: rows.is_private[n] ?? true,
  }));
  return {
    id: rows.id,
    title: events.map((event) => rules.titleFor(event, actor)),
    caseId: rows.case_id,
    caseName: rows.id.map(() => null),
    people: events.map(({ people }) => people.join(',')),
    start: rows.start,
    end: rows.end,
    form: events.map((event, n) => ({
      ...plain,
      type: 'event',
      kind: rules.kindFor(event, actor),
      allDay,
      private: event.is_private,
      cancelled: rows.is_cancelled[n] === true,
      canEdit: rules.mayEdit(event, actor),
    })),
  };
}

function taskItems(rows: store.TaskMoments, actor: rules.Reader): Items {
  const open: Form = { ...plain, type: 'task', kind: null, canEdit: actor.permissions.editTasks };
  const done: Form = { ...open, status: 'done' };
  return {
    id: rows.id,
    title: rows.name,
    caseId: rows.case_id,
    caseName: rows.case_name,
    people: rows.assigned_to,
    start: rows.start,
    end: rows.end,
    form: rows.is_done.map((isDone) => (isDone ? done : open)),
  };
}

const titles = { opened: 'Opened', incident: 'Date of injury' };

function dateItems(rows: store.CaseDate[], actor: rules.Reader): Items {
  const canEdit = actor.permissions.createCases;
  const form: Form = { ...plain, type: 'caseDate', kind: null, allDay: true, canEdit };
  const days = rows.map(({ day }) => toMoment(day));
  return {
    id: rows.map(({ case_id: caseId, what }) => `${caseId}-${what}`),
    title: rows.map(({ what }) => titles[what]),
    caseId: rows.map(({ case_id: caseId }) => caseId),
    caseName: rows.map(() => null),
    people: rows.map(({ people }) => people.join(',')),
    start: days,
    end: days,
    form: rows.map(() => form),
  };
}

function deadlineItems(found: Awaited<ReturnType<typeof readDeadlineItems>>): Items {
  return {
    id: found.map(({ id }) => id),
    title: found.map(({ title }) => title),
    caseId: found.map(({ caseId }) => caseId),
    caseName: found.map(() => null),
    people: found.map(({ people }) => people.join(',')),
    start: found.map(({ start }) => toMoment(start)),
    end: found.map(({ end }) => toMoment(end)),
    form: found.map(
      ({
        id: _id,
        title: _title,
        caseId: _case,
        people: _people,
        start: _start,
        end: _end,
        ...form
      }) => form,
    ),
  };
}

/** Places of the items, soonest first; days begin when the reader's do. */
function inOrderOfTime({ start, form }: Items, zone: string): number[] {
  const days = new Map<number, number>();
  const begin = (day: number) => {
    const known = days.get(day) ?? toMoment(startOfDay(dayOfMoment(day), zone).toISOString());
    days.set(day, known);
    return known;
  };
  const isDay = form.map(({ allDay }) => allDay);
  const at = start.map((moment, n) => (isDay[n] ? begin(moment) : moment));
  return [...at.keys()].toSorted(
    (a, b) => (at[a] ?? 0) - (at[b] ?? 0) || Number(isDay[b]) - Number(isDay[a]),
  );
}

/** Distinct values in the order in which they came first. */
class Distinct<Value> {
  readonly values: Value[] = [];
  readonly #places = new Map<unknown, number>();

  /** @param key the same for the same value */
  placeOf(key: unknown, value: Value): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}

async function toGrid(
  db: Scoped,
  items: Items,
  order: number[],
): Promise<Omit<CalendarGrid, 'isCut' | 'expandedTo'>> {
  const forms = new Distinct<Form>();
  const titles = new Distinct<string>();
  const caseIds = new Distinct<string>();
  const names: (string | null)[] = [];
  const teams = new Distinct<string>();
  // A name of each form, built once for those that are one object.
  const keys = new Map<Form, string>();
  const keyOf = (form: Form) => {
    const key = keys.get(form) ?? JSON.stringify(form);
    keys.set(form, key);
    return key;
  };
  const caseOf = (item: number) => {
    const id = items.caseId[item] ?? null;
    if (id === null) return -1;
    const place = caseIds.placeOf(id, id);
    names[place] ??= items.caseName[item] ?? null;
    return place;
  };
  const columns = {
    form: inOrder(items.form, order).map((form) => forms.placeOf(keyOf(form), form)),
    title: inOrder(items.title, order).map((title) => titles.placeOf(title, title)),
    case: order.map(caseOf),
    team: inOrder(items.people, order).map((people) => teams.placeOf(people, people)),
  };
  const groups = teams.values.map((people) => people.split(',').filter((id) => id !== ''));
  const [people] = await Promise.all([
    findPeople(db, [...new Set(groups.flat())]),
    findMissing(db, caseIds.values, names),
  ]);
  const { cases, places } = named(caseIds.values, names);
  return {
    items: {
      ...columns,
      case: columns.case.map((place) => places[place] ?? -1),
      id: inOrder(items.id, order),
      start: inOrder(items.start, order),
      end: inOrder(items.end, order),
    },
    forms: forms.values,
    titles: titles.values,
    cases,
    teams: groups.map((ids) =>
      ids.map((id) => people.get(id)).filter((person) => person !== undefined),
    ),
  };
}

/** Finds those names of cases that are null, and leaves null those of cases that are not visible. */
async function findMissing(db: Scoped, ids: string[], names: (string | null)[]): Promise<void> {
  const places = [...names.keys()].filter((place) => names[place] === null);
  if (places.length === 0) return;
  const found = await store.findCaseNames(db, inOrder(ids, places));
  for (const [n, place] of places.entries()) names[place] = found[n] ?? null;
}

/** Cases with their names, and the new place of each; none for those without a name. */
function named(ids: string[], names: (string | null)[]) {
  const cases: [string, string][] = [];
  const places = ids.map((id, n) => {
    const name = names[n];
    return typeof name === 'string' ? cases.push([id, name]) - 1 : -1;
  });
  return { cases, places };
}

function inOrder<Value>(column: readonly Value[], order: number[]): Value[] {
  // All places are those of items.
  return order.map((place) => column[place] as Value);
}
