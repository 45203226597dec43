// Training: reads a file page by page and stores its passages.

import type { Context } from '../../../context.ts';
import type { Scoped } from '../../../db/schema.ts';
import {
  ChildEnded,
  dividePagesConfined,
  extractPages,
  WorkLimitReached,
} from '../../../integrations/documents/extract.ts';
import { type DocumentKind, hasPages } from '../../../integrations/documents/kinds.ts';
import {
  type Page,
  reasons,
  UnreadableDocument,
} from '../../../integrations/documents/messages.ts';
import type { Attempt, RecurringJob } from '../../../jobs/queue.ts';
import { announceTraining, recordTrainingFailure } from '../../files/service.training.ts';
import { embeddingsOf } from '../service.models.ts';
import { MAX_FAILURES, progressOf, Turns } from './rules.ts';
import { sweepTraining } from './service.ts';
import * as store from './store.ts';

const WHY = 'a document is read once for all files with its content';
/** Concurrent trainings, so that a short letter does not wait for a scan of a thousand pages. */
const AT_ONCE = 2;
/** Pages that were read are stored after so many milliseconds or UTF-16 units. */
const STORE_EVERY_MS = 1000;
const MAX_UNSTORED_LENGTH = 400_000;
const FEW_PAGES = 3;
/** Milliseconds between two checks that the file still exists and no one else needs the slot. */
const CHECK_EVERY_MS = 1000;
const PASSAGES_AT_ONCE = 200;

/** Trains documents in steps that are each stored, so that an interrupted training resumes where it stopped. */
export class Trainer {
  readonly #context: Context;
  readonly #turns = new Turns();
  readonly #db: Scoped;

  constructor(context: Context) {
    this.#context = context;
    this.#db = context.db.asSystem(WHY);
  }

  async start(atOnce = AT_ONCE): Promise<void> {
    await this.#context.queue.work('train', atOnce, (key, attempt) => this.#train(key, attempt));
  }

  async #train(key: string, attempt: Attempt): Promise<void> {
    // A training that was begun before continues.
    let id = attempt.before === 0 ? await this.#takeTurn(key, attempt.job) : key;
    while (await this.#isYielded(id, attempt)) id = await this.#takeTurn(id, attempt.job);
  }

  /** Trains a document to its end, unless its slot is needed: a person has one while others wait. */
  async #isYielded(id: string, attempt: Attempt): Promise<boolean> {
    const [deleted, yielded] = [new AbortController(), new AbortController()];
    const check = async () => {
      if (!(await store.isWanted(this.#db, id))) deleted.abort();
      else if (await store.isToYield(this.#db, attempt.job)) yielded.abort();
    };
    const timer = setInterval(() => void check().catch(() => undefined), CHECK_EVERY_MS);
    try {
      const signal = AbortSignal.any([attempt.signal, deleted.signal, yielded.signal]);
      await this.#work(id, { ...attempt, signal });
      return false;
    } catch (error) {
      if (attempt.signal.aborted) throw error;
      if (deleted.signal.aborted)
        await this.#finish(id, { status: 'failed', error: reasons.deleted });
      else if (!yielded.signal.aborted) throw error;
      return !deleted.signal.aborted;
    } finally {
      clearInterval(timer);
    }
  }

  /** The document that this job trains: its own, or that of a person who has waited longer. */
  async #takeTurn(document: string, job: string): Promise<string> {
    const db = this.#db;
    const other = this.#turns.next(await store.listWaiting(db, job));
    if (!other) return document;
    this.#turns.note(other);
    if (other.job === job) return document;
    const isExchanged = await store.exchangeDocuments(db, { job, document, other });
    return isExchanged ? other.document : document;
  }

  async #work(id: string, { signal, before }: Attempt): Promise<void> {
    const document = await store.beginWork(this.#db, id);
    if (!document) return;
    const kind = document.kind as DocumentKind;
    try {
      if (!(await store.isWanted(this.#db, id))) throw new UnreadableDocument(reasons.deleted);
      if (before > MAX_FAILURES) throw new UnreadableDocument(reasons.gaveUp);
      if (document.characters === null) await this.#read(id, kind, signal);
      await this.#index(id, kind, signal);
      await this.#finish(id, { status: 'ready' });
      void (await embeddingsOf(this.#context))?.prepare(id);
    } catch (error) {
      if (!(error instanceof UnreadableDocument)) throw error;
      this.#context.log.info({ document: id, reason: error.message }, 'not trained');
      const isKept = error instanceof WorkLimitReached;
      await this.#finish(id, { status: 'failed', error: error.message, isKept });
    }
  }

  async #read(id: string, kind: DocumentKind, signal: AbortSignal): Promise<void> {
    const { blobs } = this.#context;
    const db = this.#db;
    const bytes = await store.findBytes(db, id);
    if (!bytes) throw new UnreadableDocument(reasons.deleted);
    if (!hasPages(kind)) await store.deletePages(db, id);
    const batch = new Batch(await store.findLastPage(db, id), hasPages(kind));
    const open = () => blobs.read(bytes.blob_key);
    const { tesseract } = this.#context.config;
    const source = { kind, size: Number(bytes.size), open, from: batch.next, signal, tesseract };
    try {
      for await (const event of extractPages(source)) {
        if (event.type === 'begin') batch.total = event.pages;
        else if (event.type === 'note') batch.notes.push(event.text);
        else batch.add(event.page);
        if (batch.isDue()) await this.#store(id, batch);
      }
    } finally {
      // Pages that were read count, however the reading ends.
      if (!signal.aborted) await this.#store(id, batch);
    }
    if (await store.isBlank(db, id)) throw new UnreadableDocument(await this.#blankReason(id));
    await store.finishReading(db, id, batch.end);
  }

  async #store(id: string, batch: Batch): Promise<void> {
    const { rows, reading } = batch.take();
    await this.#context.writer.runAsSystem(null, WHY, async (unit) => {
      if (rows.length > 0) await store.insertPages(unit.trx, id, rows);
      await store.recordReading(unit.trx, id, reading);
      await announceTraining(unit, id);
    });
  }

  async #blankReason(id: string): Promise<string> {
    return (await store.isScanned(this.#db, id)) ? reasons.noTextInScan : reasons.noText;
  }

  async #index(id: string, kind: DocumentKind, signal: AbortSignal): Promise<void> {
    const db = this.#db;
    await store.deletePassages(db, id);
    const waiting: store.PassageText[] = [];
    let ordinal = 0;
    const flush = () => store.insertPassages(db, id, waiting.splice(0));
    try {
      for await (const passage of dividePagesConfined(kind, pagesOf(db, id), signal)) {
        waiting.push({ ...passage, ordinal });
        ordinal += 1;
        if (waiting.length >= PASSAGES_AT_ONCE) await flush();
      }
    } catch (error) {
      throw error instanceof ChildEnded
        ? new UnreadableDocument(reasons.gaveUp, { cause: error })
        : error;
    }
    if (waiting.length > 0) await flush();
  }

  async #finish(id: string, end: Parameters<typeof store.finishWork>[2]): Promise<void> {
    await this.#context.writer.runAsSystem(null, WHY, async (unit) => {
      await store.finishWork(unit.trx, id, end);
      if (end.status === 'failed') await recordTrainingFailure(unit, id, end.error);
      await announceTraining(unit, id);
    });
  }
}

/** Removes documents that no longer belong to a file. */
export function trainingJob(context: Context): RecurringJob {
  return { name: 'training', every: 3600, run: () => sweepTraining(context) };
}

async function* pagesOf(db: Scoped, id: string): AsyncGenerator<Page> {
  for await (const row of store.eachPage(db, id)) yield { ...row, isScanned: false };
}

/** Pages that are read but not stored yet. */
class Batch {
  total = 0;
  notes: string[] = [];
  /** Offset of the next page. */
  end: number;
  readonly #hasPages: boolean;
  #done: number;
  #rows: store.PageRow[] = [];
  #units = 0;
  #hasScans = false;
  #storedAt = Date.now();

  /** @param hasPages false for formats that are cut anywhere, where nothing may be inserted between the parts */
  constructor({ page, end }: store.ReadSoFar, hasPages: boolean) {
    this.#done = page;
    this.end = end;
    this.#hasPages = hasPages;
  }

  get next(): number {
    return this.#done + 1;
  }

  add({ page, text, marks, isScanned }: Page): void {
    // A line end keeps the last word of a page apart from the first word of the next.
    const own = this.#hasPages && page < this.total && !text.endsWith('\n') ? `${text}\n` : text;
    this.#rows.push({ page, start_offset: this.end, text: own, marks: JSON.stringify(marks) });
    this.end += own.length;
    this.#done = page;
    this.#units += own.length;
    this.#hasScans ||= isScanned;
  }

  /** Reports the number of pages at once only for long documents; short ones are read in a moment. */
  isDue(): boolean {
    if (this.#rows.length === 0) return this.#done === 0 && this.total > FEW_PAGES;
    return this.#units > MAX_UNSTORED_LENGTH || Date.now() - this.#storedAt > STORE_EVERY_MS;
  }

  take() {
    const progress: store.ReadProgress = {
      progress: progressOf(this.#done, this.total),
      pages: this.total,
      isScanned: this.#hasScans,
      note: this.notes.splice(0).join(' '),
    };
    this.#units = 0;
    this.#storedAt = Date.now();
    return { rows: this.#rows.splice(0), reading: progress };
  }
}
