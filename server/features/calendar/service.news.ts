import { listCalendarEditors } from '../../db/audiences.ts';
import type { FullRow } from '../../db/schema-calendar.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import * as rules from './rules.ts';

/**
 * Published as each reader sees it: with its source to the organizer, as one's own to those who may change it, and
 * masked, when it is private, to everyone else.
 */
export async function publishEvent(
  unit: Unit,
  name: 'event.created' | 'event.updated',
  row: FullRow,
): Promise<void> {
  const { organizer_id: organizer, people, is_private: isPrivate, source } = row;
  const editors = isPrivate ? [] : await listCalendarEditors(unit.trx);
  const own = new Set([organizer, ...people, ...editors]);
  const others = [...own].filter((id) => id !== organizer);
  const event = rules.toEvent(row);
  const editable = { ...event, canEdit: true };
  unit.emit(name, { ...editable, source }, { among: { userIds: [organizer] } });
  unit.emit(name, editable, { among: { userIds: others } });
  unit.emit(name, isPrivate ? rules.masked(event) : event, { among: { except: [...own] } });
}

/** Occurrences of a series changed, of each of these matters. */
export function publishSeries(
  unit: Unit,
  series: string | null,
  cases: (string | undefined)[],
): void {
  for (const of of new Set(cases)) unit.emit('series.changed', { series, case: of ?? null });
}
