// Feeds of the calendar for programs elsewhere.

import { Readable } from 'node:stream';
import type * as z from 'zod/mini';
import {
  FEEDS_MAX,
  type Feed,
  type NewFeedSchema,
} from '@matterdesk/contract/calendar-exchange.ts';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { permissionsBy } from '@matterdesk/contract/permissions.ts';
import { type ActorContext, type Context, asActor, write } from '../../../context.ts';
import { nowAt } from '../../../core/dates.ts';
import { isId } from '../../../core/ids.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { FeedRow } from '../../../db/schema-calendar.ts';
import type { Executor } from '../../../db/schema.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { writeCalendar } from '../../../integrations/icalendar/write.ts';
import { requireActive } from '../../accounts/service.ts';
import { readFirm } from '../../firm/service.ts';
import { requireParts } from '../service.fields.ts';
import { readCalendar } from '../service.items.ts';
import { findPeople } from '../store.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** A feed's version and text; the text is null for a reader who has this version. */
type FeedContent = { tag: string; text: Readable | null };

export async function listFeeds(context: ActorContext): Promise<{ feeds: Feed[] }> {
  const db = asActor(context);
  return { feeds: await toFeeds(db, await store.listFeeds(db, context.actor.id)) };
}

/** @throws Refusal invalidInput for an unknown matter or unknown people, conflict for too many */
export async function addFeed(context: ActorContext, input: z.output<typeof NewFeedSchema>) {
  const { publicUrl } = context.config;
  return write(context, async (unit) => {
    await requireActive(unit.trx, context.actor);
    await requireParts(unit, { asked: { people: input.people, case: input.case } });
    await store.lockOwner(unit.trx, context.actor.id);
    if ((await store.countFeeds(unit.trx, context.actor.id)) >= FEEDS_MAX)
      throw new Refusal('conflict', `You have ${FEEDS_MAX} feeds already. Revoke one first.`);
    const { people, case: case_id, ...others } = input;
    const row = { ...others, case_id, people: [...new Set(people)], user_id: context.actor.id };
    const { id, token } = await store.insertFeed(unit.trx, row);
    const feed = await findFeed(unit, id);
    await unit.record({ ...about(feed), action: 'created', after: feed });
    return { feed, url: `${publicUrl}/api/v1/calendar/feed/${token}.ics` };
  });
}

async function findFeed(unit: Unit, id: string): Promise<Feed> {
  const row = await store.findFeed(unit.trx, id);
  const [feed] = row ? await toFeeds(unit.trx, [row]) : [];
  if (!feed) throw notFound('Feed');
  return feed;
}

/** @throws Refusal notFound */
export async function revokeFeed(context: ActorContext, id: string): Promise<void> {
  await write(context, async (unit) => {
    const row = isId(id) ? await store.findFeed(unit.trx, id) : undefined;
    const [feed] = row?.user_id === context.actor.id ? await toFeeds(unit.trx, [row]) : [];
    if (!feed || !(await store.deleteFeed(unit.trx, { id, userId: context.actor.id })))
      throw notFound('Feed');
    await unit.record({ ...about(feed), action: 'revoked', before: feed });
  });
}

/**
 * Writes what the feed's owner may see now.
 * @param known versions that the reader has
 * @throws Refusal notFound for a revoked feed or a deactivated owner
 */
export async function readFeed(
  context: Context,
  token: string,
  known: string | undefined,
): Promise<FeedContent> {
  const now = new Date();
  const { db } = context;
  const feed = await store.openFeed(db, token);
  if (!feed) throw notFound('Feed');
  await store.noteReading(db, feed.id);
  const { timeZone } = await readFirm(context);
  const days = rules.daysOf(nowAt(now, timeZone).day);
  const own = db.as({ id: feed.user_id });
  const reader = { id: feed.user_id, permissions: permissionsBy(() => false) };
  const query = { ...rules.queryOf(feed), ...days, timeZone };
  const items = rules.isEmpty(feed) ? [] : (await readCalendar(context, reader, query)).items;
  const [facts, numbers] = await Promise.all([
    store.findEventDetails(own, { ids: idsOf(items, ofEvent), reader: reader.id }),
    store.findNumbers(own, idsOf(items, ofCase)),
  ]);
  const entries = items.map((item) =>
    rules.entryOf(
      { item, facts: facts.get(item.id), caseNo: numbers.get(item.case?.id ?? '') },
      feed.detail,
    ),
  );
  const tag = rules.tagOf(feed, entries);
  if (rules.isKnown(known, tag)) return { tag, text: null };
  const about = { name: feed.name, method: 'PUBLISH', at: now } as const;
  return { tag, text: Readable.from(writeCalendar(about, entries)) };
}

type IdOfItem = (item: CalendarItem) => string | undefined;

const ofEvent: IdOfItem = ({ type, id }) => (type === 'event' ? id : undefined);
const ofCase: IdOfItem = (item) => item.case?.id;

function idsOf(items: CalendarItem[], named: IdOfItem): string[] {
  return [...new Set(items.map(named).filter((id) => id !== undefined))];
}

function about({ id, case: of }: Feed) {
  return { entity: 'feed', entityId: id, ...(of && { caseId: of.id }) } as const;
}

async function toFeeds(db: Executor, rows: FeedRow[]): Promise<Feed[]> {
  const people = await findPeople(db, [...new Set(rows.flatMap((row) => row.people))]);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    people: row.people.map((id) => people.get(id)).filter((person) => person !== undefined),
    kinds: row.kinds,
    // A matter that its owner no longer sees has no name; the feed is empty until they see it again.
    case:
      row.case_id === null ? null : { id: row.case_id, caseName: row.case_name ?? 'Not available' },
    detail: row.detail,
    createdAt: row.created_at.toISOString(),
    readAt: row.read_at?.toISOString() ?? null,
  }));
}
