// Exports every deadline of a matter with its whole history as PDF, proof of who knew what when.

import { NOT_FILED } from '@matterdesk/contract/cases.ts';
import type { Deadline } from '@matterdesk/contract/deadlines.ts';
import { type ActorContext, asActor, write } from '../../context.ts';
import { fullName } from '../../core/actor.ts';
import { dateInWords, nowAt, secondInUtc } from '../../core/dates.ts';
import { invalidField } from '../../core/refusal.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Entry, Heading } from '../../integrations/pdf/transcript.ts';
import { uploadDocument } from '../files/service.ts';
import { readFirm } from '../firm/service.ts';
import * as store from './store.ts';

const FOLDER = 'Deadlines';
/** Limits of an export: deadlines, and entries of each. */
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
  const matter = await store.findMatter(db, caseId);
  if (!matter) throw invalidField('case', 'Please select any case');
  const now = new Date().toISOString();
  const { timeZone } = await readFirm(context);
  const heading: Heading = {
    title: `Deadlines of ${matter.caseName}`,
    facts: [
      { name: 'Case', value: `${matter.caseName}, ${matter.caseNo ?? NOT_FILED}` },
      {
        name: 'Exported',
        value: `${secondInUtc(now)} by ${context.actor.email}`,
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
  const name = `Deadlines ${nowAt(new Date(now), timeZone).day}.pdf`;
  const url = await uploadDocument(context, { caseId, folder: FOLDER }, { name, bytes });
  await write(context, (unit) =>
    unit.record({ action: 'deadlinesExported', entity: 'case', entityId: caseId, caseId }),
  );
  return { url };
}

/** Deadlines of a matter with their histories, each proven by its hashes, oldest first. */
export async function* readHistories(
  context: ActorContext,
  caseId: string,
): AsyncGenerator<{ deadline: Deadline; history: store.ProvenEntry[] }> {
  const db = asActor(context);
  for (const row of await store.listDeadlinesOfCase(db, caseId, DEADLINES))
    yield {
      deadline: store.toDeadline(row),
      history: await store.listProvenHistory(db, row.id, ENTRIES),
    };
}

async function* entriesOf(db: Scoped, caseId: string): AsyncGenerator<Entry[]> {
  const rows = await store.listDeadlinesOfCase(db, caseId, DEADLINES + 1);
  for (const row of rows.slice(0, DEADLINES)) yield await chapterOf(db, row);
  if (rows.length > DEADLINES) yield [cutNote(`Only the first ${DEADLINES} deadlines are here`)];
}

async function chapterOf(db: Scoped, row: store.DeadlineRow): Promise<Entry[]> {
  const history = await store.listProvenHistory(db, row.id, ENTRIES + 1);
  const lines = history.slice(0, ENTRIES).map(toLine);
  const rest =
    history.length > ENTRIES ? [cutNote(`Only the first ${ENTRIES} entries are here`)] : [];
  return [toChapter(store.toDeadline(row)), ...lines, ...rest];
}

function cutNote(body: string): Entry {
  return { head: 'NOTE', body, notes: [] };
}

function nameOf(person: { firstName: string; lastName: string } | null): string {
  return person ? fullName(person) : 'Matterdesk';
}

/** Describes a deadline above its history. */
function toChapter(deadline: Deadline): Entry {
  const { title, kind, hard, date, time, timeZone, status, basis } = deadline;
  const due = `${dateInWords(date)}${time === null ? ', end of the day' : `, ${time}`} (${timeZone})`;
  const people = [
    `Owner: ${deadline.owner ? nameOf(deadline.owner) : 'none'}`,
    `Second: ${deadline.second ? nameOf(deadline.second) : 'none'}`,
  ];
  const counted = (basis?.lines ?? []).map(
    ({ text, authority, date: day }) =>
      `${dateInWords(day)}: ${text}${authority && `, ${authority}`}`,
  );
  return {
    head: `${hard ? 'HARD DEADLINE' : 'SOFT DEADLINE'}   ${kind}   ${status}`,
    body: `${title}: ${due}`,
    notes: [people.join('   '), verificationOf(deadline), ...counted],
  };
}

function verificationOf({ hard, verified, imported }: Deadline): string {
  if (!hard) return 'Soft: changed by its owner alone';
  if (verified) return `Verified by ${nameOf(verified.by)}, ${secondInUtc(verified.at)}`;
  return imported ? 'Imported, not verified' : 'Not verified';
}

/** One line of a history. */
function toLine(entry: store.ProvenEntry): Entry {
  const { at, by, action, from, to, reason, hash, isSound } = entry;
  const change = [from, to].map((state) => (state === null ? '' : JSON.stringify(state)));
  const [before, after] = change;
  return {
    head: `${secondInUtc(at)}   ${nameOf(by)}`,
    body: reason === '' ? action : `${action}: “${reason}”`,
    notes: [
      ...(before || after ? [`${before || '–'}  →  ${after || '–'}`] : []),
      isSound ? `Hash ${hash}` : `BROKEN HASH ${hash}: this entry or the one before was altered`,
    ],
  };
}
