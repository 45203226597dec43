import * as z from 'zod/mini';
import type { Run, Threads } from '../threads.ts';

/** Milliseconds for a file. */
const READ_TIMEOUT_MS = 10_000;

/** Reads calendars in a thread, which is ended when it takes too long. */
export class CalendarFileReader {
  readonly #run: Run<CalendarTask, CalendarResult>;

  constructor(threads: Threads) {
    const file = new URL('read.ts', import.meta.url);
    this.#run = threads.open({ file, name: 'readCalendar', timeoutMs: READ_TIMEOUT_MS });
  }

  async read(task: CalendarTask): Promise<CalendarResult> {
    try {
      return await this.#run(task);
    } catch {
      return { problem: 'The file takes too long to read' };
    }
  }
}

/** The most occurrences of a series, and events of a file. */
export const MAX_OCCURRENCES = 730;
export const MAX_EVENTS = 5000;

/** A calendar to read, and the reader's time zone and day. */
export type CalendarTask = {
  text: string;
  /** The zone of times that name none. */
  timeZone: string;
  /** Today in that zone. */
  today: string;
};

const text = z.string();

/** A time at which an event takes place: instants, or the first and the last day. */
const TimeSchema = z.object({
  start: text,
  end: text,
  /** Which one of a series it is, wherever it was moved to; empty for a single event. */
  slot: text,
});
export type ReadTime = z.infer<typeof TimeSchema>;

const ReadEventSchema = z.object({
  uid: text,
  sequence: z.number(),
  stamp: z.nullable(text),
  isCanceled: z.boolean(),
  title: text,
  location: text,
  link: text,
  notes: text,
  allDay: z.boolean(),
  timeZone: text,
  times: z.array(TimeSchema),
  /** The rule of a series without changed or skipped occurrences. */
  rule: z.nullable(text),
  /** True for changes of some occurrences, without the series itself. */
  isPart: z.boolean(),
  /** The address in lower case; empty without an organizer. */
  organizer: text,
  /** Why it cannot be taken. */
  problem: z.nullable(text),
});
export type ReadEvent = z.infer<typeof ReadEventSchema>;

const CalendarResultSchema = z.union([
  z.object({ problem: text }),
  z.object({ method: text, events: z.array(ReadEventSchema).check(z.maxLength(MAX_EVENTS)) }),
]);
export type CalendarResult = z.infer<typeof CalendarResultSchema>;

/** Its message is for people. */
export class UnreadableCalendar extends Error {}
