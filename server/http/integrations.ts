import { integrationRoutes, type Integrations } from '@matterdesk/contract/integrations.ts';
import type { Config } from '../config.ts';
import type { Binder } from './bind.ts';

/** For each integration, a sentence on what the administrator must set up; null when it is configured. */
export function missingSetupOf({
  google,
  twilio,
}: Pick<Config, 'google' | 'twilio'>): Integrations {
  return {
    google: google
      ? null
      : "Email isn't set up yet. Ask your administrator to set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET (see docs/google.md).",
    twilio: twilio
      ? null
      : "Texting isn't set up yet. Ask your administrator to set TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN (see docs/twilio.md).",
  };
}

export function bindIntegrations(binder: Binder, missingSetup: Integrations) {
  binder.bind(integrationRoutes.listIntegrations, async () => missingSetup);
}
