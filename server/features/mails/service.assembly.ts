import type { Config } from '../../config.ts';
import type { Database } from '../../db/schema.ts';
import { Seal } from '../../db/seal.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import { GoogleSignIn } from '../../integrations/google/sign-in.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { BlobStore } from '../../integrations/blobs/blob-store.ts';
import { MailCache } from '../../integrations/google/mail-cache.ts';
import { MailReader } from '../../integrations/mime/reader.ts';
import type { AccountService } from '../accounts/service.ts';
import { CaseClues } from '../cases/service.clues.ts';
import type { FileService } from '../files/service.ts';
import { MailAccess } from './service.access.ts';
import { ConnectingService } from './service.connecting.ts';
import { ComposingService } from './service.composing.ts';
import { FilingService } from './service.filing.ts';
import { ReadingService } from './service.reading.ts';
import { SendingService } from './service.sending.ts';
import { MailboxService } from './service.ts';
import { UploadService } from './service.uploads.ts';

type Parts = {
  config: Config;
  secretKey: string;
  db: Database;
  writer: Writer;
  queue: Queue;
  accounts: AccountService;
  files: FileService;
  blobs: BlobStore;
};

/** Puts together what serves mail; without Google's configuration it serves nothing, and costs nothing. */
export function createMails({ config, secretKey, files, blobs, ...parts }: Parts) {
  const seal = new Seal(secretKey);
  const google = config.google && {
    config: config.google,
    signIn: new GoogleSignIn(config.google, config.publicUrl),
  };
  const access = new MailAccess({ ...parts, seal, google });
  const reader = new MailReader();
  const clues = new CaseClues(parts.db);
  const reading = new ReadingService({ access, reader, clues, files, cache: new MailCache() });
  const uploads = new UploadService({ db: parts.db, blobs });
  const composing = new ComposingService({ accounts: parts.accounts, files, reading, uploads });
  return {
    seal,
    google,
    access,
    connecting: new ConnectingService({ ...parts, seal, google, access }),
    mailbox: new MailboxService({ access, seal }),
    reading,
    uploads,
    sending: new SendingService({ ...parts, access, composing }),
    filing: new FilingService({ access, reading, files }),
    close: () => reader.close(),
  };
}
