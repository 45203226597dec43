// Mails notices to users who want it: each once, and once more if it is unknown whether it was sent.

import type { Context } from '../../context.ts';
import { nowAt, type FirmClock } from '../../core/dates.ts';
import { GoogleFailure } from '../../integrations/google/failure.ts';
import { canSendSystemMail, deliverSystemMail } from '../accounts/service.mail.ts';
import { readFirm } from '../firm/service.ts';
import { sendToSelf } from '../mails/compose/service.ts';
import * as store from './store.ts';

/** Attempts to send a mail that its server refuses. */
const MAX_TRIES = 5;
const WHY = 'a mail belongs to the person of its notice, who is checked to see the matter';
/** Failures before the mail server receives the mail. */
const UNSENT_CODES = ['EDNS', 'ETLS', 'EAUTH', 'EENVELOPE'];

/** A mail about a notice. `id` is its Message-ID, by which a repeated mail is recognized. */
type NoticeMail = { id: string; to: string; name: string; subject: string; text: string };

const NOON = 12;
const FOOTER =
  'You receive this because notices are mailed to you. You can change that in Matterdesk under Account.';

export async function startNoticeMails(context: Context): Promise<void> {
  await context.queue.work('notice', 1, (id) => mailNotice(context, id));
}

/** Sends a mail. A repeated job continues where the first one ended. */
async function mailNotice(context: Context, id: string): Promise<void> {
  const { writer, config } = context;
  const claimed = await writer.runAsSystem(null, WHY, ({ trx }) => store.claimMail(trx, id));
  if (!claimed) return;
  const mail = noticeMailOf(claimed, await readFirm(context), config.publicUrl);
  try {
    const isSent = await sendNoticeMail(context, claimed.user_id, mail);
    await settleNoticeMail(context, id, isSent ? 'sent' : 'no');
  } catch (error) {
    await failNoticeMail(context, claimed, error);
  }
}

async function sendNoticeMail(
  context: Context,
  userId: string,
  mail: NoticeMail,
): Promise<boolean> {
  if (!canSendSystemMail(context)) return sendToSelf(context, userId, mail);
  await deliverSystemMail(context, mail);
  return true;
}

/** @throws the error unless it was the last attempt, so that the queue repeats the job */
async function failNoticeMail(
  context: Context,
  { id, mail_tries: tries, mail_state: state }: store.ClaimedMail,
  error: unknown,
) {
  const isRepeated = state === 'again';
  if (isRepeated) return settleNoticeMail(context, id, 'unknown');
  // An unsure outcome stays as sending, and is repeated once.
  if (!isUnsure(error))
    await settleNoticeMail(context, id, tries >= MAX_TRIES ? 'failed' : 'waiting');
  if (tries < MAX_TRIES || isUnsure(error)) throw error;
}

async function settleNoticeMail(
  context: Context,
  id: string,
  state: store.MailOutcome,
): Promise<void> {
  const { writer } = context;
  await writer.runAsSystem(null, WHY, ({ trx }) => store.settleMail(trx, id, state));
}

function noticeMailOf(notice: store.ClaimedMail, firm: FirmClock, publicUrl: string): NoticeMail {
  const { id, email, name, title, body, case_name: caseName } = notice;
  const missed = notice.missed ? missedNote(notice.at, firm) : '';
  const parts = [title, caseName ?? '', body, missed, `${publicUrl}${pageOf(notice)}`, FOOTER];
  return {
    id: `<${id}@${new URL(publicUrl).hostname}>`,
    to: email,
    name,
    subject: title,
    text: parts.filter((part) => part !== '').join('\n\n'),
  };
}

/** The page that the mail links to. */
function pageOf(notice: store.ClaimedMail): string {
  const { type, case_id: caseId, intake_id: intakeId, entry_id: entryId } = notice;
  if (type === 'account') return '/dashboard/account';
  if (type === 'mention') return `/dashboard/caseDetails/${caseId}#entry-${entryId}`;
  if (type === 'exported') return `/dashboard/caseDetails/${caseId}`;
  // The path is fixed, with this spelling.
  if (type !== 'access') return '/dashboard/calender';
  if (caseId !== null) return `/dashboard/caseDetails/${caseId}?access=1`;
  return intakeId === null ? '/dashboard/matters' : `/dashboard/intakes?intake=${intakeId}`;
}

/** A note for notices that were due while the server was off. */
function missedNote(at: Date, { timeZone }: FirmClock): string {
  const { time } = nowAt(at, timeZone);
  const hours = Number(time.slice(0, 2));
  const clock = `${hours % NOON || NOON}:${time.slice(3)} ${hours < NOON ? 'AM' : 'PM'}`;
  return `Missed at ${clock}: the server was off`;
}

/** Whether a failed mail may have been sent. */
function isUnsure(error: unknown): boolean {
  if (error instanceof GoogleFailure) return error.isUnsure;
  const { code, responseCode, syscall } = (error ?? {}) as Record<string, unknown>;
  const isRefused = typeof responseCode === 'number';
  return !isRefused && syscall !== 'connect' && !UNSENT_CODES.includes(String(code));
}
