import {
  formatRecurrence,
  OCCURRENCES_MAX,
  parseRecurrence,
} from '@matterdesk/contract/recurrence.ts';

/** An event's recurrence as form inputs: the rule without its end, and the end. */
export type Repeats = {
  repeats: string;
  ends: '' | 'until' | 'count';
  until: string;
  count: string;
};

const NEVER: Repeats = { repeats: '', ends: '', until: '', count: '' };

export function repeatsOf(rule: string | null): Repeats {
  const read = rule === null ? undefined : parseRecurrence(rule);
  if (!read) return { ...NEVER, repeats: rule ?? '' };
  const { until, count } = read;
  return {
    repeats: formatRecurrence({ ...read, until: null, count: null }),
    ends: until !== null ? 'until' : count !== null ? 'count' : '',
    until: until ?? '',
    count: count === null ? '' : String(count),
  };
}

/** The rule of a form's inputs; null for an event that does not repeat. */
export function ruleOf({ repeats, ends, until, count }: Repeats): string | null {
  if (repeats === '') return null;
  if (ends === 'until') return `${repeats};UNTIL=${until.replaceAll('-', '')}`;
  return ends === 'count' ? `${repeats};COUNT=${count}` : repeats;
}

/** Validation error for the end of a rule, with the name of its input. */
export function faultOf({ repeats, ends, until, count }: Repeats) {
  if (repeats === '' || ends === '') return null;
  if (ends === 'until') {
    return until === '' ? ({ name: 'until', message: 'Last day is required' } as const) : null;
  }
  const isCount = /^[1-9]\d*$/.test(count) && Number(count) <= OCCURRENCES_MAX;
  const message = `Events must be a number from 1 to ${OCCURRENCES_MAX}`;
  return isCount ? null : ({ name: 'count', message } as const);
}

const weekday = (day: string) =>
  ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][new Date(`${day}T00:00:00Z`).getUTCDay()] ?? 'MO';

/** Recurrence options for an event on a day, with labels. */
export function repetitionsOf(start: string): { value: string; label: string }[] {
  const day = start.slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return [];
  const name = new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', {
    weekday: 'long',
    timeZone: 'UTC',
  });
  const date = Number(day.slice(8));
  const tomorrow = new Date(`${day}T00:00:00Z`);
  tomorrow.setUTCDate(date + 1);
  const isLast = tomorrow.getUTCDate() === 1;
  return [
    { value: 'FREQ=DAILY', label: 'Every day' },
    { value: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', label: 'Every weekday' },
    { value: `FREQ=WEEKLY;BYDAY=${weekday(day)}`, label: `Every week on ${name}` },
    { value: `FREQ=WEEKLY;INTERVAL=2;BYDAY=${weekday(day)}`, label: `Every 2 weeks on ${name}` },
    { value: `FREQ=MONTHLY;BYMONTHDAY=${date}`, label: `Every month on day ${date}` },
    ...(isLast
      ? [{ value: 'FREQ=MONTHLY;BYMONTHDAY=-1', label: 'Every month on its last day' }]
      : []),
    { value: 'FREQ=YEARLY', label: 'Every year' },
  ];
}
