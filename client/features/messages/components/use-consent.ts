import type { Consent } from '@matterdesk/contract/messages.ts';
import { useResource } from '../../../core/use-resource.ts';
import { consentOf } from '../api.ts';

/** A number's latest opt-in or opt-out. */
export function useConsent(number: string): Consent | null {
  return useResource(consentOf, number).data?.consent ?? null;
}
