import type { FullRow } from '../../db/schema-calendar.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import * as rules from './rules.ts';

/** Private events are published twice: whole to their people, masked to everyone else. */
export function publishEvent(
  unit: Unit,
  name: 'event.created' | 'event.updated',
  row: FullRow,
): void {
  const event = rules.toEvent(row);
  if (!row.is_private) return unit.emit(name, event);
  const own = [...new Set([row.organizer_id, ...row.people])];
  unit.emit(name, event, { audience: { userIds: own } });
  unit.emit(name, rules.masked(event), { audience: { except: own } });
}

/** Occurrences of a series changed, of each of these matters. */
export function publishSeries(
  unit: Unit,
  series: string | null,
  cases: (string | undefined)[],
): void {
  for (const of of new Set(cases)) unit.emit('series.changed', { series, case: of ?? null });
}
