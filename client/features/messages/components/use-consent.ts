import type { Consent } from '@matterdesk/contract/messages.ts';
import { useResource } from '../../../core/use-resource.ts';
import { consentOf } from '../api.ts';

/** What a number last said about texts. */
export function useConsent(number: string): Consent | null {
  return useResource(consentOf, number).data?.consent ?? null;
}
