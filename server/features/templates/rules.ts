// Which version of a template is used, and what its documents are called.

import type { CaseType, Person } from '@matterdesk/contract/cases.ts';
import type { Missing, Template, TemplateProblem } from '@matterdesk/contract/templates.ts';
import { fold } from '../../db/search.ts';
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

type Named = { name: string; recipient: string | null; day: string; isDraft: boolean };

/**
 * 'Records request – Albany Medical Center – 2026-11-20 DRAFT.docx' for each; ' (2)' and so on before ' DRAFT' where a
 * name is taken. @param taken folded names in the folder
 */
export function namesOfDocuments(all: readonly Named[], taken: ReadonlySet<string>): string[] {
  const used = new Set(taken);
  return all.map(({ name, recipient, day, isDraft }) => {
    const parts = [
      shorten(name, NAMED),
      ...(recipient === null ? [] : [shorten(recipient, ADDRESSED)]),
    ];
    const stem = [...parts, day].join(' – ');
    for (let n = 1; ; n += 1) {
      const free = `${stem}${n === 1 ? '' : ` (${n})`}${isDraft ? ' DRAFT' : ''}.docx`;
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
export function emptyInWords(missing: readonly Missing[]): string {
  const { size } = new Set(missing.map(({ path }) => path));
  return size === 1 ? '1 field is empty' : `${size} fields are empty`;
}
