// Letters of a matter: a dry run lists empty fields, then each recipient's letter becomes a file of the case.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Contact } from '@matterdesk/contract/contacts.ts';
import { contentUrl } from '@matterdesk/contract/files.ts';
import { DEFAULT_PAGE_SIZE } from '@matterdesk/contract/paging.ts';
import type {
  DocumentsDryRun,
  MadeDocument,
  MissingField,
  NewDocuments,
} from '@matterdesk/contract/templates.ts';
import { type ActorContext, asActor, write, writePrepared } from '../../context.ts';
import { nowAt, addDays } from '../../core/dates.ts';
import type { IdempotencyKey } from '../../core/idempotency-key.ts';
import { ID, isId } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import type { Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { cutPage, describeTotal, INSTANT, type PageQuery, readCursor } from '../../http/paging.ts';
import {
  type Failure,
  fillTemplate,
  type FillResult,
} from '../../integrations/templates/assemble.ts';
import type { Data } from '../../integrations/templates/fields.ts';
import { canMakePdf, toPdf } from '../../integrations/templates/pdf.ts';
import { readCurrentUser } from '../accounts/service.ts';
import { readCalendar } from '../calendar/service.items.ts';
import { caseExists, readCase } from '../cases/service.ts';
import { listParties } from '../contacts/service.parties.ts';
import { readContacts } from '../contacts/service.ts';
import { claimStored, type StoredBlob, storeFiles } from '../files/service.incoming.ts';
import { adoptFiles, listFiles, namesInFolder, requireKnownCase } from '../files/service.ts';
import { readFirm } from '../firm/service.ts';
import { catalog, dataOf, personOf, type Sources } from './rules.fields.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** Milliseconds in which all documents of a request are made. */
const ASSEMBLY_TIMEOUT_MS = 60_000;
/** Days of next dates. */
const AHEAD = 365;

type DocumentsRequest = { input: NewDocuments; once: IdempotencyKey | undefined };

/** Everything that is decided before a template is filled. */
type Order = {
  caseId: string;
  template: rules.TemplateRow;
  version: rules.VersionRow;
  recipients: readonly (Contact | undefined)[];
  data: Data;
  answers: Readonly<Record<string, string>>;
  /** The recipients' own data. */
  runs: readonly Data[];
  day: string;
};

/** @param preview of which recipient the first page is shown, from 0 @throws Refusal as for making them */
export async function tryDocuments(
  context: ActorContext,
  caseId: string,
  { input, preview = 0 }: { input: NewDocuments; preview?: number | undefined },
): Promise<DocumentsDryRun> {
  const order = await prepare(context, caseId, input);
  const shown = Math.min(preview, order.runs.length - 1);
  const signal = AbortSignal.timeout(ASSEMBLY_TIMEOUT_MS);
  const filled = await fill(context, order, { isWhole: false, preview: shown, signal });
  const missing = order.recipients.map((recipient, at) => missingOf(filled[at], recipient));
  return {
    missing: missing.flat().map((gap) => ({
      ...gap,
      ...rules.kindOf(catalog, gap.path),
      isQuestion: order.version.questions.includes(gap.path),
    })),
    questions: order.version.questions,
    names: await namesOf(context, order, { input, missing }),
    problems: order.template.versions[0]?.problems ?? [],
    preview: previewOf(filled[shown]),
    canPdf: canMakePdf(context.config),
  };
}

function previewOf(filled: FillResult | undefined) {
  return (filled && 'preview' in filled && filled.preview) || [];
}

/**
 * Makes a document for each recipient, or one without any. Those that fail are named; the others stand.
 * @throws Refusal notFound, invalidInput, conflict for an unusable template or for empty fields without `allowMissing`,
 * nothingMade
 */
export async function makeDocuments(
  context: ActorContext,
  caseId: string,
  { input, once }: DocumentsRequest,
): Promise<{ documents: MadeDocument[] }> {
  const repeatable = once && {
    ...once,
    requireVisible: async (trx: Transaction) => {
      if (!(await caseExists(trx, caseId))) throw notFound('Case');
    },
  };
  const finish = ({ order, made }: AssembledOrder) => {
    async function* parts() {
      for (const { files } of made)
        for (const { name, bytes } of files) yield { name, bytes: Readable.from([bytes]) };
    }
    const place = { caseId, folder: input.folder };
    return storeFiles(context, { parts: parts() }, (stored) =>
      write(context, (unit) => insert(context, unit, { order, made, place, stored }), repeatable),
    );
  };
  return writePrepared(
    context,
    { prepare: () => assemble(context, caseId, input), finish },
    repeatable,
  );
}

type AssembledOrder = { order: Order; made: AssembledDocument[] };

/** @throws Refusal as for making them */
async function assemble(
  context: ActorContext,
  caseId: string,
  input: NewDocuments,
): Promise<AssembledOrder> {
  if (input.pdf && !canMakePdf(context.config))
    throw invalidField('pdf', 'PDF needs LibreOffice on the server');
  const order = await prepare(context, caseId, input);
  const signal = AbortSignal.timeout(ASSEMBLY_TIMEOUT_MS);
  const filled = await fill(context, order, { isWhole: true, signal });
  const missing = order.recipients.map((recipient, at) => missingOf(filled[at], recipient));
  if (!input.allowMissing && missing.flat().length > 0)
    throw new Refusal('conflict', rules.emptyInWords(missing.flat()));
  const names = await namesOf(context, order, { input, missing });
  const made: AssembledDocument[] = [];
  for (const [at, one] of filled.entries()) {
    const of = { name: names[at] ?? '', missing: missing[at] ?? [], signal };
    made.push(await toMade(context, { order, input, at, one, ...of }));
  }
  refuseIfNone(made);
  return { order, made };
}

type PlacedOrder = AssembledOrder & {
  place: { caseId: string; folder: string };
  stored: StoredBlob[];
};

async function insert(
  context: ActorContext,
  unit: Unit,
  { order, made, place, stored }: PlacedOrder,
): Promise<{ documents: MadeDocument[] }> {
  if (!(await caseExists(unit.trx, place.caseId))) throw notFound('Case');
  const urls = await adoptFiles(context, unit, { place, stored });
  await claimStored(unit.trx, stored);
  const ids = await store.findFileIds(
    unit.trx,
    stored.map(({ key }) => key),
  );
  const listed = shareOut(made, { stored, urls });
  await store.insertLetters(
    unit.trx,
    listed.flatMap((one) => rowOf(context, order, { one, ids })),
  );
  return { documents: listed.map(({ reply }) => reply) };
}

type StoredDocument = ReturnType<typeof shareOut>[number];

/** None for a document that could not be made. @param ids of files by the keys of their bytes */
function rowOf(
  { actor }: ActorContext,
  { caseId, template, version }: Order,
  { one, ids }: { one: StoredDocument; ids: ReadonlyMap<string, string> },
): store.NewLetter[] {
  const { of, keys } = one;
  const [fileId, pdfId] = keys.map((key) => ids.get(key));
  if (fileId === undefined) return [];
  return [
    {
      case_id: caseId,
      template_id: template.id,
      version: version.n,
      file_id: fileId,
      pdf_file_id: pdfId ?? null,
      contact_id: of.reply.for,
      by_id: actor.id,
      data_sha256: of.sha256,
      missing: JSON.stringify(of.reply.missing),
    },
  ];
}

type File = { name: string; bytes: Buffer };
type AssembledDocument = {
  reply: MadeDocument;
  files: File[];
  sha256: Buffer;
  failure?: Failure['code'];
};
type DocumentRun = {
  order: Order;
  input: NewDocuments;
  at: number;
  one: FillResult;
  name: string;
  missing: MissingField[];
  signal: AbortSignal;
};

async function toMade(
  context: ActorContext,
  { order, input, at, one, name, missing, signal }: DocumentRun,
): Promise<AssembledDocument> {
  const sha256 = createHash('sha256')
    .update(JSON.stringify([order.data, order.runs[at], order.answers]))
    .digest();
  const reply = { url: null, pdfUrl: null, missing, for: order.recipients[at]?.id ?? null };
  if ('error' in one)
    return { reply: { ...reply, error: one.error }, files: [], sha256, failure: one.code };
  const files = [{ name, bytes: one.bytes ?? Buffer.alloc(0) }];
  if (!input.pdf) return { reply, files, sha256 };
  const pdf = await toPdf(context.config, files[0]?.bytes ?? Buffer.alloc(0), signal);
  if ('error' in pdf) return { reply: { ...reply, error: pdf.error }, files: [], sha256 };
  files.push({ name: `${path.parse(name).name}.pdf`, bytes: pdf.bytes });
  return { reply, files, sha256 };
}

/** @throws Refusal nothingMade, or invalidInput for what would be too large */
function refuseIfNone(made: readonly AssembledDocument[]): void {
  if (made.some(({ files }) => files.length > 0)) return;
  const reason = made[0]?.reply.error;
  const isTooLarge = made.every(({ failure }) => failure === 'tooLarge');
  throw new Refusal(isTooLarge ? 'invalidInput' : 'nothingMade', reason);
}

/** Gives each document its files, which were stored in the same order. */
function shareOut(
  made: readonly AssembledDocument[],
  { stored, urls }: { stored: StoredBlob[]; urls: string[] },
) {
  let next = 0;
  return made.map((of) => {
    const from = next;
    next += of.files.length;
    const [url = null, pdfUrl = null] = urls.slice(from, next);
    const keys = stored.slice(from, next).map(({ key }) => key);
    return { of, keys, reply: { ...of.reply, url, pdfUrl } };
  });
}

/** @throws Refusal notFound, invalidInput, conflict */
async function prepare(context: ActorContext, caseId: string, input: NewDocuments): Promise<Order> {
  await requireKnownCase(context, caseId);
  const { template, version } = await requireUsable(context, input.template);
  const recipients = await requireRecipients(context, input.for);
  const problem = rules.problemOf(input.answers, { ...version, catalog });
  if (problem) throw invalidField(`answers.${problem.key}`, problem.message);
  const sources = await readSources(context, caseId, version.fields);
  const runs = recipients.map((recipient) => ({ recipient: personOf(recipient) }));
  const { answers: given } = input;
  const data = dataOf(sources);
  return { caseId, template, version, recipients, data, answers: given, runs, day: sources.today };
}

/** @throws Refusal invalidInput for an unknown template, conflict */
async function requireUsable(context: ActorContext, id: string) {
  const template = isId(id) ? await store.findTemplate(context.db, id) : undefined;
  if (!template) throw invalidField('template', 'Please choose a template');
  if (!template.active) throw new Refusal('conflict', 'This template is not active');
  const version = rules.versionInUse(template);
  if (!version) throw new Refusal('conflict', 'This template has problems');
  return { template, version };
}

/** Those named twice get one document. @throws Refusal invalidInput for one that the caller does not see */
async function requireRecipients(
  context: ActorContext,
  ids: readonly string[],
): Promise<(Contact | undefined)[]> {
  if (ids.length === 0) return [undefined];
  const wanted = [...new Set(ids)];
  const found = new Map(
    (await readContacts(context, wanted)).map((contact) => [contact.id, contact]),
  );
  return wanted.map((id) => {
    const contact = found.get(id);
    if (!contact) throw invalidField('for', 'Select a contact');
    return contact;
  });
}

/** Reads as much as the fields name. */
async function readSources(
  context: ActorContext,
  caseId: string,
  fields: readonly string[],
): Promise<Sources> {
  const uses = (group: string) =>
    fields.some((one) => one === group || one.startsWith(`${group}.`));
  const [matter, firm, me, parties] = await Promise.all([
    readCase(context, caseId),
    readFirm(context),
    readCurrentUser(context),
    listParties(context, caseId),
  ]);
  const { day: today } = nowAt(new Date(), firm.timeZone);
  const [contacts, nextDates, folders] = await Promise.all([
    readContacts(
      context,
      parties.map(({ contact }) => contact.id),
    ),
    uses('nextDates') ? readNextDates(context, caseId, { today, timeZone: firm.timeZone }) : [],
    uses('folders') ? readFolders(context, caseId) : [],
  ]);
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  const whole = parties.flatMap(({ contact: { id }, ...party }) => {
    const contact = byId.get(id);
    return contact ? [{ ...party, contact }] : [];
  });
  const copied = (embedded: string) => whole.find((party) => party.embedded === embedded)?.contact;
  const { firstName, lastName, email, phoneNumber } = me;
  return {
    case: matter,
    client: copied('clientInfo'),
    opposingCounsel: copied('opposingCounselInfo'),
    parties: whole,
    firm,
    me: { firstName, lastName, email, phoneNumber },
    today,
    nextDates,
    folders,
  };
}

/** Deadlines and events of the matter that a letter may name. */
async function readNextDates(
  context: ActorContext,
  caseId: string,
  { today, timeZone }: { today: string; timeZone: string },
) {
  const query = { from: today, to: addDays(today, AHEAD), case: caseId } as const;
  const { items } = await readCalendar(context, context.actor, query);
  return items
    .filter(({ type, private: isPrivate, cancelled: isCanceled, status }) => {
      const isOpen = status === null || status === 'open';
      return (type === 'event' || type === 'deadline') && isOpen && !isPrivate && !isCanceled;
    })
    .map(({ title, start, kind, allDay }) => ({
      title,
      // An evening here is the next day in UTC.
      date: allDay ? start : nowAt(new Date(start), timeZone).day,
      kind: kind ?? '',
    }));
}

async function readFolders(context: ActorContext, caseId: string) {
  const { files, details } = await listFiles(context, caseId);
  return Object.entries(files).map(([name, urls]) => ({
    name,
    files: urls.map((url) => details[url]?.name ?? ''),
  }));
}

/** @returns in the order of the recipients */
async function fill(
  context: ActorContext,
  order: Order,
  wanted: { isWhole: boolean; preview?: number; signal: AbortSignal },
): Promise<FillResult[]> {
  const of = { templateId: order.template.id, n: order.version.n };
  const bytes = await store.findBytes(context.db, of);
  if (!bytes) throw notFound('Version');
  const { data, answers: given, runs } = order;
  return fillTemplate({ bytes, catalog, data, answers: given, runs, ...wanted });
}

function missingOf(filled: FillResult | undefined, recipient: Contact | undefined): MissingField[] {
  if (!filled || 'error' in filled) return [];
  return filled.gaps.map(({ path: field, label, places, count }) => ({
    path: field,
    label,
    places,
    count,
    for: recipient?.id ?? null,
  }));
}

/** @param missing of each recipient */
async function namesOf(
  context: ActorContext,
  { caseId, template, recipients, day }: Order,
  { input, missing }: { input: NewDocuments; missing: readonly MissingField[][] },
): Promise<string[]> {
  const taken = await namesInFolder(context, { caseId, folder: input.folder });
  const name = input.name ?? template.name;
  const named = recipients.map((contact, at) => ({
    name,
    recipient: contact?.name ?? null,
    day,
    isDraft: (missing[at] ?? []).length > 0,
  }));
  return rules.namesOfDocuments(named, taken);
}

/** @throws Refusal notFound for an unknown case, invalidInput */
export async function listDocuments(
  context: ActorContext,
  caseId: string,
  { limit = DEFAULT_PAGE_SIZE, cursor }: PageQuery,
) {
  await requireKnownCase(context, caseId);
  const db = asActor(context);
  const after = cursor === undefined ? undefined : readCursor(cursor, [INSTANT, ID]);
  const [rows, total] = await Promise.all([
    store.listDocuments(db, caseId, { limit: limit + 1, after }),
    store.countDocuments(db, caseId),
  ]);
  const { page, nextCursor } = cutPage(rows, limit, ({ at, id }) => [at.toISOString(), id]);
  const urlOf = (at: { folder: string; name: string } | null) =>
    at && contentUrl(caseId, at.folder, at.name);
  return {
    documents: page.map((row) => ({
      id: row.id,
      template: row.template_id,
      version: row.version,
      url: urlOf(row.file),
      pdfUrl: urlOf(row.pdf),
      by: row.by,
      at: row.at.toISOString(),
      missing: row.missing,
      for: row.contact_id,
      dataSha256: row.data_sha256.toString('hex'),
    })),
    ...describeTotal(total),
    nextCursor,
  };
}
