// Contents of a pack of a matter: everything that its reader may see there, and nothing else.

import { Readable } from 'node:stream';
import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import type { FileDetail } from '@matterdesk/contract/files.ts';
import type { LeftOut, PackPart } from '@matterdesk/contract/packs.ts';
import type { ActorContext } from '../../context.ts';
import { fullName } from '../../core/actor.ts';
import { Refusal } from '../../core/refusal.ts';
import { writeCsv } from '../../http/csv.ts';
import { Names } from '../../integrations/bags/names.ts';
import { listEventsOfCase } from '../calendar/service.ts';
import { readCase } from '../cases/service.ts';
import { addressOf, listFiles, openFile } from '../files/service.ts';
import { readFirm } from '../firm/service.ts';
import { countUnreadable, readStream } from '../stream/service.ts';
import { Chain } from './rules.ts';
import * as writing from './service.writing.ts';

/** Bytes that an item of a generated file takes, more or less. */
const [SHORT, LONG] = [300, 800];
const MAIL = 'message/rfc822';

/** A file of a pack. */
export type Item = {
  /** Null for what every pack has. */
  part: PackPart | null;
  /** Below `data`, as file systems take it. */
  path: string;
  /** Bytes; an estimate for a file that is generated. */
  size: number;
  at: Date;
  open: () => Promise<Readable>;
};

export type Contents = {
  caseName: string;
  items: Item[];
  leftOut: LeftOut;
  /** Covers the record once it is written. */
  chain: Chain;
};

type Asked = { caseId: string; parts: readonly PackPart[]; at: Date };

/** @throws Refusal notFound */
export async function listContents(
  context: ActorContext,
  { caseId, parts, at }: Asked,
): Promise<Contents> {
  const matter = await readCase(context, caseId);
  const [firm, library, { events, hidden }, unreadable, { counts }] = await Promise.all([
    readFirm(context),
    listFiles(context, caseId),
    listEventsOfCase(context, caseId),
    countUnreadable(context, caseId),
    readStream(context, caseId, { kinds: 'all', limit: 1 }),
  ]);
  const wants = (part: PackPart) => parts.includes(part);
  const documents = documentsOf(context, library).filter(({ part }) => wants(part));
  const chain = new Chain();
  const made = { context, matter, timeZone: firm.timeZone, at };
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const generated = await listPages(made, { events, total, chain });
  const chosen = generated.filter(({ part }) => wants(part)).map((item) => ({ ...item, at }));
  const files = [...documents, ...chosen];
  const index = { ...made, files, documents };
  const items: Item[] = [
    { ...page(null, 'index.html', { size: LONG, write: () => [writing.indexPage(index)] }), at },
    ...chosen,
    ...(wants('documents') || wants('mail')
      ? [{ ...page(null, 'documents.csv', { size: SHORT, write: () => [tableOf(documents)] }), at }]
      : []),
    {
      ...page(null, 'matter.json', {
        size: LONG,
        write: () => writing.matter({ ...made, parts, events }),
      }),
      at,
    },
    ...documents,
  ];
  const leftOut = {
    texts: wants('texts') ? unreadable.texts : 0,
    mails: wants('mail') ? unreadable.mails : 0,
    events: wants('calendar') ? hidden : 0,
    // An answer that no one added to the matter is kept nowhere.
    answers: 0,
  };
  return { caseName: matter.caseName, items, leftOut, chain };
}

type Held = { events: readonly CalendarEvent[]; total: number; chain: Chain };

/** Files that are generated from the parts, a page for each conversation. */
async function listPages(made: writing.Made, { events, total, chain }: Held) {
  return [
    page('stream', 'stream.html', {
      size: (total + 1) * LONG,
      write: () => writing.streamPage(made),
    }),
    page('calendar', 'calendar.ics', {
      size: (events.length + 1) * LONG,
      write: () => writing.calendar(events, made.at),
    }),
    page('contacts', 'contacts.vcf', { size: LONG, write: () => writing.contacts(made) }),
    page('tasks', 'tasks.csv', { size: LONG, write: () => writing.tasks(made) }),
    page('deadlines', 'deadlines.csv', { size: LONG, write: () => writing.deadlines(made) }),
    page('answers', 'answers.html', { size: SHORT, write: () => writing.answersPage(made) }),
    page('record', 'record.jsonl', {
      size: (total + 1) * SHORT,
      write: () => writing.record(made, chain),
    }),
    ...(await writing.listConversations(made)).map(({ path, size, write }) =>
      page('texts', path, { size, write }),
    ),
  ];
}

type Writing = { size: number; write: () => Iterable<string> | AsyncIterable<string> };

function page<Part extends PackPart | null>(part: Part, path: string, { size, write }: Writing) {
  const open = () => Promise.resolve(Readable.from(write(), { objectMode: false }));
  return { part, path, size, open };
}

export type Document = Item & {
  part: 'documents' | 'mail';
  folder: string;
  detail: FileDetail;
};

type Library = Awaited<ReturnType<typeof listFiles>>;

/** Emails that are filed have a folder of their own. */
function documentsOf(context: ActorContext, { files, details }: Library): Document[] {
  const names = new Names();
  return Object.entries(files).flatMap(([folder, urls]) =>
    urls.flatMap((url): Document[] => {
      const detail = details[url];
      if (!detail) return [];
      const isMail = detail.mimeType === MAIL;
      const original = isMail ? ['mail', detail.name] : ['documents', folder, detail.name];
      const { size, version } = detail;
      return [
        {
          part: isMail ? 'mail' : 'documents',
          path: names.add(original).join('/'),
          folder,
          detail,
          size,
          at: new Date(detail.uploadedAt),
          open: () => openVersion(context, url, version),
        },
      ];
    }),
  );
}

/** @throws Refusal conflict for a file that was moved or deleted meanwhile */
async function openVersion(context: ActorContext, url: string, version: number): Promise<Readable> {
  const address = addressOf(url);
  try {
    if (!address) throw new Refusal('notFound');
    return await (await openFile(context, address, version)).read();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'notFound') throw error;
    const name = address?.name ?? 'A file';
    throw new Refusal('conflict', `${name} was moved or deleted meanwhile. Export again.`);
  }
}

/** Each file's place in the pack, and its name in the matter. */
function tableOf(documents: readonly Document[]): string {
  const columns = [
    'path',
    'folder',
    'name',
    'sha256',
    'bytes',
    'type',
    'version',
    'uploaded',
    'by',
  ];
  const rows = documents.map(({ path, folder, detail }) => [
    `data/${path}`,
    folder,
    detail.name,
    detail.sha256,
    String(detail.size),
    detail.mimeType,
    String(detail.version),
    detail.uploadedAt,
    fullName(detail.uploadedBy),
  ]);
  return writeCsv(columns, rows);
}
