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
    const { access, reading, files } = this.#parts;
    if (!isMailId(mailId)) throw notFound('Mail');
    const { name, bytes } = await access.use(actor, async (opened) => {
      const bytes = await reading.readOriginal(opened, mailId);
      const { subject, date, arrivedAt } = await reading.readSubject(opened, mailId);
      return { bytes, name: fileName(subject, date ?? new Date(arrivedAt).toISOString()) };
    });
    const { urls } = await files.uploadFiles(actor, partsOf({ caseId, name, bytes }));
    const [url] = urls;
    if (url === undefined) throw new Refusal('unexpected');
    return { url };
  }
}

type Filed = { caseId: string; name: string; bytes: Buffer };

async function* partsOf({ caseId, name, bytes }: Filed) {
  yield { field: 'caseId', value: caseId };
  yield { field: 'folder', value: FOLDER };
  yield { name, bytes: Readable.from([bytes]), isCut: () => false };
}
