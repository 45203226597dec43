import type { ComponentProps } from 'react';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import type { IntakeFinder as Finding, MakeIntake } from '../../../core/slots.ts';
import { useResource } from '../../../core/use-resource.ts';
import { intakeList } from '../slice.ts';

/** Intakes looked at. */
const MAX_CHECKED = 20;

/** The open intake of an address, or one that was entered since. */
export function IntakeFinder({ address, since, children }: ComponentProps<Finding>) {
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

/** For pages where an intake is made now and then: the rest of intakes is loaded at the click. */
export const makeIntake: MakeIntake = async (from, idempotencyKey) =>
  (await (await import('../api.ts')).addIntake({ body: from, idempotencyKey })).intake;
