import { Readable } from 'node:stream';
import type { Actor } from '../../../core/actor.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { FileService } from '../../files/service.ts';
import type { MailAccess } from '../service.access.ts';
import type { ReadingService } from './service.ts';
import { fileName } from '../rules.names.ts';
import { isMailId } from '../rules.ts';

type Parts = { access: MailAccess; reading: ReadingService; files: FileService };

/** Folder for mails in a case's library. */
const FOLDER = 'E-mail';

/** Files mails in cases. */
export class FilingService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Stores the mail verbatim as a case file. @throws Refusal notFound, invalidInput */
  async fileToCase(actor: Actor, mailId: string, caseId: string): Promise<{ url: string }> {
    const { name, bytes } = await this.readFile(actor, mailId);
    const { urls } = await this.#parts.files.uploadFiles(actor, partsOf({ caseId, name, bytes }));
    const [url] = urls;
    if (url === undefined) throw new Refusal('unexpected');
    return { url };
  }

  /** The mail verbatim, under the name of its file. @throws Refusal notFound */
  async readFile(actor: Actor, mailId: string): Promise<{ name: string; bytes: Buffer }> {
    const { access, reading } = this.#parts;
    if (!isMailId(mailId)) throw notFound('Mail');
    return access.use(actor, async (opened) => {
      const bytes = await reading.readOriginal(opened, mailId);
      const { subject, date, arrivedAt } = await reading.readSubject(opened, mailId);
      return { bytes, name: fileName(subject, date ?? new Date(arrivedAt).toISOString()) };
    });
  }
}

type Filed = { caseId: string; name: string; bytes: Buffer };

async function* partsOf({ caseId, name, bytes }: Filed) {
  yield { field: 'caseId', value: caseId };
  yield { field: 'folder', value: FOLDER };
  yield { name, bytes: Readable.from([bytes]), isCut: () => false };
}
