// Exports conversations as PDF.

import type { Readable } from 'node:stream';
import type { HistoryQuery } from '@matterdesk/contract/messages.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, notFound } from '../../core/refusal.ts';
import type { Entry, Heading } from '../../integrations/pdf/transcript.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';
import { type ActorContext, type Context, asActor, write } from '../../context.ts';
import { requireOwnNumber } from './numbers/service.ts';
import { caseExists, readCase } from '../cases/service.ts';
import { uploadFiles } from '../files/service.ts';
import { readCurrentUser } from '../accounts/service.ts';

const FOLDER = 'Text messages';
/** Messages per query. */
const BATCH = 200;
type Wish = Pick<HistoryQuery, 'from' | 'to'> & { caseId: string };

/**
 * Stores a transcript of a conversation in a case's library.
 * @throws Refusal notPermitted for another's number, invalidInput for an unknown case, notFound
 */
export async function exportConversation(
  context: ActorContext,
  { from, to, caseId }: Wish,
): Promise<{ url: string }> {
  const { paper: writer } = context;
  await requireOwnNumber(context, from);
  if (!isId(caseId) || !(await caseExists(asActor(context), caseId)))
    throw invalidField('caseId', 'Please select any case');
  const pair = { ownerId: context.actor.id, other: to };
  const [newest] = await store.listTexts(context.db, pair, { limit: 1 });
  if (!newest) throw notFound('Conversation');
  const now = new Date();
  const heading = await headingOf(context, { from, to, caseId }, now);
  const bytes = writer.write(heading, entriesOf(context, pair));
  const name = `Texts with ${to} ${now.toISOString().slice(0, 10)}.pdf`;
  const { urls } = await uploadFiles(
    context,
    (async function* parts() {
      yield { field: 'caseId', value: caseId };
      yield { field: 'folder', value: FOLDER };
      yield { name, bytes, isCut: () => false };
    })(),
  );
  await write(context, (unit) =>
    unit.record({ action: 'exported', entity: 'text', entityId: newest.id }),
  );
  return { url: urls[0] ?? '' };
}

/**
 * A transcript of the caller's texts with a number, for no case.
 * @throws Refusal notFound without any
 */
export async function transcribeConversation(
  context: ActorContext,
  to: string,
): Promise<{ name: string; bytes: Readable }> {
  const pair = { ownerId: context.actor.id, other: to };
  const [newest] = await store.listTexts(context.db, pair, { limit: 1 });
  if (!newest) throw notFound('Conversation');
  const now = new Date();
  const heading: Heading = {
    title: `Text messages with ${to}`,
    facts: [
      { name: 'Other number', value: to },
      { name: 'Exported', value: `${rules.timeText(now)} by ${context.actor.email}` },
      { name: 'Times', value: 'UTC, as Twilio recorded them' },
    ],
    ending: { of: 'transcript', entries: 'messages' },
  };
  const bytes = context.paper.write(heading, entriesOf(context, pair));
  return { name: `Texts with ${to} ${now.toISOString().slice(0, 10)}.pdf`, bytes };
}

async function headingOf(
  context: ActorContext,
  { from, to, caseId }: Wish,
  now: Date,
): Promise<Heading> {
  const [person, matter] = await Promise.all([readCurrentUser(context), readCase(context, caseId)]);
  const named = [matter.clientInfo, matter.opposingCounselInfo].find(
    ({ phoneNumber }) => rules.digitsOf(phoneNumber) === rules.digitsOf(to),
  );
  return {
    title: `Text messages with ${named ? `${named.name}, ${to}` : to}`,
    facts: [
      { name: 'Case', value: `${matter.caseName}, ${matter.caseNo}` },
      { name: 'Firm number', value: `${from} (${person.firstName} ${person.lastName})` },
      { name: 'Other number', value: to },
      { name: 'Exported', value: `${rules.timeText(now)} by ${person.email}` },
      { name: 'Times', value: 'UTC, as Twilio recorded them' },
    ],
    ending: { of: 'transcript', entries: 'messages' },
  };
}

async function* entriesOf(context: Context, pair: store.Pair): AsyncGenerator<Entry[]> {
  let after: string[] | undefined;
  for (;;) {
    const rows = await store.listTextsAscending(context.db, pair, { limit: BATCH, after });
    const last = rows.at(-1);
    if (!last) return;
    after = [last.sent_at.toISOString(), last.serial];
    yield rows.map(toEntry);
  }
}

function toEntry(row: store.TextRow): Entry {
  const { from, to, body, status, error, media } = store.toText(row);
  const count = media.length;
  return {
    head: `${rules.timeText(row.sent_at)}   ${from} to ${to}   ${status}`,
    body,
    notes: [
      ...media.map(({ mimeType }, index) => `Attachment ${index + 1} of ${count}: ${mimeType}`),
      ...(error ? [`Error ${error.code}: ${error.message}`] : []),
    ],
  };
}
