// The stream as PDF, with what everyone with access to the matter sees.

import { spaced } from '@matterdesk/contract/audit-acts.ts';
import { NOT_FILED } from '@matterdesk/contract/cases.ts';
import type { StreamEntry, StreamItem, StreamPrint } from '@matterdesk/contract/stream.ts';
import { type ActorContext, asActor } from '../../context.ts';
import { fullName } from '../../core/actor.ts';
import { minuteOrDayAt, nowAt } from '../../core/dates.ts';
import { fitFileName } from '../../core/file-names.ts';
import { isId } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import type { Entry, Heading } from '../../integrations/pdf/transcript.ts';
import { addressOf, uploadDocument } from '../files/service.ts';
import { readFirm } from '../firm/service.ts';
import { splitVersion, wordsOf } from './rules.ts';
import { allItems, changeLines, filterOf, kindsOf } from './service.ts';
import { findMatter } from './store.entries.ts';
import type { Filter } from './store.ts';

/** Items of a print. */
const MAX_ITEMS = 20_000;
/** Characters of a matter's name in a file's name. */
const MAX_NAME_LENGTH = 150;

/**
 * Stores the PDF in a folder of the matter.
 * @throws Refusal notFound for an unknown case, invalidInput
 */
export async function printStream(
  context: ActorContext,
  caseId: string,
  { folder, ...query }: StreamPrint,
): Promise<{ url: string }> {
  const matter = isId(caseId) ? await findMatter(asActor(context), caseId) : undefined;
  if (!matter) throw notFound('Case');
  const { caseName, caseNo } = matter;
  const filter = { ...(await filterOf(context, caseId, query)), isForAll: true };
  const { timeZone } = await readFirm(context);
  const { day, time } = nowAt(new Date(), timeZone);
  const facts = [
    ['Case', `${caseName}, ${caseNo ?? NOT_FILED}`],
    ['Saved', `${day} ${time} by ${fullName(context.actor)}`],
    ['Times', timeZone],
    ['Kinds', query.kinds],
    ['From', query.from],
    ['To', query.to],
    ['Search', query.search],
  ] as const;
  const heading: Heading = {
    title: `Stream of ${caseName}`,
    facts: facts.flatMap(([name, value]) => (value ? [{ name, value }] : [])),
    ending: { of: 'stream', entries: 'items' },
  };
  const bytes = context.paper.write(heading, pagesOf(context, { filter, query, timeZone }));
  // A name of a file is no path.
  const named = caseName.replaceAll(/[/\\]/g, '-').slice(0, MAX_NAME_LENGTH).toWellFormed().trim();
  const name = fitFileName(`Stream of ${named}`, ` ${day}.pdf`);
  return { url: await uploadDocument(context, { caseId, folder }, { name, bytes }) };
}

type PrintQuery = { filter: Filter; query: Pick<StreamPrint, 'kinds'>; timeZone: string };

async function* pagesOf(
  context: ActorContext,
  { filter, query, timeZone }: PrintQuery,
): AsyncGenerator<Entry[]> {
  let left = MAX_ITEMS;
  for await (const items of allItems(context, filter, kindsOf(query))) {
    yield items.map((item) => toPrinted(item, timeZone));
    left -= items.length;
    if (left <= 0) break;
  }
  if (left <= 0)
    yield [{ head: 'NOTE', body: `Only the newest ${MAX_ITEMS} items are here`, notes: [] }];
}

function toPrinted(item: StreamItem, timeZone: string): Entry {
  const { at, actor, source, kind, title, excerpt, entry, text } = item;
  const isWritten = source === 'entry' || source === 'text';
  const act = isWritten || source === 'change' ? title : `${spaced(source)} ${kind}: ${title}`;
  return {
    head: `${minuteOrDayAt(at, timeZone)}   ${actor ? fullName(actor) : 'Matterdesk'}`,
    body: [act, entry ? writtenOf(entry) : (text?.body ?? excerpt)].filter(Boolean).join('\n'),
    notes: changeLines(item),
  };
}

/** An entry with the source of its quotation. */
function writtenOf(entry: StreamEntry): string {
  const { answer } = entry;
  if (!answer) return entry.text;
  const file = answer.url === null ? undefined : addressOf(splitVersion(answer.url).url);
  const source = `${file?.name ?? 'A file that is no longer in this matter'}, page ${answer.page}`;
  return [wordsOf({ answer, text: source }), entry.text].filter(Boolean).join('\n');
}
