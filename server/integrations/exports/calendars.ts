// Calendars of an export: a row for each time at which an event takes place.

import { MAX_EVENTS, type ReadEvent, CalendarFileReader } from '../icalendar/reader.ts';
import { Threads } from '../threads.ts';
import { readLines, type BadRow, type SourceFile, type SourceRow } from './source.ts';

/** Characters of a file: its events are put together by their ids, wherever they are in it. */
const MAX_FILE_LENGTH = 50_000_000;
/** Events that are read at once, far less than the reader takes. */
const AT_ONCE = MAX_EVENTS / 10;

type Clock = { timeZone: string; today: string };

/**
 * Rows are numbered from 1, a repeated event by each of its occurrences, of which a long series keeps those from a
 * month ago on.
 */
export async function* readEvents(
  file: SourceFile,
  clock: Clock,
): AsyncGenerator<SourceRow | BadRow> {
  const bad = { file: file.path, row: null, column: null };
  const parts = await partsOf(file);
  if (!parts) {
    yield { ...bad, message: 'The calendar is larger than 50 MB. Export it in parts.' };
    return;
  }
  if (parts.events.length === 0) {
    yield { ...bad, message: 'The file has no events' };
    return;
  }
  const threads = new Threads();
  try {
    const reader = new CalendarFileReader(threads);
    let row = 0;
    for await (const event of read(reader, parts, clock))
      for (const one of rowsOf(event)) {
        row += 1;
        yield 'message' in one
          ? { ...bad, row, ...one }
          : { file: file.path, row, ...one, rest: {} };
      }
  } finally {
    await threads.close();
  }
}

type Parts = {
  /** Lines before the events, and the zones that they are in. */
  head: string;
  /** All components of an event: a series and its changed occurrences. */
  events: string[];
};

const FOOT = '\r\nEND:VCALENDAR\r\n';

/** Undefined for a file that is too large. */
async function partsOf(file: SourceFile): Promise<Parts | undefined> {
  const head = ['BEGIN:VCALENDAR'];
  const byId = new Map<string, string[]>();
  let event: string[] | undefined;
  let zone: string[] | undefined;
  let uid: string | undefined;
  let length = 0;
  for await (const line of readLines(file)) {
    length += line.length + 2;
    if (length > MAX_FILE_LENGTH) return undefined;
    const word = line.slice(0, 20).trim().toUpperCase();
    if (!event && !zone && word === 'BEGIN:VEVENT') [event, uid] = [[], undefined];
    if (!event && word === 'BEGIN:VTIMEZONE') zone = [];
    if (!event && !zone && word.startsWith('METHOD:')) head.push(line);
    (event ?? zone)?.push(line);
    if (event && word.startsWith('UID:')) uid ??= line.slice(4).trim();
    if (event && word === 'END:VEVENT') {
      const key = uid ?? `no id ${byId.size}`;
      byId.set(key, [...(byId.get(key) ?? []), ...event]);
      event = undefined;
    }
    if (zone && word === 'END:VTIMEZONE') {
      head.push(...zone);
      zone = undefined;
    }
  }
  return {
    head: head.join('\r\n'),
    events: [...byId.values()].map((lines) => lines.join('\r\n')),
  };
}

type UnreadFile = { problem: string };

/** Halves a part that cannot be read, so that one bad event is left alone. */
async function* read(
  reader: CalendarFileReader,
  { head, events }: Parts,
  clock: Clock,
): AsyncGenerator<ReadEvent | UnreadFile> {
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const some = events.slice(from, from + AT_ONCE);
    const text = [head, ...some].join('\r\n') + FOOT;
    const reading = await reader.read({ text, ...clock });
    if (!('problem' in reading)) yield* reading.events;
    else if (some.length === 1) {
      const title = /^SUMMARY[^:\n]*:([^\r\n]{1,200})/im.exec(text)?.[1] ?? 'An event';
      // Without the line number, which counts from the start of this part.
      yield { problem: `${title}: ${reading.problem.replace(/^Line \d+: the/, 'The')}` };
    } else {
      const half = Math.ceil(some.length / 2);
      yield* read(reader, { head, events: some.slice(0, half) }, clock);
      yield* read(reader, { head, events: some.slice(half) }, clock);
    }
  }
}

function* rowsOf(
  event: ReadEvent | UnreadFile,
): Generator<{ cells: Record<string, string> } | { message: string }> {
  if (!('title' in event)) {
    yield { message: event.problem };
    return;
  }
  const { uid, title, location, link, notes, allDay, times, problem, isCanceled } = event;
  if (problem !== null || isCanceled) {
    yield { message: `${title}: ${problem ?? 'it was canceled'}` };
    return;
  }
  for (const { start, end, slot } of times) {
    const cells = { id: slot === '' ? uid : `${uid} ${slot}`, title, start, end };
    const text = [notes, link].filter(Boolean).join('\n');
    yield {
      cells: {
        ...cells,
        ...(allDay && { allDay: 'true' }),
        ...(location && { location }),
        ...(text && { text }),
      },
    };
  }
}
