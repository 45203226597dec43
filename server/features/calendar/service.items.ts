// The items of a calendar between two days, from all sources.

import {
  type CalendarGrid,
  dayOfMoment,
  itemsOf,
  toMoment,
} from '@matterdesk/contract/calendar-grid.ts';
import { eventKinds, ITEMS_MAX, type CalendarQuery } from '@matterdesk/contract/calendar.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Context } from '../../context.ts';
import { startOfDay } from '../../core/clocks.ts';
import { isId } from '../../core/ids.ts';
import type { Scoped } from '../../db/schema.ts';
import { readDeadlineItems } from '../deadlines/service.ts';
import { readFirm } from '../firm/service.ts';
import { windowOf } from './rules.times.ts';
import * as rules from './rules.ts';
import { horizonOf } from './service.series.ts';
import * as store from './store.items.ts';
import { findExpandedTo, findPeople } from './store.ts';

type Form = CalendarGrid['forms'][number];

/** An item without the names of its case and people. Equal forms may be one object. */
type Found = {
  form: Form;
  id: string;
  title: string;
  caseId: string | null;
  people: string[];
  start: number;
  end: number;
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
  const wanted = toItemQuery(actor, query, zone);
  const [lists, expandedTo] = await Promise.all([
    wanted ? findCalendarItems(db, actor, { query, wanted }) : [],
    findExpandedTo(db),
  ]);
  const items = inOrderOfTime(lists.flat(), zone);
  const shown = items.slice(0, ITEMS_MAX);
  return {
    ...toGrid(shown, await findNames(db, shown)),
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
  const hasEvents = wanted.kinds === undefined || wanted.kinds.length > 0;
  return Promise.all([
    hasEvents ? store.listTimed(db, wanted).then((rows) => eventItems(rows, actor, false)) : [],
    hasEvents ? store.listAllDay(db, wanted).then((rows) => eventItems(rows, actor, true)) : [],
    wants('task') ? store.listTasks(db, wanted).then((rows) => taskItems(rows, actor)) : [],
    wants('caseDate') ? store.listCaseDates(db, wanted).then((rows) => dateItems(rows, actor)) : [],
    wants('deadline')
      ? readDeadlineItems(db, actor, wanted).then((found) => found.map(deadlineItem))
      : [],
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

const plain = { allDay: false, private: false, cancelled: false, hard: false, status: null };

function eventItems(rows: store.EventMoments[], actor: rules.Reader, allDay: boolean): Found[] {
  return rows.map((row) => ({
    id: row.id,
    title: rules.titleFor(row, actor),
    caseId: row.case_id,
    people: row.people,
    start: row.start,
    end: row.end,
    form: {
      ...plain,
      type: 'event',
      kind: rules.kindFor(row, actor),
      allDay,
      private: row.is_private,
      cancelled: row.is_cancelled,
      canEdit: rules.mayEdit(row, actor),
    },
  }));
}

function taskItems(rows: store.TaskMoments[], actor: rules.Reader): Found[] {
  const open: Form = { ...plain, type: 'task', kind: null, canEdit: actor.permissions.editTasks };
  const done: Form = { ...open, status: 'done' };
  return rows.map((row) => ({
    id: row.id,
    title: row.name,
    caseId: row.case_id,
    people: [row.assigned_to],
    start: row.start,
    end: row.end,
    form: row.is_done ? done : open,
  }));
}

const titles = { opened: 'Opened', incident: 'Date of injury' };

function dateItems(rows: store.CaseDate[], actor: rules.Reader): Found[] {
  const canEdit = actor.permissions.createCases;
  const form: Form = { ...plain, type: 'caseDate', kind: null, allDay: true, canEdit };
  return rows.map(({ case_id: caseId, what, day, people }) => ({
    id: `${caseId}-${what}`,
    title: titles[what],
    caseId,
    people,
    start: toMoment(day),
    end: toMoment(day),
    form,
  }));
}

function deadlineItem(item: Awaited<ReturnType<typeof readDeadlineItems>>[number]): Found {
  const { id, title, caseId, people, start, end, ...form } = item;
  return { id, title, caseId, people, start: toMoment(start), end: toMoment(end), form };
}

/** Soonest first; days begin when the reader's do. */
function inOrderOfTime(items: Found[], zone: string): Found[] {
  const days = new Map<number, number>();
  const begin = (day: number) => {
    const known = days.get(day) ?? toMoment(startOfDay(dayOfMoment(day), zone).toISOString());
    days.set(day, known);
    return known;
  };
  return items
    .map((item) => ({ item, at: item.form.allDay ? begin(item.start) : item.start }))
    .toSorted((a, b) => a.at - b.at || Number(b.item.form.allDay) - Number(a.item.form.allDay))
    .map(({ item }) => item);
}

type Names = { cases: Map<string, string>; people: Map<string, Person> };

async function findNames(db: Scoped, items: Found[]): Promise<Names> {
  const caseIds = new Set<string>();
  const peopleIds = new Set<string>();
  for (const { caseId, people } of items) {
    if (caseId !== null) caseIds.add(caseId);
    for (const id of people) peopleIds.add(id);
  }
  const [cases, people] = await Promise.all([
    store.findCaseNames(db, [...caseIds]),
    findPeople(db, [...peopleIds]),
  ]);
  return { cases, people };
}

/** Distinct values in the order in which they came first. */
class Distinct<Value> {
  readonly values: Value[] = [];
  readonly #places = new Map<unknown, number>();

  /** @param key the same for the same value */
  placeOf(key: unknown, make: () => Value): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.values.length);
    return this.values.push(make()) - 1;
  }
}

function toGrid(found: Found[], names: Names): Omit<CalendarGrid, 'isCut' | 'expandedTo'> {
  const forms = new Distinct<Form>();
  const titles = new Distinct<string>();
  const cases = new Distinct<[string, string]>();
  const teams = new Distinct<Person[]>();
  // A name of each form, built once for those that are one object.
  const keys = new Map<Form, string>();
  const keyOf = (form: Form) => {
    const key = keys.get(form) ?? JSON.stringify(form);
    keys.set(form, key);
    return key;
  };
  const caseOf = (id: string | null) => {
    const name = id === null ? undefined : names.cases.get(id);
    return id === null || name === undefined ? -1 : cases.placeOf(id, () => [id, name]);
  };
  const named = (ids: string[]) =>
    ids.map((id) => names.people.get(id)).filter((person) => person !== undefined);
  return {
    items: {
      id: found.map(({ id }) => id),
      form: found.map(({ form }) => forms.placeOf(keyOf(form), () => form)),
      title: found.map(({ title }) => titles.placeOf(title, () => title)),
      case: found.map(({ caseId }) => caseOf(caseId)),
      team: found.map(({ people }) => teams.placeOf(people.join(), () => named(people))),
      start: found.map(({ start }) => start),
      end: found.map(({ end }) => end),
    },
    forms: forms.values,
    titles: titles.values,
    cases: cases.values,
    teams: teams.values,
  };
}
