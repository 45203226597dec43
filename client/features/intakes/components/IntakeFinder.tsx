import type { ComponentProps } from 'react';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import type { IntakeFinder as IntakeFinderSlot, MakeIntake } from '../../../core/slots.ts';
import { useResource } from '../../../core/use-resource.ts';
import { intakeList } from '../slice.ts';

/** Most intakes to check for the address. */
const MAX_CHECKED = 20;

/** The open intake of an address, or one that was entered since. */
export function IntakeFinder({ address, since, children }: ComponentProps<IntakeFinderSlot>) {
  const search = address.includes('@') ? address : lastDigits(address);
  const query = { tab: 'all', owner: '', search, limit: MAX_CHECKED } as const;
  const { data } = useResource(intakeList, search === '' ? null : query);
  const made = data?.intakes.find(
    (intake) =>
      isOf(intake, address) &&
      (isOpen(intake) ||
        (since !== undefined && Date.parse(intake.receivedAt) >= Date.parse(since))),
  );
  return children(made?.id ?? null);
}

function isOf({ email, phoneNumber }: Intake, address: string): boolean {
  if (address.includes('@')) return email?.toLowerCase() === address.toLowerCase();
  return phoneNumber !== null && lastDigits(phoneNumber) === lastDigits(address);
}

const closed: readonly Intake['stage'][] = ['accepted', 'declined', 'referred'];

function isOpen({ stage }: Intake): boolean {
  return !closed.includes(stage);
}

/** A number without its country. */
function lastDigits(number: string): string {
  return number.replaceAll(/\D/g, '').slice(-10);
}

/** Loads the API of intakes on click, since most visits to these pages make no intake. */
export const makeIntake: MakeIntake = async (from, idempotencyKey) =>
  (await (await import('../api.ts')).addIntake({ body: from, idempotencyKey })).intake;
