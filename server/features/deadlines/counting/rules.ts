// Counting by the Federal Rules of Civil Procedure.

import type {
  Computation,
  ComputedDate,
  CountLine,
  Holiday,
  Jurisdiction,
} from '@matterdesk/contract/court-rules.ts';
import { addDays, addMonths, dateInWords } from '../../../core/dates.ts';
import type { CountingRule } from '../../../db/schema-deadlines.ts';

/** A period without its jurisdiction. */
export type Span = Omit<Computation, 'jurisdiction'>;
/** The calendar that decides which days are court days. */
export type Court = Pick<Jurisdiction, 'name' | 'weekend' | 'holidays'>;
/** Text of the first line, and the authority for the count. */
type SpanWords = { trigger?: string; authority?: string };

const MONTHS_OF_YEAR = 12;
const DAYS_OF_WEEK = 7;
/** Court days are at most this far apart, unless a table of holidays fills a year. */
const MAX_DAYS_APART = 366;

/** One computation, with the lines and warnings so far. */
class Count {
  readonly lines: CountLine[] = [];
  readonly warnings = new Set<string>();
  readonly #court: Court;
  readonly #span: Span;
  readonly #holidays: Map<string, Holiday>;

  constructor(court: Court, span: Span) {
    this.#court = court;
    this.#span = span;
    const counted = court.holidays.filter(
      // State holidays extend periods that run after an event only: FRCP 6(a)(6)(C).
      ({ forwardOnly }) => !forwardOnly || span.direction === 'after',
    );
    this.#holidays = new Map(counted.map((holiday) => [holiday.date, holiday]));
  }

  get sign(): 1 | -1 {
    return this.#span.direction === 'before' ? -1 : 1;
  }

  note(line: CountLine): void {
    this.lines.push(line);
    this.#checkYear(line.date);
  }

  /** The reason why a day is not a court day; undefined for court days. */
  #reason(day: string): string | undefined {
    const holiday = this.#holidays.get(day);
    if (holiday) return holiday.name;
    return this.#court.weekend.includes(weekdayOf(day)) ? weekdayName(day) : undefined;
  }

  /** Moves a last day that is not a court day, by FRCP 6(a)(1)(C) and (5) or by the span's own rule. */
  roll(day: string): string {
    const { roll } = this.#span;
    if (roll === 'none') return day;
    const sign = roll ? { forwards: 1, backwards: -1 }[roll] : this.sign;
    const first = this.#reason(day);
    if (first === undefined) return day;
    const reached = this.#courtDay(day, sign);
    const which = sign > 0 ? 'next' : 'previous';
    const authority = sign > 0 ? 'FRCP 6(a)(1)(C)' : 'FRCP 6(a)(5)';
    this.note({ text: `${first}, ${which} court day`, authority, date: reached });
    return reached;
  }

  /** The nearest court day beyond this one. */
  #courtDay(from: string, sign: number): string {
    let day = from;
    for (let step = 0; step < MAX_DAYS_APART; step += 1) {
      this.#checkObserved(day);
      if (step > 0 && this.#reason(day) === undefined) return day;
      day = addDays(day, sign);
    }
    return day;
  }

  countCourtDays(from: string, count: number): string {
    let day = from;
    for (let left = count; left > 0; left -= 1) {
      day = addDays(day, this.sign);
      if (this.#reason(day) !== undefined) day = this.#courtDay(day, this.sign);
    }
    return day;
  }

  /** Observed days come from the leave rules of federal employees. Courts follow them, with exceptions. */
  #checkObserved(day: string): void {
    const name = this.#holidays.get(day)?.name;
    if (name?.endsWith('(observed)'))
      this.warnings.add(`${dateInWords(day)} was skipped as ${name}: check the court’s calendar`);
  }

  #checkYear(day: string): void {
    const year = day.slice(0, 4);
    if (!this.#court.holidays.some(({ date }) => date.startsWith(year)))
      this.warnings.add(`${this.#court.name} has no holidays for ${year}: check them yourself`);
  }
}

/**
 * Counts a period by FRCP 6(a) and (d). The day of the event does not count; a last day that is not a court day moves on
 * in the direction of counting; days for service follow that end, and roll again.
 */
export function countDate(court: Court, span: Span, words: SpanWords = {}): ComputedDate {
  const count = new Count(court, span);
  const trigger = words.trigger ?? 'Trigger';
  count.note({ text: `${trigger}: not counted`, authority: 'FRCP 6(a)(1)(A)', date: span.date });
  const counted = advance(count, span);
  count.note({ text: spanInWords(span), authority: words.authority ?? '', date: counted });
  let date = count.roll(counted);
  if (span.service) {
    date = addDays(date, count.sign * span.service);
    const days = span.service === 1 ? 'day' : 'days';
    const text = `${signOf(span)} ${span.service} ${days} for service`;
    count.note({ text, authority: 'FRCP 6(d)', date });
    date = count.roll(date);
  }
  return { date, lines: count.lines, warnings: [...count.warnings] };
}

/** Counts a step of a rule from the day of its trigger. */
export function countStep(
  court: Court,
  { counting, date, title }: { counting: CountingRule; date: string; title: string },
): ComputedDate {
  const { authority, jurisdiction: _, ...span } = counting;
  return countDate(court, { ...span, date }, { trigger: title, authority });
}

function advance(count: Count, { date, unit, count: number }: Span): string {
  const steps = count.sign * number;
  if (unit === 'courtDays') return count.countCourtDays(date, number);
  if (unit === 'months') return addMonths(date, steps);
  if (unit === 'years') return addMonths(date, steps * MONTHS_OF_YEAR);
  return addDays(date, unit === 'weeks' ? steps * DAYS_OF_WEEK : steps);
}

const units = {
  days: ['day', 'days'],
  courtDays: ['court day', 'court days'],
  weeks: ['week', 'weeks'],
  months: ['month', 'months'],
  years: ['year', 'years'],
} as const;

function signOf({ direction }: Span): string {
  return direction === 'before' ? '−' : '+';
}

function spanInWords(span: Span): string {
  const [single, several] = units[span.unit];
  return `${signOf(span)} ${span.count} ${span.count === 1 ? single : several}`;
}

/** ISO day of the week, 1 for Monday. */
function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || DAYS_OF_WEEK;
}

const weekdayFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long' });

function weekdayName(day: string): string {
  return weekdayFormat.format(new Date(`${day}T00:00:00Z`));
}
