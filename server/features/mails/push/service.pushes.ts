// Receives Google's push notifications. The token is verified before anything else is read.

import { MailPushSchema, mailPushRoutes } from '@matterdesk/contract/mails.ts';
import { parseJson } from '../../../http/bodies.ts';
import { Refusal } from '../../../core/refusal.ts';
import { validate } from '../../../http/validate.ts';
import { toRefusal, googleOf } from '../service.access.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';
import { type Context, perContext } from '../../../context.ts';
import { checkMailboxes } from './service.ts';
import { PushGate } from '../../../integrations/google/sign-in.ts';
const gateOf = perContext((context) => {
  const google = googleOf(context);
  const { push } = google?.config ?? {};
  const audience = context.config.publicUrl + PUSH_PATH;
  return google && push && new PushGate({ config: push, signIn: google.signIn, audience });
});

/** Path of the Pub/Sub endpoint below PUBLIC_URL. */
const PUSH_PATH = mailPushRoutes.receivePush.path;
const STEPS = 'Set GOOGLE_PUBSUB_TOPIC and GOOGLE_PUBSUB_ACCOUNT (see docs/google.md).';

/**
 * Replies at once, and checks the mailboxes after.
 * @throws Refusal notConfigured, notPermitted unless Google signed it, invalidInput
 */
export async function receivePush(
  context: Context,
  authorization: string | undefined,
  body: unknown,
): Promise<void> {
  const { db, log } = context;
  await requireGoogleSignature(context, authorization);
  const { message } = validate(MailPushSchema, parseJson(body));
  const change = rules.readChange(message.data);
  // Accepted, since Pub/Sub resends a refused push for days.
  if (!change) return log.warn('Google’s push is not a mailbox change');
  const grants = await store.listGrantsOf(db, change.emailAddress);
  const outdated = grants.filter((grant) => rules.isNewer(change.historyId, grant.history_id));
  const userIds = outdated.map((grant) => grant.user_id);
  if (userIds.length === 0) return;
  await store.makeDue(db, userIds);
  void checkMailboxes(context, userIds);
}

async function requireGoogleSignature(
  context: Context,
  authorization: string | undefined,
): Promise<void> {
  const gate = gateOf(context);
  if (!gate) throw new Refusal('notConfigured', "Google push isn't set up.", { steps: STEPS });
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  const isGoogle = await gate.isFromGoogle(token).catch((error: unknown) => {
    throw toRefusal(error);
  });
  if (!isGoogle) throw new Refusal('notPermitted');
}
