// Notes, calls, memos and filings: everyone with access writes them, their authors change them.

import {
  type AnswerInput,
  ENTRY_FILES_MAX,
  type EntryPatch,
  type NewEntry,
  PINS_MAX,
  type StreamEntry,
} from '@matterdesk/contract/stream.ts';
import { type ActorContext, asActor, write } from '../../context.ts';
import { fullName } from '../../core/actor.ts';
import type { IdempotencyKey } from '../../core/idempotency-key.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import { findAudiences } from '../../db/audiences.ts';
import type { StoredAnswer } from '../../db/schema-stream.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { searchText } from '../../db/search.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { requireActive } from '../accounts/service.ts';
import { findQuotation } from '../ai/answers/service.citations.ts';
import { addressOf } from '../files/service.ts';
import { type Draft, raiseNotices } from '../notices/service.ts';
import * as rules from './rules.ts';
import * as store from './store.entries.ts';
import { hasEntry } from './store.entries.ts';

type Matter = { id: string; caseName: string };

/** @throws Refusal notFound for an unknown case, invalidInput */
export async function addEntry(
  context: ActorContext,
  caseId: string,
  { input, once }: { input: NewEntry; once: IdempotencyKey | undefined },
): Promise<StreamEntry> {
  return write(
    context,
    async (unit) => {
      // First the author, then the matter: the order in which others lock them.
      await requireActive(unit.trx, context.actor);
      const problem = rules.problemOf(input);
      if (problem) throw problem;
      const at = rules.timeOf(input.at, new Date());
      const matter = await requireMatter(unit.trx, caseId);
      const { kind, text, call } = input;
      const answer = input.answer && (await requireAnswer(unit.trx, caseId, input.answer));
      await requireContact(unit.trx, call);
      const id = await store.insertEntry(unit.trx, {
        case_id: caseId,
        kind,
        text,
        search_text: searchedText(input),
        at,
        author_id: context.actor.id,
        call: call && JSON.stringify(call),
        mentions: await requirePeople(unit.trx, caseId, input.mentions),
        files: await requireFiles(unit.trx, caseId, input.files),
        answer: answer && JSON.stringify(answer),
      });
      const entry = await publish(unit, 'entry.created', id);
      await unit.record({ ...about(entry), action: 'created', after: toRecord(entry) });
      await notifyMentioned(context, unit, { entry, matter });
      return entry;
    },
    once && { ...once, requireVisible: (trx, { id }) => requireEntry(trx, id) },
  );
}

/** With its earlier texts, oldest first. @throws Refusal notFound */
export async function readEntry(context: ActorContext, id: string) {
  const db = asActor(context);
  const entry = await requireEntry(db, id);
  const rows = entry.deleted ? [] : await store.listVersions(db, id);
  const versions = rows.map(({ text, at, id: by, first_name, last_name }) => ({
    text,
    at: at.toISOString(),
    by: { id: by, firstName: first_name, lastName: last_name },
  }));
  return { entry, versions };
}

/** @throws Refusal notPermitted for others than the author */
export function requireMayEdit(context: ActorContext, id: string): Promise<void> {
  return requireMay(context, id, rules.mayEdit);
}

/** @throws Refusal notPermitted for others than the author and those with createCases */
export function requireMayPlace(context: ActorContext, id: string): Promise<void> {
  return requireMay(context, id, rules.mayPlace);
}

/** An unknown entry is refused once its body is known to be valid. */
async function requireMay(context: ActorContext, id: string, may: typeof rules.mayEdit) {
  const row = isId(id) ? await store.findEntry(asActor(context), id) : undefined;
  if (row && !may(context.actor, store.toEntry(row))) throw new Refusal('notPermitted');
}

/** @throws Refusal notFound, notPermitted for others than the author, conflict once it is deleted, invalidInput */
export async function changeEntry(
  context: ActorContext,
  id: string,
  patch: EntryPatch,
): Promise<StreamEntry> {
  const at = patch.at && rules.timeOf(patch.at, new Date());
  return write(context, async (unit) => {
    const { row, before, matter } = await lockEntry(unit.trx, id);
    if (!rules.mayEdit(context.actor, before)) throw new Refusal('notPermitted');
    const { kind, text: was, call, answer } = row;
    const said = { kind, text: was, call, answer, ...definedMembers(patch) };
    // A deleted entry has lost its text, which is no fault of a change that leaves it out.
    const text = before.deleted && patch.text === undefined ? '…' : said.text;
    const problem = rules.problemOf({ ...said, text });
    if (problem) throw problem;
    if (patch.call) await requireContact(unit.trx, patch.call);
    const mentions = patch.mentions && (await requirePeople(unit.trx, row.case_id, patch.mentions));
    const files = patch.files && (await requireFiles(unit.trx, row.case_id, patch.files));
    requireKept(before);
    const isRewritten = said.text !== was;
    if (isRewritten) {
      const since = row.edited_at ?? row.entered_at;
      const version = { entry_id: id, text: was, at: since, by_id: row.author_id };
      await store.insertVersion(unit.trx, version);
    }
    await store.updateEntry(unit.trx, id, {
      ...(isRewritten && { text: said.text, edited_at: new Date() }),
      search_text: searchedText(said),
      ...(at && { at }),
      ...(patch.call !== undefined && { call: said.call && JSON.stringify(said.call) }),
      ...(mentions && { mentions }),
      ...(files && { files }),
    });
    const after = await publish(unit, 'entry.updated', id);
    await recordChange(unit, before, after);
    if (patch.mentions) {
      const people = after.mentions.map((person) => person.id);
      await store.dropMentions(unit.trx, id, people);
      const news = people.filter((person) => !row.mentions.includes(person));
      await notifyMentioned(context, unit, { entry: after, matter, only: news });
    }
    return after;
  });
}

/** Leaves an empty entry that says who deleted it; the second time does nothing. @throws Refusal notFound, notPermitted */
export async function deleteEntry(context: ActorContext, id: string): Promise<StreamEntry> {
  return write(context, async (unit) => {
    const { before } = await lockEntry(unit.trx, id);
    if (!rules.mayDelete(context.actor, before)) throw new Refusal('notPermitted');
    if (before.deleted) return before;
    await store.updateEntry(unit.trx, id, {
      deleted_at: new Date(),
      deleted_by: context.actor.id,
      pinned_at: null,
      text: '',
      search_text: '',
      answer: null,
    });
    await store.dropMentions(unit.trx, id, []);
    await unit.record({ ...about(before), action: 'deleted', before: toRecord(before) });
    return publish(unit, 'entry.updated', id);
  });
}

/** @throws Refusal notFound, notPermitted, conflict for one too many, or once it is deleted */
export async function pinEntry(
  context: ActorContext,
  id: string,
  pinned: boolean,
): Promise<StreamEntry> {
  return write(context, async (unit) => {
    const { before } = await lockEntry(unit.trx, id);
    if (!rules.mayPlace(context.actor, before)) throw new Refusal('notPermitted');
    requireKept(before);
    if (before.pinned === pinned) return before;
    if (pinned && (await store.lockPins(unit.trx, before.case)) >= PINS_MAX)
      throw new Refusal('conflict', 'Five notes are pinned already');
    await store.updateEntry(unit.trx, id, { pinned_at: pinned ? new Date() : null });
    const after = await publish(unit, 'entry.updated', id);
    await recordChange(unit, before, after);
    return after;
  });
}

/**
 * Both matters say so; its files stay where they are and fall out, as do mentions of those who do not see the new one.
 * @throws Refusal notFound, notPermitted, invalidInput for an unknown matter, conflict
 */
export async function moveEntry(
  context: ActorContext,
  id: string,
  { case: to, reason }: { case: string; reason: string },
): Promise<StreamEntry> {
  return write(context, async (unit) => {
    const { before } = await lockEntry(unit.trx, id);
    if (!rules.mayPlace(context.actor, before)) throw new Refusal('notPermitted');
    const target = isId(to) ? await store.findMatter(unit.trx, to) : undefined;
    if (!target) throw invalidField('case', 'Please select any case');
    requireKept(before);
    if (to === before.case) throw new Refusal('conflict', 'It is in this matter already');
    const audiences = await findAudiences(unit.trx, [before.case]);
    const ids = before.mentions.map((person) => person.id);
    const people = await store.findPeople(unit.trx, to, ids);
    const seeing = new Set(people.filter(({ sees }) => sees).map((person) => person.id));
    const mentions = ids.filter((one) => seeing.has(one));
    await store.updateEntry(unit.trx, id, { case_id: to, pinned_at: null, mentions });
    await store.dropMentions(unit.trx, id, []);
    const after = { from: before.case, to, kind: before.kind, reason };
    await unit.recordAll(
      [before.case, to].map((caseId) => ({ ...about(before), caseId, action: 'moved', after })),
    );
    const audience = audiences.get(before.case);
    unit.emit('entry.updated', { id, case: null }, { ...(audience && { audience }) });
    return publish(unit, 'entry.created', id);
  });
}

function requireKept({ deleted }: StreamEntry): void {
  if (deleted) throw new Refusal('conflict', 'This note was deleted');
}

async function requireMatter(db: Scoped, id: string): Promise<Matter> {
  const matter = isId(id) ? await store.findMatter(db, id) : undefined;
  if (!matter) throw notFound('Case');
  return matter;
}

async function requireRow(db: Scoped, id: string): Promise<store.EntryRow> {
  const row = isId(id) ? await store.findEntry(db, id) : undefined;
  if (!row) throw notFound('Entry');
  return row;
}

async function requireEntry(db: Scoped, id: string): Promise<StreamEntry> {
  return store.toEntry(await requireRow(db, id));
}

async function lockEntry(trx: Transaction, id: string) {
  const row = isId(id) ? await store.lockEntry(trx, id) : undefined;
  if (!row) throw notFound('Entry');
  const matter = await requireMatter(trx, row.case_id);
  return { row, before: store.toEntry(row), matter };
}

/** Each once, in their order. @throws Refusal invalidInput for who does not see the matter */
async function requirePeople(db: Scoped, caseId: string, asked: string[]): Promise<string[]> {
  const ids = [...new Set(asked)];
  const found = await store.findPeople(db, caseId, ids.filter(isId));
  if (found.length < ids.length) throw invalidField('mentions', 'Please select any user');
  const blind = found.find(({ sees }) => !sees);
  if (blind) throw invalidField('mentions', `${blind.name} cannot see this matter`);
  return ids;
}

/** @throws Refusal invalidInput for a file of another matter */
async function requireFiles(db: Scoped, caseId: string, urls: string[]): Promise<string[]> {
  const places = [...new Set(urls)].flatMap((url) => addressOf(url) ?? []);
  const ids = await store.findFileIds(
    db,
    caseId,
    places.filter((place) => place.caseId === caseId).slice(0, ENTRY_FILES_MAX),
  );
  if (ids.length < new Set(urls).size)
    throw invalidField('files', 'Please select files of this matter');
  return ids;
}

/** @throws Refusal invalidInput for a quotation that is not in a file of the matter, on its page */
async function requireAnswer(
  db: Scoped,
  caseId: string,
  { question, quotation, url, page }: AnswerInput,
): Promise<StoredAnswer> {
  const { version, ...file } = rules.splitVersion(url);
  const place = addressOf(file.url);
  if (place?.caseId !== caseId)
    throw invalidField('answer.url', 'Please select a file of this matter');
  const at = { caseId, folder: place.folder, file_name: place.name, version };
  const found = await findQuotation(db, at, { page, quotation });
  if (!found) throw invalidField('answer.url', 'Please select a file of this matter');
  if (!found.isTrained) throw invalidField('answer.url', 'This file is not trained');
  if (!found.hasPage) throw invalidField('answer.page', `This file has no page ${page}`);
  if (!found.isQuoted)
    throw invalidField('answer.quotation', `This quotation is not on page ${page} of the file`);
  return { question, quotation, page, file: found.fileId, version: found.version };
}

/** @throws Refusal invalidInput for a contact that the caller does not see */
async function requireContact(db: Scoped, call: NewEntry['call']): Promise<void> {
  const id = call?.contact ?? null;
  if (id !== null && !(isId(id) && (await store.hasContact(db, id))))
    throw invalidField('call.contact', 'Select a contact');
}

/** A contact's name is found where the contact is, so that it stays behind the contact's wall. */
export function searchedText({ text, call, answer }: Omit<rules.EntryContent, 'kind'>): string {
  const { question = '', quotation = '' } = answer ?? {};
  return searchText([text, call?.name ?? '', call?.number ?? '', question, quotation]);
}

type Mention = { entry: StreamEntry; matter: Matter; only?: string[] };

/** One notice for each person whom an entry mentions, but its author. */
async function notifyMentioned(
  context: ActorContext,
  unit: Unit,
  { entry, matter, only }: Mention,
): Promise<void> {
  const { actor } = context;
  const people = only ?? entry.mentions.map(({ id }) => id);
  const drafts = people
    .filter((id) => id !== actor.id)
    .map((id): Draft => ({
      user_id: id,
      case_id: entry.case,
      event_id: null,
      deadline_id: null,
      entry_id: entry.id,
      type: 'mention',
      subject: `mention ${entry.id}`,
      title: `${fullName(actor)} mentioned you in ${matter.caseName}`,
      body: rules.excerptOf(rules.wordsOf(entry)),
      at: new Date(),
      missed: false,
    }));
  await raiseNotices(context, unit, drafts);
}

/**
 * Sends an entry as it is now to everyone with access, without a contact that some of them do not see.
 * @returns it as the actor sees it
 */
async function publish(
  unit: Unit,
  name: 'entry.created' | 'entry.updated',
  id: string,
): Promise<StreamEntry> {
  const row = await requireRow(unit.trx, id);
  unit.emit(name, store.toEntry(row, { isForAll: true }));
  return store.toEntry(row);
}

async function recordChange(unit: Unit, was: StreamEntry, is: StreamEntry): Promise<void> {
  const states = { before: toRecord(was), after: toRecord(is) };
  await unit.record({ ...about(is), action: 'updated', ...states });
}

/** Fields of every audit entry about an entry. */
export function about(entry: Pick<StreamEntry, 'id' | 'case'>) {
  return { entity: 'entry', entityId: entry.id, caseId: entry.case } as const;
}

type RecordedFields = Pick<
  StreamEntry,
  'kind' | 'text' | 'at' | 'call' | 'answer' | 'mentions' | 'files' | 'pinned'
>;

/** The record keeps texts; the call's contact only by who was called. */
export function toRecord(entry: RecordedFields) {
  const { kind, text, at, call, answer, mentions, files, pinned } = entry;
  return {
    kind,
    text,
    at,
    ...(call && { direction: call.direction, result: call.result, seconds: call.seconds }),
    ...(answer && { question: answer.question, quotation: answer.quotation, page: answer.page }),
    mentions,
    files: files.length,
    pinned,
  };
}

function definedMembers(patch: EntryPatch): Partial<Pick<NewEntry, 'text' | 'call'>> {
  return {
    ...(patch.text !== undefined && { text: patch.text }),
    ...(patch.call !== undefined && { call: patch.call }),
  };
}

// Entries from which tasks, events and deadlines are made.

type MadeFrom = {
  caseId: string | null | undefined;
  source: { type: string; id: string } | null | undefined;
};

/** @throws Refusal invalidInput for an entry that is not in this matter, was deleted, or that the caller does not see */
export async function requireSource(db: Scoped, { caseId, source }: MadeFrom): Promise<void> {
  if (source?.type !== 'entry') return;
  const { id } = source;
  const isKnown = isId(id) && !!caseId && isId(caseId) && (await hasEntry(db, caseId, id));
  if (!isKnown) throw invalidField('source', 'Please select an entry of this matter');
}
