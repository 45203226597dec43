const formats = new Map<string, Intl.DateTimeFormat>();
const DAY = 86_400_000;

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}

/** How far a zone's clocks are ahead of UTC, in milliseconds. */
function offsetAt(zone: string, time: number): number {
  const parts = formatOf(zone).formatToParts(time);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value ?? 0);
  const days = Date.UTC(part('year'), part('month') - 1, part('day'));
  return days + Date.UTC(1970, 0, 1, part('hour'), part('minute'), part('second')) - time;
}

/**
 * The instant of a wall time. A time that occurs twice is its first; one that a change of clocks leaves out is as long
 * after midnight as on other days.
 */
function instantOf(day: string, time: string, zone: string): Date {
  const wall = Date.parse(`${day}T${time}:00Z`);
  // Offsets a day before and after are those on both sides of a change.
  const offsets = [offsetAt(zone, wall - DAY), offsetAt(zone, wall + DAY)];
  const candidates = offsets.map((offset) => wall - offset);
  const real = candidates.filter((at) => at + offsetAt(zone, at) === wall);
  return new Date(real.length > 0 ? Math.min(...real) : Math.max(...candidates));
}

/** When a date has passed; without a time at the end of the day in that zone. */
export function dueAt({ date, time }: { date: string; time: string | null }, zone: string): Date {
  if (time !== null) return instantOf(date, time, zone);
  const next = new Date(Date.parse(`${date}T00:00:00Z`) + DAY).toISOString().slice(0, 10);
  return instantOf(next, '00:00', zone);
}
