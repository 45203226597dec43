import { EVENTS_MAX, UnreadableCalendar } from './answers.ts';

/** Characters of a line with its continuations: descriptions are long, but no one reads more. */
const LONGEST_LINE = 200_000;
const DEEPEST = 5;

/** Before the parser sees it: what would make it slow, or its result too large. @throws UnreadableCalendar */
export function requireHarmless(text: string): void {
  let [depth, events, length] = [0, 0, 0];
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    const isContinued = text[at] === ' ' || text[at] === '\t';
    length = isContinued ? length + end - at : end - at;
    if (length > LONGEST_LINE) throw new UnreadableCalendar('A line of the file is too long');
    const word = text
      .slice(at, Math.min(end, at + 20))
      .trim()
      .toUpperCase();
    if (word.startsWith('BEGIN:')) depth += 1;
    if (word.startsWith('END:')) depth -= 1;
    if (depth > DEEPEST) throw new UnreadableCalendar('The file is not a calendar');
    if (word === 'BEGIN:VEVENT') events += 1;
    if (events > EVENTS_MAX) throw tooMany();
    at = end + 1;
  }
}

export function tooMany(): UnreadableCalendar {
  return new UnreadableCalendar(
    `A file can have up to ${EVENTS_MAX.toLocaleString('en-US')} events`,
  );
}
