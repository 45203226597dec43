// Mails and texts of users that may belong to a matter. Each is its reader's alone.

import { type ActorContext, asActor } from '../../context.ts';
import { minuteAt } from '../../core/dates.ts';
import { notFound } from '../../core/refusal.ts';
import { liftScope } from '../../db/scoped-query.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Content } from '../../http/content.ts';
import { readRange } from '../../integrations/blobs/blob-store.ts';
import { keyOfCorrespondent } from '../contacts/service.ts';
import type { StoredBlob } from '../files/service.incoming.ts';
import { readFirm } from '../firm/service.ts';
import { noteFiled, readFiledMail } from '../mails/read/service.filing.ts';
import type { Arrivals } from '../mails/service.arrivals.ts';
import { addTextsTo } from '../stream/service.texts.ts';
import * as clues from './rules.clues.ts';
import { announceCounts } from './service.counts.ts';
import * as store from './store.ts';

const TEXT = 'text/plain';
const MAIL = 'message/rfc822';
/** Characters of a text's body that the list has. */
const MAX_BODY_LENGTH = 2000;

type ReceivedText = { id: string; ownerId: string; from: string; body: string; at: Date };

/** Adds a text to its owner’s tray; it appears once its number belongs to an active matter. */
export async function offerText(unit: Unit, { ownerId, ...text }: ReceivedText): Promise<void> {
  const key = keyOfCorrespondent({ phoneNumber: text.from });
  // A short code is of no person.
  if (key === undefined) return;
  const row = {
    ...toArrival('text', { key, read: text.body }),
    at: text.at,
    owner_id: ownerId,
    name: `Text from ${text.from}`,
    mime_type: TEXT,
    excerpt: [...text.body].slice(0, MAX_BODY_LENGTH).join(''),
    sender: JSON.stringify({ name: null, phoneNumber: text.from }),
    message_id: text.id,
  };
  if (await store.insertArrivals(unit.trx, [row])) announceCounts(unit, ownerId);
}

/** Those of the firm's contacts only: no list is kept of the others, which stay at Google. */
export async function offerMails(
  unit: Unit,
  { userId, mails }: { userId: string; mails: Arrivals },
): Promise<void> {
  const keyed = mails.flatMap((mail) => {
    const key = keyOfCorrespondent({ email: mail.from.email });
    return key === undefined ? [] : [{ mail, key }];
  });
  const known = await store.listKnownSenders(
    unit.trx,
    keyed.map(({ key }) => key),
  );
  const ours = keyed.filter(({ key }) => known.has(key));
  if (ours.length === 0) return;
  const filed = await store.listFiledMails(
    unit.trx,
    userId,
    ours.map(({ mail }) => mail.id),
  );
  const rows = ours
    .filter(({ mail }) => !filed.has(mail.id))
    .map(({ mail, key }) => ({
      ...toArrival('mail', { key, read: `${mail.subject}\n${mail.snippet}` }),
      at: new Date(mail.date),
      owner_id: userId,
      name: mail.subject || 'Email without subject',
      mime_type: MAIL,
      excerpt: mail.snippet,
      sender: JSON.stringify({ name: mail.from.name || null, email: mail.from.email }),
      mail_id: mail.id,
      thread_id: mail.threadId,
    }));
  if (rows.length > 0 && (await store.insertArrivals(unit.trx, rows))) announceCounts(unit, userId);
}

/** @param read what may name a matter */
function toArrival<Source extends 'mail' | 'text'>(
  source: Source,
  { key, read }: { key: string; read: string },
) {
  const found = JSON.stringify(clues.cluesOf([{ page: 0, text: read }]));
  return { source, size: 0, sha256: null, blob_key: null, clues: found, sender_key: key };
}

/** Texts leave the tray when they are filed from anywhere, and come back when no matter has them any more. */
export async function followFiledTexts(
  unit: Unit,
  { ids, action, by }: { ids: string[]; action: 'filed' | 'unfiled'; by: string },
): Promise<void> {
  const owners =
    action === 'filed'
      ? await store.closeArrivals(unit.trx, { messageIds: ids }, by)
      : await store.reopenTexts(unit.trx, ids);
  for (const owner of new Set(owners)) announceCounts(unit, owner);
}

export async function closeFiledMail(
  unit: Unit,
  mail: { userId: string; mailId: string },
): Promise<void> {
  const owners = await store.closeArrivals(unit.trx, { mail }, mail.userId);
  for (const owner of owners) announceCounts(unit, owner);
}

/** A mail comes back when the last of its files is deleted, and leaves again with a restored file. */
export async function followFileOfMail(
  unit: Unit,
  { id, isDeleted }: { id: string; isDeleted: boolean },
): Promise<void> {
  await liftScope(unit.trx, 'a mail may also be filed to a matter that the caller does not see');
  const owners = isDeleted
    ? await store.reopenMails(unit.trx, id)
    : await store.closeMails(unit.trx, id);
  for (const owner of owners) announceCounts(unit, owner);
}

/** A mail verbatim, or a text with its numbers and its time, as the file that it would be. @throws Refusal notFound */
export async function openCorrespondence(
  context: ActorContext,
  { mail_id: mailId, message_id: messageId }: store.ItemRow,
): Promise<Pick<Content, 'name' | 'size' | 'read'> & { threadId: string }> {
  if (mailId !== null) return readFiledMail(context, mailId);
  const text = messageId === null ? undefined : await store.findText(asActor(context), messageId);
  if (!text) throw notFound('Text');
  const { timeZone } = await readFirm(context);
  const at = minuteAt(text.sent_at.toISOString(), timeZone);
  const lines = [
    `From: ${text.other_number}`,
    `To: ${text.own_number}`,
    `Date: ${at} (${timeZone})`,
    ...(text.media > 0 ? [`Attachments: ${text.media}, with the text in the stream`] : []),
    '',
    text.body,
  ];
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  return {
    name: `${at.slice(0, 10)} Text from ${text.other_number}.txt`,
    size: bytes.length,
    threadId: '',
    read: (range) => Promise.resolve(readRange(bytes, range)),
  };
}

export type Correspondence = { stored: StoredBlob; threadId: string };

/** The mail or text itself becomes the matter's, beside its file. */
export async function noteCorrespondence(
  context: ActorContext,
  unit: Unit,
  {
    row: { mail_id: mailId, message_id: messageId },
    stored,
    threadId,
    caseId,
  }: Correspondence & { row: store.ItemRow; caseId: string },
): Promise<void> {
  const mail = { userId: context.actor.id, threadId };
  if (mailId !== null) await noteFiled(unit, { ...mail, mailId }, stored.key);
  if (messageId !== null)
    await addTextsTo(context, unit, { case: caseId, messageIds: [messageId] });
}
