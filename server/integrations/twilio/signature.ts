import webhooks from 'twilio/lib/webhooks/webhooks.js';

export type SignedForm = {
  /** As Twilio was told to call it: PUBLIC_URL, path and query. */
  url: string;
  signature: string;
  form: Record<string, string | string[]>;
};

/** True when the form comes from whoever has the account's token. */
export function isSignedByTwilio(authToken: string, { url, signature, form }: SignedForm): boolean {
  return webhooks.validateRequest(authToken, signature, url, form);
}
