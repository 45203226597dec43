// Mails notices to those who wish it: each once, and once more when no one can know whether it arrived.

import type { Context } from '../../context.ts';
import { canSendLetters, deliverLetter } from '../accounts/service.post.ts';
import { readFirm } from '../firm/service.ts';
import { sendToSelf } from '../mails/compose/service.self.ts';
import * as rules from './rules.mailing.ts';
import * as store from './store.mailing.ts';

/** Attempts of a mail that its server refuses. */
const TRIES = 5;
const WHY = 'a mail belongs to the person of its notice, who is checked to see the matter';

export async function startNoticeMails(context: Context): Promise<void> {
  await context.queue.work('notice', 1, (id) => mailNotice(context, id));
}

/** A repeated job continues where the first one ended. */
async function mailNotice(context: Context, id: string): Promise<void> {
  const { writer, config } = context;
  const claimed = await writer.runAsSystem(null, WHY, ({ trx }) => store.claim(trx, id));
  if (!claimed) return;
  const letter = rules.letterOf(claimed, await readFirm(context), config.publicUrl);
  try {
    const isSent = await sendNoticeLetter(context, claimed.user_id, letter);
    await settleNoticeMail(context, id, isSent ? 'sent' : 'no');
  } catch (error) {
    await failNoticeMail(context, claimed, error);
  }
}

async function sendNoticeLetter(
  context: Context,
  userId: string,
  letter: rules.NoticeLetter,
): Promise<boolean> {
  if (!canSendLetters(context)) return sendToSelf(context, userId, letter);
  await deliverLetter(context, letter);
  return true;
}

/** @throws the error unless it was the last attempt, so that the queue repeats the job */
async function failNoticeMail(
  context: Context,
  { id, mail_tries: tries, mail_state: state }: store.Claimed,
  error: unknown,
) {
  const isRepeated = state === 'again';
  if (isRepeated) return settleNoticeMail(context, id, 'unknown');
  // Otherwise it counts as being sent, and is repeated once.
  if (!rules.isUnsure(error))
    await settleNoticeMail(context, id, tries >= TRIES ? 'failed' : 'waiting');
  if (tries < TRIES || rules.isUnsure(error)) throw error;
}

async function settleNoticeMail(context: Context, id: string, state: store.Settled): Promise<void> {
  const { writer } = context;
  await writer.runAsSystem(null, WHY, ({ trx }) => store.settle(trx, id, state));
}
