// Proves who knew what when: every deadline of a matter with its whole history, as PDF.
import { isId } from '../../core/ids.ts';
import { invalidField } from '../../core/refusal.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Entry, Heading } from '../../integrations/pdf/transcript.ts';
import { toChapter, toLine } from './rules.export.ts';
import * as store from './store.export.ts';
import { toDeadline, type DeadlineRow } from './store.ts';
import { type ActorContext, asActor, write } from '../../context.ts';
import { caseExists, readCase } from '../cases/service.ts';
import { uploadFiles } from '../files/service.ts';

const FOLDER = 'Deadlines';
/** Deadlines of an export, and entries of each. */
const [DEADLINES, ENTRIES] = [2000, 5000];

/**
 * Stores the PDF in the case's library.
 * @throws Refusal invalidInput for an unknown case
 */
export async function exportHistory(
  context: ActorContext,
  caseId: string,
): Promise<{ url: string }> {
  const { paper } = context;
  const db = asActor(context);
  if (!isId(caseId) || !(await caseExists(db, caseId)))
    throw invalidField('case', 'Please select any case');
  const matter = await readCase(context, caseId);
  const now = new Date().toISOString();
  const heading: Heading = {
    title: `Deadlines of ${matter.caseName}`,
    facts: [
      { name: 'Case', value: `${matter.caseName}, ${matter.caseNo}` },
      {
        name: 'Exported',
        value: `${now.slice(0, 19).replace('T', ' ')} UTC by ${context.actor.email}`,
      },
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
  const { urls } = await uploadFiles(
    context,
    (async function* parts() {
      yield { field: 'caseId', value: caseId };
      yield { field: 'folder', value: FOLDER };
      yield { name, bytes, isCut: () => false };
    })(),
  );
  await write(context, (unit) =>
    unit.record({ action: 'deadlinesExported', entity: 'case', entityId: caseId, caseId }),
  );
  return { url: urls[0] ?? '' };
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
