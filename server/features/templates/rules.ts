// Versions of a template, names of its documents, and answers to its questions and for its empty fields.

import type { CaseType, Person } from '@matterdesk/contract/cases.ts';
import {
  ANSWER_MAX,
  type MissingField,
  type Template,
  type TemplateProblem,
} from '@matterdesk/contract/templates.ts';
import { isRealDay } from '@matterdesk/contract/time.ts';
import { fitFileName } from '../../core/file-names.ts';
import { fold } from '../../db/search.ts';
import type { Field } from '../../integrations/templates/fields.ts';

export type VersionRow = {
  n: number;
  by: Person | null;
  at: string;
  /** Hexadecimal. */
  sha256: string;
  problems: TemplateProblem[];
  fields: string[];
  questions: string[];
  usesLists: boolean;
};

export type TemplateRow = {
  id: string;
  name: string;
  types: CaseType[];
  active: boolean;
  updated_at: Date;
  /** Newest first. */
  versions: VersionRow[];
};

/** Characters of each part of a document's name. */
const [NAMED, ADDRESSED] = [120, 80];
/** Bytes of a recipient, which leave some for the name. */
const ADDRESSED_BYTES = 160;

/** The newest version without problems. */
export function versionInUse({ versions }: Pick<TemplateRow, 'versions'>): VersionRow | undefined {
  return versions.find(({ problems }) => problems.length === 0);
}

export function toTemplate(row: TemplateRow): Template {
  const used = versionInUse(row);
  const shown = used ?? row.versions[0];
  return {
    id: row.id,
    name: row.name,
    types: row.types,
    active: row.active,
    version: used?.n ?? null,
    versions: row.versions.map(({ n, by, at, sha256, problems }) => ({
      n,
      by,
      at,
      sha256,
      problems,
    })),
    fields: shown?.fields ?? [],
    questions: shown?.questions ?? [],
    usesLists: shown?.usesLists ?? false,
    updatedAt: row.updated_at.toISOString(),
  };
}

type LetterName = { name: string; recipient: string | null; day: string; isDraft: boolean };

/**
 * 'Records request – Albany Medical Center – 2026-11-20 DRAFT.docx' for each; ' (2)' and so on before ' DRAFT' where a
 * name is taken. @param taken folded names in the folder
 */
export function namesOfDocuments(all: readonly LetterName[], taken: ReadonlySet<string>): string[] {
  const used = new Set(taken);
  return all.map(({ name, recipient, day, isDraft }) => {
    const to = fitFileName(shorten(recipient ?? '', ADDRESSED), '', ADDRESSED_BYTES);
    const rest = ` – ${recipient === null ? '' : `${to} – `}${day}`;
    for (let n = 1; ; n += 1) {
      const number = `${n === 1 ? '' : ` (${n})`}${isDraft ? ' DRAFT' : ''}`;
      const free = fitFileName(shorten(name, NAMED), `${rest}${number}.docx`);
      if (used.has(fold(free))) continue;
      used.add(fold(free));
      return free;
    }
  });
}

/** A name of a file is no path, and turns no text around. */
function shorten(text: string, most: number): string {
  return text
    .replaceAll(/[/\\]/g, '-')
    .replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '')
    .slice(0, most)
    .toWellFormed()
    .trim();
}

/** '1 field is empty', '3 fields are empty': each once, however many recipients lack it. */
export function emptyInWords(missing: readonly MissingField[]): string {
  const { size } = new Set(missing.map(({ path }) => path));
  return size === 1 ? '1 field is empty' : `${size} fields are empty`;
}

type QuestionSet = {
  questions: readonly string[];
  /** Paths of the fields that the template names. */
  fields: readonly string[];
  catalog: readonly Field[];
};

/** The first answer that fits no question and no field, or not the field's kind. */
export function problemOf(
  given: Readonly<Record<string, string>>,
  { questions, fields, catalog }: QuestionSet,
): { key: string; message: string } | undefined {
  for (const [key, answer] of Object.entries(given)) {
    const message = questions.includes(key)
      ? undefined
      : fields.includes(key)
        ? wrongIn(fieldAt(catalog, key), answer)
        : 'This template has no such field or question';
    if (message !== undefined) return { key: key.slice(0, 200), message };
    if (answer.length > ANSWER_MAX)
      return { key, message: `Answer must have at most ${ANSWER_MAX} characters` };
  }
  return undefined;
}

/** 'parties.insurer.phone' is of the items of 'parties.insurer'. */
function fieldAt(catalog: readonly Field[], path: string): Field | undefined {
  for (const field of catalog) {
    if (field.path === path) return field;
    if (field.items && path.startsWith(`${field.path}.`)) {
      const found = fieldAt(field.items, path.slice(field.path.length + 1));
      if (found) return found;
    }
  }
  return undefined;
}

/** The kind of an answer; a question takes any text. */
export function kindOf(
  catalog: readonly Field[],
  path: string,
): { kind: Field['kind']; choices: string[] } {
  const { kind = 'lines', choices = [] } = fieldAt(catalog, path) ?? {};
  return { kind, choices: [...choices] };
}

function wrongIn(field: Field | undefined, answer: string): string | undefined {
  if (answer === '' || !field) return undefined;
  const { label } = field;
  switch (field.kind) {
    case 'date':
      return isRealDay(answer) ? undefined : `${label} must be a date such as 2027-11-20`;
    case 'number':
      return /^-?\d{1,15}$/.test(answer) ? undefined : `${label} must be a whole number`;
    case 'choice':
      return field.choices?.includes(answer)
        ? undefined
        : `${label} must be one of ${field.choices?.join(', ')}`;
    case 'list':
      return `${label} is a list, which is filled in the matter`;
    case 'text':
    case 'phone':
      return answer.includes('\n') ? `${label} must be one line` : undefined;
    case 'lines':
      return undefined;
  }
}
