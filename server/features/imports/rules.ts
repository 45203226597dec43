import { createHash } from 'node:crypto';
import path from 'node:path';
import { caseTypes, type Person, statuses, statusTypes } from '@matterdesk/contract/cases.ts';
import { folderName } from '@matterdesk/contract/files.ts';
import {
  importFields,
  type ImportKind,
  importKinds,
  type Import,
  type ImportCounts,
  type ImportFile,
  type ImportMapping,
  type ImportOutcome,
  type ImportProblem,
  type ImportProfile,
  type ImportState,
  type ImportTables,
} from '@matterdesk/contract/imports.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { isInvisible, withoutControlsInLine } from '@matterdesk/contract/text.ts';
import { fullName } from '../../core/actor.ts';
import { fitFileName } from '../../core/file-names.ts';
import type { CountsByKind, ImportPlace, ImportWork } from '../../db/schema-imports.ts';
import { fold, nameKey } from '../../db/search.ts';
import type { SourceRow } from '../../integrations/exports/source.ts';

/** A value of a record as it is compared: JSON, null where nothing is known. */
export type Value = string | number | boolean | null | readonly string[];
export type Values = Record<string, Value>;

/** Undefined for a value that is no text. */
export function textOf(value: Value | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The other system's words with ours; a person's word maps to a user id. */
export type Tables = { [Name in keyof ImportTables]-?: NonNullable<ImportTables[Name]> };

/** Words of a table, as in the contract. */
const MAX_WORDS = 2000;
const MAX_WORD_LENGTH = 200;
const MAX_MESSAGE_LENGTH = 1000;
const MAX_SHOWN = 200;
const MAX_KEY_LENGTH = 200;
/** Characters of a hash: no two of a million values are alike. */
const HASH_LENGTH = 16;
/** Placeholders in place of a name. */
const PLACEHOLDER =
  /^(?:[-–—.?_/\s]*|n[/.]?\s?a\.?|not applicable|none|null|nil|tbd|tba|to be determined|unknown(?: (?:client|contact|name|person|company))?|no (?:client|name|contact)|client unknown|unassigned|test|xxx+)$/i;

export type ImportRow = {
  id: string;
  profile: ImportProfile;
  state: ImportState;
  work: ImportWork | null;
  run_id: string | null;
  run_at: Date | null;
  begun_at: Date | null;
  dir: string | null;
  mapping: ImportMapping;
  tables: Tables;
  dates: 'ymd' | 'mdy' | 'dmy';
  counts: CountsByKind;
  totals: Partial<Record<ImportKind, number>>;
  problem_count: number;
  place: ImportPlace | null;
  error: string | null;
  at: Date;
  by: Person;
  file_count: number;
};

type FileReport = { files: ImportFile[]; problems: ImportProblem[]; left: Import['left'] };

export function toImport(row: ImportRow, { files, problems, left }: FileReport): Import {
  const isRunning = row.state === 'running';
  return {
    id: row.id,
    profile: row.profile,
    state: row.state,
    dryRun: row.work === 'check' || row.work === 'tryUndo',
    counts: row.counts,
    problems,
    problemCount: row.problem_count,
    mapping: row.mapping,
    tables: row.tables,
    files,
    fileCount: row.file_count,
    progress: isRunning ? progressOf(row) : null,
    undoing: (isRunning || row.state === 'failed') && isUndo(row.work),
    left,
    by: row.by,
    at: row.at.toISOString(),
    error: row.error,
  };
}

export function isUndo(work: ImportWork | null): boolean {
  return work === 'undo' || work === 'tryUndo';
}

function progressOf({ place, counts, totals, run_at: since, work }: ImportRow) {
  const kind = place?.kind ?? importKinds[0];
  const done = isUndo(work) ? 0 : (counts[kind]?.found ?? 0);
  const total = isUndo(work) ? null : (totals[kind] ?? null);
  return { kind, done, total, since: (since ?? new Date()).toISOString() };
}

const NONE: ImportCounts = { found: 0, new: 0, changed: 0, same: 0, conflicting: 0, refused: 0 };

/** The same counts with these outcomes of a kind. */
export function withOutcomes(
  counts: CountsByKind,
  kind: ImportKind,
  outcomes: readonly ImportOutcome[],
): CountsByKind {
  const own = { ...(counts[kind] ?? NONE) };
  for (const outcome of outcomes) {
    own.found += 1;
    own[outcome] += 1;
  }
  return { ...counts, [kind]: own };
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}

/** Equal for rows that say the same, wherever they are in a file. */
export function hashOfRow({ cells, rest, bytes }: SourceRow): string {
  const sorted = (values: Record<string, string>) =>
    Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const { size = null, mark } = bytes ?? {};
  return shortHash(JSON.stringify([sorted(cells), sorted(rest), size, mark]));
}

function hashOfValue(value: Value): string {
  return shortHash(JSON.stringify(value));
}

/** The key under which a record is kept; a long one by its hash. */
export function keyOf(key: string | null, row: SourceRow): string {
  if (key === null) return `row:${hashOfRow(row)}`;
  return key.length <= MAX_KEY_LENGTH ? key : `long:${shortHash(key)}`;
}

export function hashesOf(values: Values): Record<string, string> {
  const known = Object.entries(values).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(known.map(([field, value]) => [field, hashOfValue(value)]));
}

function isEmpty(value: Value): boolean {
  return value === null || value === '' || (isList(value) && value.length === 0);
}

export type Comparison = {
  /** Values to write. */
  values: Values;
  /** Changed here and there. */
  conflicts: { field: string; here: Value; there: Value }[];
  /** Hashes of what the import has written, or found as the row says it. */
  fields: Record<string, string>;
};

type FieldVersions = {
  imported: Values;
  current: Values;
  /** Hashes of what an import wrote. */
  importedHashes: Readonly<Record<string, string>>;
  same?: ((field: string, here: Value, there: Value) => boolean) | undefined;
};

/**
 * Compares a row with the record here. A value is written where the record has none, or has it as an earlier import
 * wrote it; lists of a record that no import wrote are joined. What the row lacks takes nothing away.
 */
export function compare({ imported, current, importedHashes, same }: FieldVersions): Comparison {
  const found: Comparison = { values: {}, conflicts: [], fields: { ...importedHashes } };
  for (const [field, value] of Object.entries(imported)) {
    if (isEmpty(value)) continue;
    const [own, next] = [current[field] ?? null, hashOfValue(value)];
    const [ours, before] = [hashOfValue(own), importedHashes[field]];
    if (ours === next || (!isEmpty(own) && same?.(field, own, value))) found.fields[field] = ours;
    else if (isEmpty(own) ? before === undefined : before === ours) {
      found.values[field] = value;
      found.fields[field] = next;
    } else if (before === undefined && isList(own) && isList(value)) {
      const joined = [...new Set([...own, ...value])];
      found.values[field] = joined;
      found.fields[field] = hashOfValue(joined);
    } else if (before !== next) found.conflicts.push({ field, here: own, there: value });
  }
  return found;
}

function isList(value: Value): value is readonly string[] {
  return typeof value === 'object' && value !== null;
}

/** A conflict in a sentence. @param names of users, by their ids */
export function conflictMessage(
  { here, there }: Comparison['conflicts'][number],
  names: ReadonlyMap<string, string>,
): string {
  const [own, other] = [here, there].map((value) => shown(named(value, names)));
  return cutMessage(`Here “${own}”, in the file “${other}”`);
}

function named(value: Value, names: ReadonlyMap<string, string>): Value {
  if (isList(value)) return value.map((one) => names.get(one) ?? one);
  return names.get(String(value)) ?? value;
}

function shown(value: Value): string {
  if (isList(value)) return value.join(', ').slice(0, MAX_SHOWN);
  return value === null ? '' : String(value).slice(0, MAX_SHOWN);
}

export function cutMessage(message: string): string {
  return message.replaceAll('\0', '').slice(0, MAX_MESSAGE_LENGTH);
}

/** The header that a field is read from; its label where none is. */
export function columnOf(mapping: ImportMapping, kind: ImportKind, field: string | null) {
  if (field === null) return null;
  const column = mapping[kind]?.[field];
  if (typeof column === 'string') return column;
  return importFields[kind].find(({ key }) => key === field)?.label ?? null;
}

/** True for 'Unknown Client', 'N/A' and other placeholders. */
export function isPlaceholder(name: string): boolean {
  return PLACEHOLDER.test(name.trim());
}

/** Names in a cell that may list several people. */
export function peopleIn(cell: string): string[] {
  const names = cell.split(/[;|\n]/).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '' && !isPlaceholder(name));
}

/** Fields whose words tables translate. */
const WORDED: Record<keyof ImportTables, Partial<Record<ImportKind, readonly string[]>>> = {
  status: { matters: ['statusType', 'status'] },
  type: { matters: ['type'] },
  people: {
    matters: ['managingAttorney', 'assigned'],
    notes: ['author', 'mentions'],
    calls: ['author', 'mentions'],
    tasks: ['assignedTo'],
    events: ['people'],
    documents: ['author'],
    mails: ['author'],
  },
};
const DATED: Partial<Record<ImportKind, readonly string[]>> = {
  contacts: ['dateOfBirth'],
  matters: ['dateOfOpening', 'dateOfClosing', 'DOI', 'SOL'],
  notes: ['at'],
  calls: ['at'],
  tasks: ['start', 'due', 'doneAt'],
  events: ['start', 'end'],
};

/** Kinds whose rows hold words to translate. */
export const wordedKinds: readonly ImportKind[] = importKinds.filter((kind) =>
  Object.values(WORDED).some((fields) => fields[kind]),
);

/** The words of a row by table. */
export function wordsOf(
  kind: ImportKind,
  { cells }: SourceRow,
): Record<keyof ImportTables, string[]> {
  const of = (table: keyof ImportTables) =>
    (WORDED[table][kind] ?? []).flatMap((field) => cells[field] ?? []);
  return {
    status: of('status').map((word) => word.trim()),
    type: of('type').map((word) => word.trim()),
    people: of('people').flatMap(peopleIn),
  };
}

export function datesOf(kind: ImportKind, { cells }: SourceRow): string[] {
  return (DATED[kind] ?? []).flatMap((field) => cells[field] ?? []);
}

/** Adds a word, with what it means where that is known; one that is there stays. @returns whether it is new */
export function addWord<Ours>(
  table: Record<string, Ours | null>,
  word: string,
  meaning: () => Ours | null,
): boolean {
  const isWord = word !== '' && word !== '__proto__' && word.length <= MAX_WORD_LENGTH;
  if (!isWord || Object.hasOwn(table, word)) return false;
  if (Object.keys(table).length >= MAX_WORDS) return false;
  table[word] = meaning();
  return true;
}

/** Our word for one of a profile, or for one of ours, without regard to case. */
export function meaningOf<Ours extends string>(
  known: Readonly<Record<string, Ours>>,
  ours: readonly Ours[],
): (word: string) => Ours | null {
  const byKey = new Map(Object.entries(known).map(([word, own]) => [fold(word), own]));
  for (const own of ours) byKey.set(fold(own), byKey.get(fold(own)) ?? own);
  return (word) => byKey.get(fold(word)) ?? null;
}

export const ourStatuses = [...statusTypes, ...statuses] as const;
export const ourTypes = caseTypes;

type KnownUser = Person & { email: string };

/** Finds people by their address or their whole name; not by a name that several have. */
export function peopleFinder<Found extends KnownUser>(
  people: readonly Found[],
): (word: string) => Found | null {
  const byKey = new Map<string, Found | null>();
  const add = (key: string, person: Found) => {
    const before = byKey.get(key);
    byKey.set(key, before !== undefined && before?.id !== person.id ? null : person);
  };
  for (const person of people) {
    const { firstName, lastName, email } = person;
    if (email !== '') add(fold(email), person);
    add(nameKey(fullName(person)), person);
    if (firstName !== '') add(nameKey(`${lastName}, ${firstName}`), person);
  }
  return (word) => byKey.get(fold(word)) ?? byKey.get(nameKey(word)) ?? null;
}

/** A whole name in its parts. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const [last = '', first] = name.split(',').map((part) => part.trim());
  if (first !== undefined && first !== '' && name.split(',').length === 2)
    return { firstName: first, lastName: last };
  const words = name.replaceAll(/\s+/g, ' ').trim().split(' ');
  return { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? '' };
}

/** A path of an upload, without what would lead out of its folder. */
export function safePath(sent: string): string {
  const segments = sent.split(/[/\\]/).filter((segment) => !['', '.', '..'].includes(segment));
  return segments.join('/').slice(-500) || 'file';
}

// Names and folders of documents, as the library of a matter takes them.

/** The folder that a matter's page proposes first. */
const FIRST_FOLDER = 'Documents';
/** Folders of a matter have no folders inside. */
const BETWEEN = ' – ';
const MAX_FOLDER_LENGTH = 200;

function cleaned(text: string): string {
  return withoutControlsInLine(normalized(text.toWellFormed())).trim();
}

function segmentsOf(text: string): string[] {
  return text
    .split(/[/\\]/)
    .map(cleaned)
    .filter((segment) => !isInvisible(segment) && segment !== '.' && segment !== '..');
}

/** 'Medical/Mercy' becomes 'Medical – Mercy'; of a long path, the end is kept. */
export function folderOf(text = ''): string {
  const flat = segmentsOf(text).join(BETWEEN);
  const short =
    flat.length <= MAX_FOLDER_LENGTH
      ? flat
      : `…${flat.slice(1 - MAX_FOLDER_LENGTH).toWellFormed()}`;
  const parsed = folderName.safeParse(short);
  return parsed.success ? parsed.data : FIRST_FOLDER;
}

/** The name that is given, with the extension of the file where it has none. */
export function nameOf(given: string | undefined, file: string): string {
  const own = segmentsOf(file).at(-1) ?? '';
  const named = segmentsOf((given ?? '').replaceAll(/[/\\]/g, '_')).at(-1) ?? own;
  const extension = path.extname(own);
  const hasOne = extension === '' || path.extname(named).toLowerCase() === extension.toLowerCase();
  const { name: stem, ext } = path.parse(hasOne ? named : `${named}${extension}`);
  return fitFileName(stem, ext) || 'Document';
}
