import { daysBetween, distanceInWords, localDay, useToday } from '../../../ui/days.ts';

/** '2 days late' in red beside the end of a task whose day is over; else nothing. */
export function Lateness({ endTime }: { endTime: string }) {
  const left = daysBetween(useToday(), localDay(new Date(endTime)));
  if (left >= 0) return null;
  return <span className="ml-1.5 font-medium text-red">{distanceInWords(left)}</span>;
}
