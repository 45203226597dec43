import { counted } from '../../core/words.ts';
const units = [
  { minutes: 10_080, name: 'week' },
  { minutes: 1440, name: 'day' },
  { minutes: 60, name: 'hour' },
  { minutes: 1, name: 'minute' },
] as const;

/** '1 day before', '90 minutes before', 'At the start'. */
export function reminderInWords(minutes: number): string {
  if (minutes === 0) return 'At the start';
  const unit = units.find((known) => minutes % known.minutes === 0) ?? units[3];
  const count = minutes / unit.minutes;
  return `${counted(count, unit.name)} before`;
}
