import type { Readable } from 'node:stream';
import type { Actor } from '../../../core/actor.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { Database, Scoped } from '../../../db/schema.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import type { FileService } from '../../files/service.ts';
import type { MailAccess } from '../service.access.ts';
import type { ReadingService } from './service.ts';
import { fileName } from '../rules.names.ts';
import { isMailId } from '../rules.ts';
import { listFiled } from './service.filed.ts';
import * as store from './store.ts';

type Parts = {
  access: MailAccess;
  reading: ReadingService;
  files: FileService;
  db: Database;
  writer: Writer;
};

/** A complete mail under the name of its file. */
type MailFile = { name: string; read: () => Promise<Readable> };

/** Folder for mails in a case's library. */
const FOLDER = 'E-mail';

/** Files mails in cases. */
export class FilingService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Stores the mail verbatim as a case file, once in each case.
   * @returns `isNew` unless it was filed there before
   * @throws Refusal notFound, invalidInput
   */
  async fileToCase(
    actor: Actor,
    mailId: string,
    caseId: string,
  ): Promise<{ url: string; isNew: boolean }> {
    if (!isMailId(mailId)) throw notFound('Mail');
    const { db, files, writer } = this.#parts;
    const mail = { userId: actor.id, mailId };
    const before = await findIn(db.as(actor), mail, caseId);
    if (before) return { url: before.url, isNew: false };
    const { name, read } = await this.readFile(actor, mailId);
    const parts = partsOf({ caseId, name, read });
    const placeOf = (fields: Map<string, string>) => files.requirePlace(actor, fields);
    return files.incoming.accept({ parts }, placeOf, (place, stored) => {
      const file = async (unit: Unit) => {
        await store.lockFiling(unit.trx, mail);
        const meanwhile = await findIn(unit.trx, mail, caseId);
        // The stored bytes are swept like those of an upload that was cut off.
        if (meanwhile) return { url: meanwhile.url, isNew: false };
        const [url] = await files.adopt(unit, actor, { place, stored });
        await files.incoming.claim(unit.trx, stored);
        const [whole] = stored;
        if (url === undefined || !whole) throw new Refusal('unexpected');
        await store.insertFiled(unit.trx, mail, whole.key);
        return { url, isNew: true };
      };
      return writer.run(actor, file);
    });
  }

  /** The mail verbatim, under the name of its file. @throws Refusal notFound */
  async readFile(actor: Actor, mailId: string): Promise<MailFile> {
    const { access, reading } = this.#parts;
    if (!isMailId(mailId)) throw notFound('Mail');
    return access.use(actor, async (opened) => {
      const { read } = await reading.readOriginal(actor, opened, mailId);
      const { subject, date, arrivedAt } = await reading.readSubject(opened, mailId);
      return { read, name: fileName(subject, date ?? new Date(arrivedAt).toISOString()) };
    });
  }
}

async function findIn(db: Scoped, mail: store.OwnMail, caseId: string) {
  return (await listFiled(db, mail)).find((filed) => filed.case.id === caseId);
}

type Filed = MailFile & { caseId: string };

async function* partsOf({ caseId, name, read }: Filed) {
  yield { field: 'caseId', value: caseId };
  yield { field: 'folder', value: FOLDER };
  yield { name, bytes: await read(), isCut: () => false };
}
