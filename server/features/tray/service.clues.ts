// Reads the first pages of papers for clues, and proposes matters by them.

import type { TrayItem } from '@matterdesk/contract/tray.ts';
import { type ActorContext, asActor, type Context } from '../../context.ts';
import type { Clues } from '../../db/schema-tray.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { extractPages, usualLimits } from '../../integrations/documents/extract.ts';
import { hasPages, kindOfDocument } from '../../integrations/documents/kinds.ts';
import { UnreadableDocument } from '../../integrations/documents/messages.ts';
import type { Attempt } from '../../jobs/queue.ts';
import * as clues from './rules.clues.ts';
import { type FoundMatters, type ItemClues, proposalsFor, senderNameOf } from './rules.clues.ts';
import { announceCounts } from './service.counts.ts';
import * as store from './store.ts';

const WHY = 'a paper is read for clues before anyone looks at it';
/** Shorter than a training: papers that take longer stay without clues. */
const LIMITS = { ...usualLimits, silence: 20_000, work: 60_000 };
/** Interrupted readings after which a paper stays without clues. */
const MAX_FAILURES = 3;

/** Reads new papers, one at a time. */
export async function startReading(context: Context): Promise<void> {
  await context.queue.work('clues', 1, (id, attempt) => readPaper(context, id, attempt));
}

/** The reading commits with the papers. */
export async function queueReading(
  { queue }: Context,
  unit: Unit,
  ids: readonly string[],
): Promise<void> {
  await queue.add(unit, 'clues', ids);
}

async function readPaper(context: Context, id: string, attempt: Attempt): Promise<void> {
  const paper = await store.findUnread(context.db.asSystem(WHY), id);
  if (!paper) return;
  const read = attempt.before > MAX_FAILURES ? NOTHING : await readFirst(context, paper, attempt);
  const found = {
    clues: clues.cluesOf(read.texts),
    excerpt: clues.excerptOf(read.texts[0]?.text ?? ''),
    pages: read.pages,
  };
  await context.writer.runAsSystem(null, WHY, async (unit) => {
    const stored = await store.storeClues(unit.trx, id, found);
    if (stored) announceCounts(unit, stored.owner_id);
  });
}

type FirstPages = { texts: { page: number; text: string }[]; pages: number | null };
const NOTHING: FirstPages = { texts: [], pages: null };

/** Without what cannot be read: a paper without clues can be filed all the same. */
async function readFirst(
  { blobs, config: { tesseract } }: Context,
  { name, size, mime_type: mimeType, blob_key: key }: store.UnreadItem,
  { signal }: Attempt,
): Promise<FirstPages> {
  const kind = kindOfDocument(name, mimeType);
  if (kind === 'other') return NOTHING;
  const open = () => blobs.read(key);
  const read: FirstPages = { texts: [], pages: null };
  try {
    const limits = LIMITS;
    const paper = { kind, size: Number(size), open, from: 1, signal, limits, tesseract };
    for await (const event of extractPages(paper)) {
      if (event.type === 'begin') read.pages = hasPages(kind) ? event.pages : null;
      if (event.type === 'page') read.texts.push(event.page);
      if (read.texts.length === clues.MAX_PAGES) break;
    }
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
  }
  return read;
}

/** At most three matters that the reader sees, and the sender as the reader's contacts have it. */
export type ItemProposals = { proposals: TrayItem['proposals']; sender: string | null };

export async function proposeMatters(
  context: ActorContext,
  items: readonly ItemClues[],
): Promise<ItemProposals[]> {
  const found = await findMatters(context, items);
  return items.map((item) => ({
    proposals: proposalsFor(item, found),
    sender: senderNameOf(item, found),
  }));
}

async function findMatters(
  context: ActorContext,
  items: readonly ItemClues[],
): Promise<FoundMatters> {
  const db = asActor(context);
  const distinct = (all: (string | null)[]) => [
    ...new Set(all.filter((one): one is string => one !== null)),
  ];
  const every = (of: (one: Clues) => string[]) =>
    distinct(items.flatMap(({ clues: own }) => (own ? of(own) : [])));
  const [numbers, claims, parties, threads, correspondents] = await Promise.all([
    store.listByNumber(
      db,
      every((one) => one.numbers.map(([run]) => run)),
    ),
    store.listByClaim(
      db,
      every((one) => one.claims.map(([number]) => number)),
    ),
    store.listByName(
      db,
      every((one) => one.names),
    ),
    store.listByThread(db, context.actor.id, distinct(items.map((item) => item.thread_id))),
    store.listByCorrespondent(db, distinct(items.map((item) => item.sender_key))),
  ]);
  return { numbers, claims, parties, threads, correspondents };
}
