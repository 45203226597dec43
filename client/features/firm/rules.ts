import { secondFactorRules, type Firm, type FirmPatch } from '@matterdesk/contract/firm.ts';

const SECOND_FACTOR: Record<Firm['secondFactor'], string> = {
  optional: 'Optional',
  admins: 'Required for admins',
  everyone: 'Required for everyone',
};
export const secondFactorOptions = secondFactorRules.map((value) => ({
  value,
  label: SECOND_FACTOR[value],
}));

/** The time zones that the browser knows, and the one that is set. */
export function zoneOptions(current: string) {
  const known = Intl.supportedValuesOf('timeZone');
  const zones = known.includes(current) ? known : [current, ...known];
  return zones.map((id) => ({ id, label: id.replaceAll('_', ' ') }));
}

/** Only the changed settings, so that two admins do not undo each other's changes. */
export function patchOf(before: Firm, after: Firm): FirmPatch {
  const changed = Object.entries(after).filter(
    ([name, value]) => value !== before[name as keyof Firm],
  );
  return Object.fromEntries(changed);
}
