import { Readable } from 'node:stream';
import { FEEDS_MAX, type Feed, type NewFeedSchema } from '@matterdesk/contract/calendar-feeds.ts';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { permissionsBy } from '@matterdesk/contract/permissions.ts';
import type * as z from 'zod/mini';
import type { Actor } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { FeedRow } from '../../../db/schema-calendar.ts';
import type { Database, Executor } from '../../../db/schema.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import { writeCalendar } from '../../../integrations/icalendar/write.ts';
import { dayIn } from '../rules.times.ts';
import { requireParts, type Firm, type Neighbours } from '../service.fields.ts';
import type { CalendarReader } from '../service.reading.ts';
import { findPeople } from '../store.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

type Parts = Neighbours & {
  db: Database;
  writer: Writer;
  firm: Firm;
  calendar: CalendarReader;
  publicUrl: string;
};

/** A reading of a feed: its version, and its text in portions; null for a reader who has this version. */
export type Reading = { tag: string; text: Readable | null };

/** Feeds of the calendar for programs elsewhere. */
export class FeedService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.accounts.onDeactivation((unit, userId) => store.deleteFeedsOf(unit.trx, userId));
    parts.accounts.events.onRecovery(({ trx }, userId, since) =>
      store.deleteFeedsOf(trx, userId, since),
    );
  }

  async list(actor: Actor): Promise<{ feeds: Feed[] }> {
    const db = this.#parts.db.as(actor);
    return { feeds: await toFeeds(db, await store.listFeeds(db, actor.id)) };
  }

  /** @throws Refusal invalidInput for an unknown matter or unknown people, conflict for too many */
  async add(actor: Actor, input: z.output<typeof NewFeedSchema>) {
    const { writer, accounts, publicUrl } = this.#parts;
    return writer.run(actor, async (unit) => {
      await accounts.requireActive(unit.trx, actor);
      await requireParts(unit, this.#parts, { asked: { people: input.people, case: input.case } });
      await store.lockOwner(unit.trx, actor.id);
      if ((await store.countFeeds(unit.trx, actor.id)) >= FEEDS_MAX)
        throw new Refusal('conflict', `You have ${FEEDS_MAX} feeds already. Revoke one first.`);
      const { people, case: case_id, ...others } = input;
      const row = { ...others, case_id, people: [...new Set(people)], user_id: actor.id };
      const { id, token } = await store.insertFeed(unit.trx, row);
      const feed = await this.#find(unit, id);
      await unit.record({ ...about(feed), action: 'created', after: feed });
      return { feed, url: `${publicUrl}/api/v1/calendar/feed/${token}.ics` };
    });
  }

  async #find(unit: Unit, id: string): Promise<Feed> {
    const row = await store.findFeed(unit.trx, id);
    const [feed] = row ? await toFeeds(unit.trx, [row]) : [];
    if (!feed) throw notFound('Feed');
    return feed;
  }

  /** @throws Refusal notFound */
  async revoke(actor: Actor, id: string): Promise<void> {
    await this.#parts.writer.run(actor, async (unit) => {
      const row = isId(id) ? await store.findFeed(unit.trx, id) : undefined;
      const [feed] = row?.user_id === actor.id ? await toFeeds(unit.trx, [row]) : [];
      if (!feed || !(await store.deleteFeed(unit.trx, { id, userId: actor.id })))
        throw notFound('Feed');
      await unit.record({ ...about(feed), action: 'revoked', before: feed });
    });
  }

  /**
   * What the feed's owner may see now.
   * @param known versions that the reader has
   * @throws Refusal notFound for a revoked feed or a deactivated owner
   */
  async read(token: string, known: string | undefined): Promise<Reading> {
    const now = new Date();
    const { db, firm, calendar } = this.#parts;
    const feed = await store.openFeed(db, token);
    if (!feed) throw notFound('Feed');
    await store.noteReading(db, feed.id);
    const { timeZone } = await firm.read();
    const days = rules.daysOf(dayIn(timeZone, now));
    const own = db.as({ id: feed.user_id });
    const reader = { id: feed.user_id, permissions: permissionsBy(() => false) };
    const query = { ...rules.queryOf(feed), ...days, timeZone };
    const items = rules.isEmpty(feed) ? [] : (await calendar.read(reader, query)).items;
    const [facts, numbers] = await Promise.all([
      store.findFacts(own, { ids: idsOf(items, ofEvent), reader: reader.id }),
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
}

type Named = (item: CalendarItem) => string | undefined;

const ofEvent: Named = ({ type, id }) => (type === 'event' ? id : undefined);
const ofCase: Named = (item) => item.case?.id;

function idsOf(items: CalendarItem[], named: Named): string[] {
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
