import { caseTypes, statuses, statusTypes } from '@matterdesk/contract/cases.ts';
import {
  type ImportField,
  importFields,
  type ImportKind,
  importKinds,
  type Import,
  type ImportMapping,
  type ImportTables,
} from '@matterdesk/contract/imports.ts';
import { counted, formatList } from '../../core/words.ts';
import { kindLabels } from './rules.ts';

/** A header, a value that every row has, or nothing. */
export type FieldSource = string | { value: string } | null;

export type KindColumns = {
  kind: ImportKind;
  files: string[];
  /** From all its files, each once. */
  headers: string[];
};

/** Kinds whose files have columns, in the order in which they come in. */
export function columnsOf({ files }: Pick<Import, 'files'>): KindColumns[] {
  return importKinds.flatMap((kind) => {
    const own = files.filter((file) => file.kind === kind && file.headers.length > 0);
    if (own.length === 0) return [];
    const headers = [...new Set(own.flatMap((file) => file.headers))].filter((one) => one !== '');
    return [{ kind, files: own.map(({ path }) => path), headers }];
  });
}

const TABLE = /\.(csv|tsv|xlsx)$/i;

/** A table without a header, or an empty file; never a document. */
export function isEmpty({ path, size, kind, headers }: Import['files'][number]): boolean {
  return kind !== 'documents' && headers.length === 0 && (size === 0 || TABLE.test(path));
}

/** Kinds that are read without columns, such as documents, with the number of their files. */
export function wholeFilesOf({ files }: Pick<Import, 'files'>) {
  const whole = files.filter((file) => file.headers.length === 0 && !isEmpty(file));
  return importKinds.flatMap((kind) => {
    const count = whole.filter((file) => file.kind === kind).length;
    return count > 0 ? [{ kind, count }] : [];
  });
}

export function fieldSourceOf(
  mapping: ImportMapping,
  kind: ImportKind,
  field: string,
): FieldSource {
  return mapping[kind]?.[field] ?? null;
}

/** Groups of fields of which one has to be filled, and none is; 'Name, First name, or Last name'. */
export function missingOf(
  mapping: ImportMapping,
  kind: ImportKind,
): { needed: string; words: string }[] {
  const groups = Map.groupBy(
    importFields[kind].filter(({ needed }) => needed !== undefined),
    ({ needed = '' }) => needed,
  );
  return [...groups].flatMap(([needed, fields]) =>
    fields.some(({ key }) => fieldSourceOf(mapping, kind, key) !== null)
      ? []
      : [
          {
            needed,
            words: formatList(
              fields.map(({ label }) => label),
              'or',
            ),
          },
        ],
  );
}

/** Marked as required: the first filled field of its group, or every field while none is filled. */
export function isMarked(mapping: ImportMapping, kind: ImportKind, field: ImportField): boolean {
  if (kind === 'matters' && field.key === 'type') return true;
  if (field.needed === undefined) return false;
  const group = importFields[kind].filter(({ needed }) => needed === field.needed);
  const filled = group.find(({ key }) => fieldSourceOf(mapping, kind, key) !== null);
  return filled === undefined || filled.key === field.key;
}

/** Headers that no field takes. */
export function unmatchedOf(mapping: ImportMapping, { kind, headers }: KindColumns): string[] {
  const taken = new Set(
    Object.values(mapping[kind] ?? {}).filter((one) => typeof one === 'string'),
  );
  return headers.filter((header) => !taken.has(header));
}

/** Whether matters or contacts have columns that go into notes. */
export function unmatchedKinds(of: Pick<Import, 'files' | 'mapping'>) {
  const kinds = columnsOf(of)
    .filter((columns) => unmatchedOf(of.mapping, columns).length > 0)
    .map(({ kind }) => kind);
  return { hasMatters: kinds.includes('matters'), hasContacts: kinds.includes('contacts') };
}

/** Fields that are filled or needed come first; the others fold. */
export function splitFields(mapping: ImportMapping, kind: ImportKind) {
  const isFirst = ({ key, needed }: ImportField) =>
    fieldSourceOf(mapping, kind, key) !== null || needed !== undefined || isAsked(kind, key);
  const fields = importFields[kind];
  return { first: fields.filter(isFirst), others: fields.filter((field) => !isFirst(field)) };
}

/** A matter has no type unless it is mapped. */
function isAsked(kind: ImportKind, field: string): boolean {
  return kind === 'matters' && (field === 'type' || field === 'status');
}

/** The values of a field that has few. */
export function choicesOf(kind: ImportKind, field: string): readonly string[] | null {
  if (kind !== 'matters') return null;
  if (field === 'type') return caseTypes;
  if (field === 'statusType') return statusTypes;
  return field === 'status' ? statuses : null;
}

export type Table = keyof ImportTables;

/** The other system's words, in alphabetical order. */
export function wordsOf({ tables }: Pick<Import, 'tables'>, table: Table): string[] {
  return Object.keys(tables[table]).toSorted((a, b) => a.localeCompare(b));
}

/** Words of types that no type is chosen for. */
function openTypes({ tables }: Pick<Import, 'tables'>): string[] {
  return wordsOf({ tables }, 'type').filter((word) => tables.type[word] === null);
}

export type OpenChoice = { at: string; text: string; words: string };

/** Choices that are still open, each with the id of its section and what it means; the first ones hold up the check. */
export function openChoices(of: Import): OpenChoice[] {
  const kinds = columnsOf(of);
  const missing = kinds.flatMap(({ kind }) =>
    missingOf(of.mapping, kind).map(({ words }) => ({
      at: `columns-${kind}`,
      text: `${kindLabels[kind]}: ${words}`,
      words: 'Without it, nothing can be checked.',
    })),
  );
  const hasMatters = kinds.some(({ kind }) => kind === 'matters');
  if (hasMatters && fieldSourceOf(of.mapping, 'matters', 'type') === null)
    missing.push({
      at: 'columns-matters',
      text: 'Type of the matters',
      words: 'Choose its column, or one type for every matter. Without it, all are refused.',
    });
  const types = openTypes(of).length;
  if (types > 0)
    missing.push({
      at: 'words-type',
      text: counted(types, 'type'),
      words: 'Their matters are refused until then.',
    });
  return missing;
}

export type Change = { mapping?: ImportMapping; tables?: ImportTables };

/** The import as it will be once its changes are saved. */
export function applyChanges(of: Import, changes: readonly Change[]): Import {
  const mapping = { ...of.mapping };
  const { status, type, people } = of.tables;
  const tables = { status: { ...status }, type: { ...type }, people: { ...people } };
  for (const change of changes) {
    for (const kind of importKinds)
      if (change.mapping?.[kind]) mapping[kind] = { ...mapping[kind], ...change.mapping[kind] };
    for (const table of ['status', 'type', 'people'] as const)
      Object.assign(tables[table], change.tables?.[table]);
  }
  return { ...of, mapping, tables };
}

/** Why the check cannot begin; null if it can. */
export function obstacleOf(of: Import): string | null {
  const kinds = columnsOf(of);
  if (kinds.length === 0 && wholeFilesOf(of).length === 0) return 'No file is recognized.';
  const missing = kinds.filter(({ kind }) => missingOf(of.mapping, kind).length > 0);
  if (missing.length === 0) return null;
  return 'Fill the required fields first.';
}
