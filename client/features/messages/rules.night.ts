import { keepInTab, keptInTab } from '../../core/tab-storage.ts';
import { localDay } from '../../ui/days.ts';
import { quietHours, zoneOf } from './rules.zones.ts';

/** An evening and the following morning count as the night of the same day. */
const HALF_A_DAY = 12 * 3_600_000;

/** Why a text to the number may wake someone now; null by day, and once this was accepted for the night. */
export function quietHoursWarning(number: string, now: Date): string | null {
  return keptInTab(keptAs(number)) === nightOf(now) ? null : quietHours(zoneOf(number), now);
}

export function acceptQuietHours(number: string, now: Date): void {
  keepInTab(keptAs(number), nightOf(now));
}

function keptAs(number: string) {
  return `quiet-${number}`;
}

function nightOf(now: Date) {
  return localDay(new Date(now.getTime() - HALF_A_DAY));
}
