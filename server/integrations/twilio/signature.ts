import webhooks from 'twilio/lib/webhooks/webhooks.js';

export type SignedForm = {
  /** The URL that Twilio called: PUBLIC_URL, path and query. */
  url: string;
  signature: string;
  form: Record<string, string | string[]>;
};

/** True when the form was signed with the account's token. */
export function isSignedByTwilio(authToken: string, { url, signature, form }: SignedForm): boolean {
  return webhooks.validateRequest(authToken, signature, url, form);
}
