import type { Readable } from 'node:stream';
import type { HistoryQuery } from '@matterdesk/contract/messages.ts';
import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { Actor } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, notFound } from '../../core/refusal.ts';
import type { Entry, Heading, TranscriptWriter } from '../../integrations/pdf/transcript.ts';
import type { AccountService } from '../accounts/service.ts';
import type { CaseService } from '../cases/service.ts';
import type { FileService } from '../files/service.ts';
import * as rules from './rules.ts';
import type { NumberService } from './numbers/service.ts';
import * as store from './store.ts';

const FOLDER = 'Text messages';
/** Messages per query. */
const BATCH = 200;

type Neighbours = {
  writer: TranscriptWriter;
  numbers: NumberService;
  accounts: AccountService;
  cases: CaseService;
  files: FileService;
};
type Wish = Pick<HistoryQuery, 'from' | 'to'> & { caseId: string };

/** Exports conversations as PDF. */
export class ExportService {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #neighbours: Neighbours;

  constructor({ db, writer }: { db: Database; writer: Writer }, neighbours: Neighbours) {
    this.#db = db;
    this.#writer = writer;
    this.#neighbours = neighbours;
  }

  /**
   * Stores a transcript of a conversation in a case's library.
   * @throws Refusal notPermitted for another's number, invalidInput for an unknown case, notFound
   */
  async exportConversation(actor: Actor, { from, to, caseId }: Wish): Promise<{ url: string }> {
    const { numbers, cases, files, writer } = this.#neighbours;
    await numbers.requireOwn(actor, from);
    if (!isId(caseId) || !(await cases.exists(this.#db.as(actor), caseId)))
      throw invalidField('caseId', 'Please select any case');
    const pair = { ownerId: actor.id, other: to };
    const [newest] = await store.listTexts(this.#db, pair, { limit: 1 });
    if (!newest) throw notFound('Conversation');
    const now = new Date();
    const heading = await this.#headingOf(actor, { from, to, caseId }, now);
    const bytes = writer.write(heading, this.#entriesOf(pair));
    const name = `Texts with ${to} ${now.toISOString().slice(0, 10)}.pdf`;
    const { urls } = await files.uploadFiles(
      actor,
      (async function* parts() {
        yield { field: 'caseId', value: caseId };
        yield { field: 'folder', value: FOLDER };
        yield { name, bytes, isCut: () => false };
      })(),
    );
    await this.#writer.run(actor, (unit) =>
      unit.record({ action: 'exported', entity: 'text', entityId: newest.id }),
    );
    return { url: urls[0] ?? '' };
  }

  /**
   * A transcript of the caller's texts with a number, for no case.
   * @throws Refusal notFound without any
   */
  async transcribe(actor: Actor, to: string): Promise<{ name: string; bytes: Readable }> {
    const pair = { ownerId: actor.id, other: to };
    const [newest] = await store.listTexts(this.#db, pair, { limit: 1 });
    if (!newest) throw notFound('Conversation');
    const now = new Date();
    const heading: Heading = {
      title: `Text messages with ${to}`,
      facts: [
        { name: 'Other number', value: to },
        { name: 'Exported', value: `${rules.timeText(now)} by ${actor.email}` },
        { name: 'Times', value: 'UTC, as Twilio recorded them' },
      ],
      ending: { of: 'transcript', entries: 'messages' },
    };
    const bytes = this.#neighbours.writer.write(heading, this.#entriesOf(pair));
    return { name: `Texts with ${to} ${now.toISOString().slice(0, 10)}.pdf`, bytes };
  }

  async #headingOf(actor: Actor, { from, to, caseId }: Wish, now: Date): Promise<Heading> {
    const { accounts, cases } = this.#neighbours;
    const [person, matter] = await Promise.all([
      accounts.readCurrentUser(actor),
      cases.readCase(actor, caseId),
    ]);
    const named = [matter.clientInfo, matter.opposingCounselInfo].find(
      ({ phoneNumber }) => rules.digitsOf(phoneNumber) === rules.digitsOf(to),
    );
    return {
      title: `Text messages with ${named ? `${named.name}, ${to}` : to}`,
      facts: [
        { name: 'Case', value: `${matter.caseName}, ${matter.caseNo}` },
        { name: 'Firm number', value: `${from} (${person.firstName} ${person.lastName})` },
        { name: 'Other number', value: to },
        { name: 'Exported', value: `${rules.timeText(now)} by ${person.email}` },
        { name: 'Times', value: 'UTC, as Twilio recorded them' },
      ],
      ending: { of: 'transcript', entries: 'messages' },
    };
  }

  async *#entriesOf(pair: store.Pair): AsyncGenerator<Entry[]> {
    let after: string[] | undefined;
    for (;;) {
      const rows = await store.listTextsAscending(this.#db, pair, { limit: BATCH, after });
      const last = rows.at(-1);
      if (!last) return;
      after = [last.sent_at.toISOString(), last.serial];
      yield rows.map(toEntry);
    }
  }
}

function toEntry(row: store.TextRow): Entry {
  const { from, to, body, status, error, media } = store.toText(row);
  const count = media.length;
  return {
    head: `${rules.timeText(row.sent_at)}   ${from} to ${to}   ${status}`,
    body,
    notes: [
      ...media.map(({ mimeType }, index) => `Attachment ${index + 1} of ${count}: ${mimeType}`),
      ...(error ? [`Error ${error.code}: ${error.message}`] : []),
    ],
  };
}
