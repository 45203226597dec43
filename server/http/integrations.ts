import { integrationRoutes, type Integrations } from '@matterdesk/contract/integrations.ts';
import type { Config } from '../config.ts';
import type { Binder } from './bind.ts';

/** What each integration lacks, in a sentence for the administrator; null when it lacks nothing. */
export function lackingOf({ google, twilio }: Pick<Config, 'google' | 'twilio'>): Integrations {
  return {
    google: google
      ? null
      : 'E-mail is not set up yet: an administrator sets GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, as docs/google.md describes.',
    twilio: twilio
      ? null
      : 'Text messages are not set up yet: an administrator sets TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN, as docs/twilio.md describes.',
  };
}

export function bindIntegrations(binder: Binder, lacking: Integrations) {
  binder.bind(integrationRoutes.listIntegrations, async () => lacking);
}
