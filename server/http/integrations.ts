import { integrationRoutes } from '@matterdesk/contract/integrations.ts';
import type { Config } from '../config.ts';
import type { Actor } from '../core/actor.ts';
import { Refusal } from '../core/refusal.ts';
import type { Binder, MissingSetup } from './bind.ts';

export function missingSetupOf({
  google,
  twilio,
}: Pick<Config, 'google' | 'twilio'>): MissingSetup {
  return {
    google: google
      ? null
      : new Refusal('notConfigured', "Email isn't set up yet.", {
          steps: 'Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET (see docs/google.md).',
        }),
    twilio: twilio
      ? null
      : new Refusal('notConfigured', "Texting isn't set up yet.", {
          steps: 'Set TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN (see docs/twilio.md).',
        }),
  };
}

export function serveIntegrations(binder: Binder, { google, twilio }: MissingSetup) {
  const sentenceFor = ({ role }: Actor, missing: Refusal | null) =>
    missing && (role === 'admin' ? missing.messageForAdmins : missing.message);
  binder.serve(integrationRoutes, {
    listIntegrations: async ({ context: { actor } }) => ({
      google: sentenceFor(actor, google),
      twilio: sentenceFor(actor, twilio),
    }),
  });
}
