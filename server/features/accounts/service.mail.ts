// The system's own mail. It waits encrypted in the queue, since it holds links.

import { type Context, perContext } from '../../context.ts';
import { SecretBox } from '../../db/secrets.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { type SystemMail, Mailer } from '../../integrations/smtp/mailer.ts';

/** Milliseconds for which an unsent mail is tried again. */
const RETRY_TIMEOUT_MS = 24 * 3600_000;
const PURPOSE = 'system mail';

/** A mail that waits: a whole one, or the address for a link that is made when it is sent. */
type QueuedMail = { letter: SystemMail } | { forgottenBy: string; askedFrom: string };
type Envelope = QueuedMail & { until: number };

/** Makes the mail for a forgotten password; undefined for an address without an account. */
type LinkWriter = (email: string, askedFrom: string) => Promise<SystemMail | undefined>;
const secretBoxOf = perContext(({ secretKey }) => new SecretBox(secretKey));
const mailerOf = perContext(({ config }) => config.mail && new Mailer(config.mail));

/** Whether a mail server is configured. */
export function canSendSystemMail(context: Context): boolean {
  return mailerOf(context) !== undefined;
}

/** Sends it at once. Rejects unless the server accepted it. */
export async function deliverSystemMail(context: Context, mail: SystemMail): Promise<void> {
  await mailerOf(context)?.send(mail);
}

export async function queueSystemMail(
  context: Context,
  unit: Unit,
  posted: QueuedMail,
): Promise<void> {
  const { queue } = context;
  const envelope: Envelope = { ...posted, until: Date.now() + RETRY_TIMEOUT_MS };
  const encrypted = secretBoxOf(context)
    .encrypt(JSON.stringify(envelope), PURPOSE)
    .toString('base64');
  await queue.add(unit, 'mail', [encrypted]);
}

/** Starts sending queued mail. */
export async function startSystemMailQueue(context: Context, write: LinkWriter): Promise<void> {
  if (!mailerOf(context)) return;
  await context.queue.work('mail', 1, (encrypted) => sendQueuedMail(context, write, encrypted));
}

async function sendQueuedMail(
  context: Context,
  write: LinkWriter,
  encrypted: string,
): Promise<void> {
  const opened = secretBoxOf(context).decrypt(Buffer.from(encrypted, 'base64'), PURPOSE);
  const envelope = opened === undefined ? undefined : (JSON.parse(opened) as Envelope);
  if (!envelope || envelope.until < Date.now()) {
    context.log.warn('a mail of the system was not sent within a day');
    return;
  }
  const mail =
    'letter' in envelope ? envelope.letter : await write(envelope.forgottenBy, envelope.askedFrom);
  if (mail) await deliverSystemMail(context, mail);
}
