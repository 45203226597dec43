// Mails of an import, each a file of its matter in the folder for mails, verbatim.

import type { SourceRow } from '../../integrations/exports/row.ts';
import { readImportedFiles } from '../files/service.imports.ts';
import { FOLDER, nameOfMail } from '../mails/read/service.filing.ts';
import { folderOf, nameOf } from './rules.documents.ts';
import { plainLine } from './rules.texts.ts';
import { type Filing, filing, timeOf } from './service.documents.ts';
import type { Draft, Kind, RefusedRow, Run } from './service.kinds.ts';
import { authorOf, findMatters, findPeople, withoutMatter } from './service.references.ts';

async function draftMails(run: Run, rows: readonly SourceRow[]): Promise<(Draft | RefusedRow)[]> {
  const matters = await findMatters(run, rows);
  const person = await findPeople(run, rows, 'author');
  return rows.map((row) => {
    const { cells, bytes } = row;
    const caseId = matters.get(row);
    if (caseId === undefined) return withoutMatter(row);
    if (!bytes) return { row, field: 'path', message: 'The mail is not in the export' };
    const at = timeOf(run, row);
    if ('message' in at) return at;
    const named = nameOfMail(plainLine(cells['subject']), at.at.toISOString());
    const name = nameOf(cells['name'], cells['name'] ?? named);
    const folder = cells['folder'] === undefined ? FOLDER : folderOf(cells['folder']);
    const uploadedBy = authorOf(run, row, person).authorId;
    const extra: Filing = { caseId, folder, name, uploadedBy, ...at, bytes };
    return { row, key: keyOf(row), name, values: {}, extra };
  });
}

/** The same message is filed once in each matter; one without an id is known by its bytes' place. */
function keyOf({ cells }: SourceRow): string | null {
  const id = cells['id']?.trim().replaceAll(/^<|>$/g, '');
  if (!id) return null;
  return `${id} in ${(cells['matter'] ?? cells['matterName'] ?? '').trim()}`;
}

/** A mail never changes: another copy of it is the same one. */
export const mailKind: Kind = {
  kind: 'mails',
  draft: draftMails,
  ...filing,
  async current(trx, ids) {
    const found = await readImportedFiles(trx, ids);
    return new Map([...found.keys()].map((id) => [id, {}]));
  },
  update: () => Promise.resolve(),
};
