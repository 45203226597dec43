// Feeds: calendars that other programs read at a secret address.

import { createHash } from 'node:crypto';
import type { Feed } from '@matterdesk/contract/calendar-exchange.ts';
import { eventKinds, type CalendarItem } from '@matterdesk/contract/calendar.ts';
import { addDays } from '../../../core/dates.ts';
import type { FeedRow } from '../../../db/schema-calendar.ts';
import type { Entry } from '../../../integrations/icalendar/write.ts';

/** Members of events that only feeds with details have. */
export type EventDetails = {
  id: string;
  sequence: number;
  updated_at: Date;
  location: string;
  link: string;
  notes: string;
};

/** Days before and after today. */
const DAYS_BEFORE = 90;
const DAYS_AHEAD = 400;

export function daysOf(today: string): { from: string; to: string } {
  return { from: addDays(today, -DAYS_BEFORE), to: addDays(today, DAYS_AHEAD) };
}

/** The calendar query of a feed. Only events take time, so `busy` has nothing else. */
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

/** An item of the calendar, with its details and the number of its case. */
type FeedItem = {
  item: CalendarItem;
  facts: EventDetails | undefined;
  caseNo: string | undefined;
};

/** An item as its feed shows it. */
export function entryOf({ item, facts, caseNo }: FeedItem, detail: Feed['detail']): Entry {
  const { id, type, allDay, start, end, cancelled } = item;
  return {
    uid: uidOf(id),
    sequence: facts?.sequence ?? 0,
    modified: facts?.updated_at.toISOString(),
    allDay,
    // Other calendars need to know when a task is due, not when work on it begins.
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

/** Names would reveal the firm's clients to strangers, so only `full` has them. */
function textOf({ item, facts, caseNo }: FeedItem, detail: 'brief' | 'full'): Texts {
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

/** A version that changes only with what the feed shows. */
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
