import type { Config } from '../../config.ts';
import type { Database } from '../../db/schema.ts';
import { Seal } from '../../db/seal.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import { PushGate } from '../../integrations/google/push-gate.ts';
import { GoogleSignIn } from '../../integrations/google/sign-in.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Log } from '../../log.ts';
import type { BlobStore } from '../../integrations/blobs/blob-store.ts';
import { HeldCache } from '../../integrations/mime/held-cache.ts';
import { MailReader } from '../../integrations/mime/reader.ts';
import type { AccountService } from '../accounts/service.ts';
import { CaseClues } from '../cases/service.clues.ts';
import type { FileService } from '../files/service.ts';
import { MailAccess, type Google } from './service.access.ts';
import { Correspondents } from './correspondents/service.ts';
import { ConnectingService } from './connect/service.ts';
import { ComposingService } from './compose/service.ts';
import { ChangingService } from './read/service.changing.ts';
import { FilingService } from './read/service.filing.ts';
import { NewsService } from './push/service.ts';
import { PUSH_PATH, PushService } from './push/service.pushes.ts';
import { ReadingService, type Invitations } from './read/service.ts';
import { SelfMailService } from './compose/service.self.ts';
import { SendingService } from './compose/service.sending.ts';
import { MailboxService } from './read/service.list.ts';
import { WatchingService } from './push/service.watching.ts';
import type { StorageService } from '../storage/service.ts';
import { UploadService } from './compose/service.uploads.ts';

type Parts = {
  config: Config;
  secretKey: string;
  db: Database;
  writer: Writer;
  queue: Queue;
  accounts: AccountService;
  files: FileService;
  blobs: BlobStore;
  storage: StorageService;
  invitations: Invitations;
  log: Log;
};

/** Builds the mail services. */
export function createMails({ config, secretKey, files, blobs, ...parts }: Parts) {
  const seal = new Seal(secretKey);
  const google = config.google && {
    config: config.google,
    signIn: new GoogleSignIn(config.google, config.publicUrl),
  };
  const access = new MailAccess({ ...parts, seal, google });
  const reader = new MailReader(config.dataDir);
  const clues = new CaseClues(parts.db);
  const reading = new ReadingService({
    access,
    db: parts.db,
    reader,
    clues,
    files,
    invitations: parts.invitations,
    wholes: new HeldCache(),
    found: new HeldCache(),
    directory: config.dataDir,
  });
  const uploads = new UploadService({ db: parts.db, blobs, storage: parts.storage });
  const composing = new ComposingService({ accounts: parts.accounts, files, reading, uploads });
  const connecting = new ConnectingService({ ...parts, seal, google, access });
  parts.accounts.onDeactivation((unit, userId) => connecting.leave(unit, userId));
  const topic = google?.config.push?.topic ?? null;
  const news = new NewsService({ ...parts, access, topic });
  return {
    seal,
    google,
    access,
    connecting,
    mailbox: new MailboxService({ access, seal }),
    reading,
    uploads,
    sending: new SendingService({ ...parts, access, composing }),
    correspondents: new Correspondents({ ...parts, access }),
    toOneself: new SelfMailService(access),
    changing: new ChangingService({ access, writer: parts.writer }),
    filing: new FilingService({ ...parts, access, reading, files }),
    pushes: new PushService({ ...parts, news, gate: google && openGate(google, config) }),
    news,
    watching: new WatchingService({ ...parts, google, access }),
  };
}

function openGate({ config, signIn }: Google, { publicUrl }: Config): PushGate | undefined {
  const audience = publicUrl + PUSH_PATH;
  return config.push && new PushGate({ config: config.push, signIn, audience });
}
