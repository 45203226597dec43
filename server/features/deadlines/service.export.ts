import type { Actor } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import { invalidField } from '../../core/refusal.ts';
import type { Database, Scoped } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { Entry, Heading, TranscriptWriter } from '../../integrations/pdf/transcript.ts';
import type { CaseService } from '../cases/service.ts';
import type { FileService } from '../files/service.ts';
import { toChapter, toLine } from './rules.export.ts';
import * as store from './store.export.ts';
import { toDeadline, type DeadlineRow } from './store.ts';

const FOLDER = 'Deadlines';
/** Deadlines of an export, and entries of each. */
const [DEADLINES, ENTRIES] = [2000, 5000];

type Parts = {
  db: Database;
  writer: Writer;
  cases: CaseService;
  files: FileService;
  paper: TranscriptWriter;
};

/** Proves who knew what when: every deadline of a matter with its whole history, as PDF. */
export class HistoryExport {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Stores the PDF in the case's library.
   * @throws Refusal invalidInput for an unknown case
   */
  async exportHistory(actor: Actor, caseId: string): Promise<{ url: string }> {
    const { cases, files, paper, writer } = this.#parts;
    const db = this.#parts.db.as(actor);
    if (!isId(caseId) || !(await cases.exists(db, caseId)))
      throw invalidField('case', 'Please select any case');
    const matter = await cases.readCase(actor, caseId);
    const now = new Date().toISOString();
    const heading: Heading = {
      title: `Deadlines of ${matter.caseName}`,
      facts: [
        { name: 'Case', value: `${matter.caseName}, ${matter.caseNo}` },
        { name: 'Exported', value: `${now.slice(0, 19).replace('T', ' ')} UTC by ${actor.email}` },
        {
          name: 'Seal',
          value:
            'Entries cannot be changed or removed. Each hash (SHA-256) covers its entry and the hash before.',
        },
      ],
      ending: { of: 'record', entries: 'entries' },
    };
    const bytes = paper.write(heading, entriesOf(db, caseId));
    const name = `Deadlines ${now.slice(0, 10)}.pdf`;
    const { urls } = await files.uploadFiles(
      actor,
      (async function* parts() {
        yield { field: 'caseId', value: caseId };
        yield { field: 'folder', value: FOLDER };
        yield { name, bytes, isCut: () => false };
      })(),
    );
    await writer.run(actor, (unit) =>
      unit.record({ action: 'deadlinesExported', entity: 'case', entityId: caseId, caseId }),
    );
    return { url: urls[0] ?? '' };
  }
}

async function* entriesOf(db: Scoped, caseId: string): AsyncGenerator<Entry[]> {
  const rows = await store.listOfCase(db, caseId, DEADLINES + 1);
  for (const row of rows.slice(0, DEADLINES)) yield await chapterOf(db, row);
  if (rows.length > DEADLINES) yield [cut(`Only the first ${DEADLINES} deadlines are here`)];
}

async function chapterOf(db: Scoped, row: DeadlineRow): Promise<Entry[]> {
  const history = await store.listProven(db, row.id, ENTRIES + 1);
  const lines = history.slice(0, ENTRIES).map(toLine);
  const rest = history.length > ENTRIES ? [cut(`Only the first ${ENTRIES} entries are here`)] : [];
  return [toChapter(toDeadline(row)), ...lines, ...rest];
}

function cut(body: string): Entry {
  return { head: 'NOTE', body, notes: [] };
}
