// Feeds: what other calendar programs read under a secret address.

import { createHash } from 'node:crypto';
import type { Feed } from '@matterdesk/contract/calendar-feeds.ts';
import { eventKinds, type CalendarItem } from '@matterdesk/contract/calendar.ts';
import { addDays } from '../../../core/days.ts';
import type { FeedRow } from '../../../db/schema-calendar.ts';
import type { Entry } from '../../../integrations/icalendar/write.ts';

/** What feeds say of events beside what every calendar shows. */
export type Facts = {
  id: string;
  sequence: number;
  updated_at: Date;
  location: string;
  link: string;
  notes: string;
};

/** Days before and after today. */
const BEFORE = 90;
const AHEAD = 400;

export function daysOf(today: string): { from: string; to: string } {
  return { from: addDays(today, -BEFORE), to: addDays(today, AHEAD) };
}

/** What a feed asks a calendar for; only events take time, so that `busy` has nothing else. */
export function queryOf(feed: Pick<FeedRow, 'people' | 'kinds' | 'case_id' | 'detail'>) {
  const { people, kinds, case_id: caseId, detail } = feed;
  const isWanted = (kind: string) => kinds.length === 0 || kinds.some((known) => known === kind);
  const names = detail === 'busy' ? eventKinds.filter(isWanted) : kinds;
  return {
    ...(people.length > 0 && { people: people.join(',') }),
    ...(names.length > 0 && { kinds: names.join(',') }),
    ...(caseId !== null && { case: caseId }),
  };
}

/** True for a feed of busy times that names no kind of event. */
export function isEmpty({ kinds, detail }: Pick<FeedRow, 'kinds' | 'detail'>): boolean {
  const hasEvents = eventKinds.some((kind) => kinds.includes(kind));
  return detail === 'busy' && kinds.length > 0 && !hasEvents;
}

const labels: Record<string, string> = {
  courtDate: 'Court date',
  hearing: 'Hearing',
  trial: 'Trial',
  deposition: 'Deposition',
  mediation: 'Mediation',
  meeting: 'Meeting',
  reminder: 'Reminder',
  other: 'Event',
};

/** An item of the calendar, what is known about it beside, and the number of its case. */
export type Found = {
  item: CalendarItem;
  facts: Facts | undefined;
  caseNo: string | undefined;
};

/** An item as its feed shows it. */
export function entryOf({ item, facts, caseNo }: Found, detail: Feed['detail']): Entry {
  const { id, type, allDay, start, end, cancelled } = item;
  return {
    uid: uidOf(id),
    sequence: facts?.sequence ?? 0,
    modified: facts?.updated_at.toISOString(),
    allDay,
    // Work on a task begins long before it is due, which is what matters elsewhere.
    start: type === 'task' ? end : start,
    end,
    isCanceled: cancelled,
    isBusy: type === 'event',
    ...(detail === 'busy' ? busy : textOf({ item, facts, caseNo }, detail)),
  };
}

function uidOf(id: string): string {
  return `${id}@matterdesk`;
}

type Texts = Pick<Entry, 'title' | 'location' | 'link' | 'description' | 'category'>;

const nothing = { location: '', link: '', description: '', category: '' };
const busy: Texts = { ...nothing, title: 'Busy' };

/** Elsewhere a name would tell strangers who the firm's clients are: only `full` has it. */
function textOf({ item, facts, caseNo }: Found, detail: 'brief' | 'full'): Texts {
  const category = facts || !item.private ? labelOf(item) : busy.title;
  const number = caseNo === undefined ? [] : [caseNo];
  if (detail === 'brief') return { ...nothing, category, title: [category, ...number].join(' · ') };
  const matter = item.case ? [[item.case.caseName, ...number].join(' · ')] : [];
  const notes = facts?.notes ? [facts.notes] : [];
  return {
    title: item.type === 'event' ? item.title : `${category}: ${item.title}`,
    location: facts?.location ?? '',
    link: facts?.link ?? '',
    description: [...matter, ...notes].join('\n\n'),
    category,
  };
}

function labelOf({ type, kind, title }: CalendarItem): string {
  if (type === 'deadline') return 'Deadline';
  if (type === 'task') return 'Task';
  if (type === 'caseDate') return title;
  return labels[kind ?? 'other'] ?? 'Event';
}

/** Changes with everything that the feed shows, and with nothing else. */
export function tagOf(feed: Pick<FeedRow, 'name' | 'detail'>, entries: Entry[]): string {
  const hash = createHash('sha256').update(JSON.stringify([feed.name, feed.detail]));
  for (const entry of entries) hash.update(JSON.stringify(entry));
  return `W/"${hash.digest('base64url')}"`;
}

/** Whether the reader has this version already (RFC 9110, 13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(tag.slice(2));
}
