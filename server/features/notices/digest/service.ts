import type { Digest } from '@matterdesk/contract/dashboard.ts';
import { addDays } from '../../../core/days.ts';
import type { FirmClock } from '../../../core/mornings.ts';
import { startOfDay } from '../../../core/zoned-time.ts';
import type { Database } from '../../../db/schema.ts';
import type { Writer } from '../../../db/unit-of-work.ts';
import type { Draft, NoticeService } from '../service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

const WHY = 'each person receives a digest of what they see';
/** People of one transaction. */
const BATCH = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

type Reader = store.Recipient;
type Parts = {
  db: Database;
  writer: Writer;
  firm: { read: () => Promise<FirmClock> };
  notices: NoticeService;
  deadlines: { countCalls: (reader: Reader) => Promise<{ waiting: number; calls: number }> };
  idle: { count: (reader: Reader) => Promise<number> };
};

/** What a day brings to each person, once a day. */
export class DigestService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param day of the firm's calendar, `YYYY-MM-DD` */
  async read(reader: Reader, day: string): Promise<{ digest: Digest; calls: number }> {
    const { db, firm, deadlines, idle } = this.#parts;
    const { timeZone } = await firm.read();
    const begins = startOfDay(day, timeZone);
    const ends = startOfDay(addDays(day, 1), timeZone);
    const [counts, { waiting, calls }, noNextDate] = await Promise.all([
      store.countDay(db.as(reader), reader.id, { day, begins, ends }),
      deadlines.countCalls(reader),
      idle.count(reader),
    ]);
    return { digest: { ...counts, waiting, noNextDate }, calls };
  }

  /** @param signal ends it between two transactions, after which the rest follows */
  async round({ signal }: { signal: AbortSignal }): Promise<void> {
    const { db, writer, firm } = this.#parts;
    const due = rules.dueDigest(await store.readClock(db), await firm.read());
    if (!due || (await store.isWritten(db, due.day))) return;
    const missed = await store.wasOff(db, due.at);
    let people: Reader[] = [];
    do {
      signal.throwIfAborted();
      people = await store.listRecipients(db, people.at(-1)?.id ?? FIRST, BATCH);
      await this.#raise(people, { ...due, missed });
    } while (people.length === BATCH);
    await writer.runAsSystem(null, WHY, ({ trx }) => store.finishDay(trx, due.day));
  }

  /** A repeated one finds the notices that are raised already. */
  async #raise(people: Reader[], due: rules.DigestDay & { missed: boolean }): Promise<void> {
    const drafts: Draft[] = [];
    for (const person of people) {
      const { digest } = await this.read(person, due.day);
      if (due.isWorkday || rules.isAnythingDue(digest)) drafts.push(draftOf(person, digest, due));
    }
    const { writer, notices } = this.#parts;
    await writer.runAsSystem(null, WHY, (unit) => notices.raise(unit, drafts));
  }
}

function draftOf(
  { id }: Reader,
  digest: Digest,
  { day, at, missed }: rules.DigestDay & { missed: boolean },
): Draft {
  return {
    user_id: id,
    case_id: null,
    event_id: null,
    deadline_id: null,
    type: 'digest',
    subject: `digest ${day}`,
    title: rules.titleOf(digest),
    body: rules.bodyOf(digest),
    at,
    missed,
  };
}
