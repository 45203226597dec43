// Notes and calls of an import, which become entries of their matters' streams.

import {
  BEFORE_CALLS,
  type CallInput,
  IN_FUTURE,
  MENTIONS_MAX,
} from '@matterdesk/contract/stream.ts';
import { mapInSlices } from '../../core/time-slices.ts';
import type { SourceRow } from '../../integrations/exports/source.ts';
import {
  changeImportedEntries,
  type EntryChange,
  findSameEntries,
  importEntries,
  type ImportedEntry,
  readImportedEntries,
  removeImportedEntries,
} from '../stream/service.imports.ts';
import * as texts from './rules.cells.ts';
import * as rules from './rules.notes.ts';
import { isPlaceholder, peopleIn, textOf } from './rules.ts';
import type { Draft, Kind, RefusedRow, Run, Values } from './service.kinds.ts';
import {
  authorOf,
  type FindPerson,
  findMatters,
  findPeople,
  withoutMatter,
} from './service.references.ts';

const EARLIEST = '1900-01-01T00:00:00.000Z';
const TOO_LONG = 'Text is too long to be read';
const MAX_NAME_LENGTH = 120;
const ownKinds = ['memo', 'filing'] as const;

type NoteReferences = {
  matters: ReadonlyMap<SourceRow, string>;
  person: FindPerson;
  mentioned: FindPerson;
  contacts: ReadonlyMap<string, string>;
};

async function draftAll(
  run: Run,
  rows: readonly SourceRow[],
  draft: (row: SourceRow, found: NoteReferences) => Draft | RefusedRow,
): Promise<(Draft | RefusedRow)[]> {
  const named = rows.map(personIn).filter((name) => !isPlaceholder(name));
  const found = {
    matters: await findMatters(run, rows),
    person: await findPeople(run, rows, 'author'),
    mentioned: await findPeople(run, rows, 'mentions'),
    contacts: await run.references.byName('contacts', named),
  };
  return mapInSlices(rows, (row) => draft(row, found));
}

function personIn({ cells }: SourceRow): string {
  return cells['with']?.trim() ?? '';
}

/** When a row says that it happened. */
function timeOf(run: Run, row: SourceRow): { at: string | null } | RefusedRow {
  const written = row.cells['at'] ?? '';
  if (written === '') return { at: null };
  const refuse = (message: string) => ({ row, field: 'at', message });
  const at = texts.momentOf(written, run);
  if (at === null) return refuse(texts.notADate(written));
  if (Date.parse(at) > run.now.getTime()) return refuse(IN_FUTURE);
  return at < EARLIEST ? refuse(BEFORE_CALLS) : { at };
}

/** Details that only an entry of our own has. */
function ownOf({ cells }: SourceRow, { mentioned }: NoteReferences): Partial<ImportedEntry> {
  const kind = ownKinds.find((one) => one === cells['kind']);
  const mentions = peopleIn(cells['mentions'] ?? '').flatMap((name) => mentioned(name) ?? []);
  return {
    ...(kind !== undefined && { kind }),
    ...(mentions.length > 0 && { mentions: mentions.slice(0, MENTIONS_MAX) }),
    ...(cells['pinned'] === 'true' && { isPinned: true }),
  };
}

type EntryParts = { lines: readonly string[]; call: CallInput | null; fallback: string };

function draftEntry(
  run: Run,
  row: SourceRow,
  { found, said }: { found: NoteReferences; said: EntryParts },
): Draft | RefusedRow {
  const { matters, person } = found;
  const { cells } = row;
  const caseId = matters.get(row);
  if (caseId === undefined) return withoutMatter(row);
  if (texts.isTooLong(cells['text'])) return { row, field: 'text', message: TOO_LONG };
  const time = timeOf(run, row);
  if ('message' in time) return time;
  const { authorId, byline } = authorOf(run, row, person);
  const subject = texts.plainLine(cells['subject'], row.isPlain);
  const written = rules.noteText({ subject, text: texts.paragraphsOf(cells['text'], row.isPlain) });
  const own = texts.withRest(texts.joinLines([...said.lines, written]), row, run.system);
  if (own === '' && said.call === null) return { row, field: 'text', message: 'Text is required' };
  const text = texts.joinLines([byline, own]);
  const at = time.at === null ? run.now : new Date(time.at);
  const placed = { caseId, authorId, text, at, call: said.call };
  const extra: ImportedEntry = { ...placed, ...ownOf(row, found) };
  return {
    row,
    key: cells['id'] ?? null,
    name: (subject || texts.plainLine(own) || said.fallback)
      .slice(0, MAX_NAME_LENGTH)
      .toWellFormed(),
    // A row without a date must not differ from itself in the next run.
    values: valuesOf({ ...extra, at: time.at === null ? null : at }),
    extra,
  };
}

type KnownEntry = { text: string; at: Date | null; call: CallInput | null };

function valuesOf({ text, at, call }: KnownEntry): Values {
  return {
    text,
    ...(at && { at: at.toISOString() }),
    ...(call && {
      direction: call.direction,
      contact: call.contact,
      with: call.name,
      number: call.number,
      seconds: call.seconds,
      result: call.result,
    }),
  };
}

function entryIn({ extra }: Draft): ImportedEntry {
  return extra as ImportedEntry;
}

const CALL = ['direction', 'contact', 'with', 'number', 'seconds', 'result'];

type Change = Parameters<Kind['update']>[2][number];

/** Members of a call that do not change stay as they are here. */
function changeOf({ id, values, draft }: Change, here: KnownEntry | undefined): EntryChange {
  const [text, at] = [textOf(values['text']), textOf(values['at'])];
  const { call } = entryIn(draft);
  const isOther = CALL.some((member) => member in values);
  const before = here?.call ? valuesOf({ text: '', at: null, call: here.call }) : {};
  return {
    id,
    ...(text !== undefined && { text }),
    ...(at !== undefined && { at: new Date(at) }),
    ...(isOther && call && { call: toCall({ ...before, ...values }, call) }),
  };
}

function toCall(values: Values, said: CallInput): CallInput {
  const { direction, seconds, result } = values;
  return {
    direction: direction === 'in' || direction === 'out' ? direction : said.direction,
    contact: textOf(values['contact']) ?? null,
    name: textOf(values['with']) ?? null,
    number: textOf(values['number']) ?? null,
    seconds: typeof seconds === 'number' ? seconds : null,
    result: typeof result === 'string' ? (result as CallInput['result']) : null,
  };
}

const writing: Omit<Kind, 'kind' | 'draft'> = {
  fields: { contact: 'with' },
  match: (_run, db, drafts) => findSameEntries(db, drafts.map(entryIn)),
  async current(trx, ids) {
    const found = await readImportedEntries(trx, ids);
    return new Map([...found].map(([id, entry]) => [id, valuesOf(entry)]));
  },
  insert: (_run, unit, drafts) => importEntries(unit, drafts.map(entryIn)),
  async update(_run, unit, changes) {
    const ids = changes.map(({ id }) => id);
    const here = await readImportedEntries(unit.trx, ids);
    await changeImportedEntries(
      unit,
      changes.map((change) => changeOf(change, here.get(change.id))),
    );
  },
  remove: (_run, unit, ids) => removeImportedEntries(unit, ids),
};

export const noteKind: Kind = {
  kind: 'notes',
  draft: (run, rows) =>
    draftAll(run, rows, (row, found) =>
      draftEntry(run, row, { found, said: { lines: [], call: null, fallback: 'Note' } }),
    ),
  ...writing,
};

/** A call whose direction is not said is a note that begins with 'Call'. */
export const callKind: Kind = {
  kind: 'calls',
  draft: (run, rows) =>
    draftAll(run, rows, (row, found) => {
      const contact = found.contacts.get(personIn(row)) ?? null;
      const { call, lines } = rules.callOf(row.cells, contact);
      return draftEntry(run, row, { found, said: { lines, call, fallback: 'Call' } });
    }),
  ...writing,
};
