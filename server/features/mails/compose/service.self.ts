// Mails the product's notices where the system has no mail of its own.

import { GoogleFailure } from '../../../integrations/google/failure.ts';
import type { Context } from '../../../context.ts';
import { findGrant, forgetMailbox, openMailbox } from '../service.access.ts';

/** A mail of the product to a user, from the user's own account. `id` is its Message-ID. */
export type OwnLetter = { id: string; name: string; subject: string; text: string };

/**
 * Sends it from the user's own Google account to the same.
 * @returns false without an account, or when Google no longer grants it
 * @throws GoogleFailure, of which `isUnsure` says that it may have been sent
 */
export async function sendToSelf(
  context: Context,
  userId: string,
  { id, name, subject, text }: OwnLetter,
): Promise<boolean> {
  const grant = await findGrant(context, userId);
  if (!grant) return false;
  const { compose } = await import('../../../integrations/mime/compose.ts');
  const to = { from: { name, email: grant.email }, to: [grant.email], cc: [], bcc: [] };
  const plain = { inReplyTo: undefined, references: [], enclosures: [], calendar: undefined };
  const open = compose({ ...to, ...plain, messageId: id, subject, text });
  try {
    const mailbox = await openMailbox(context, grant);
    await mailbox.send({ size: text.length, open, threadId: undefined });
    return true;
  } catch (error) {
    if (!(error instanceof GoogleFailure) || error.reason !== 'revoked') throw error;
    await forgetMailbox(context, grant);
    return false;
  }
}
