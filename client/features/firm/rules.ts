import * as z from 'zod/mini';
import { FirmPatchSchema, secondFactorRules, type Firm } from '@matterdesk/contract/firm.ts';
import { zoneNamed } from '@matterdesk/contract/time.ts';

const SECOND_FACTOR: Record<Firm['secondFactor'], string> = {
  optional: 'Optional',
  admins: 'Required for admins',
  everyone: 'Required for everyone',
};
export const secondFactorOptions = secondFactorRules.map((value) => ({
  value,
  label: SECOND_FACTOR[value],
}));

export const SetUpSchema = z.required(
  z.pick(FirmPatchSchema, { name: true, timeZone: true, morning: true, address: true }),
);

/** Proposals for a new firm: it is where its first admin's browser is, unless that is set to no place. */
export function firstSettings(
  { name, timeZone, morning, address }: Firm,
  browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone,
) {
  const place = zoneNamed(browserZone);
  const isKnown = place !== undefined && place !== 'UTC';
  return { name, timeZone: isKnown ? place : timeZone, morning, address };
}
