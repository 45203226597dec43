import type { Config } from '../../config.ts';
import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { BlobStore } from '../../integrations/blobs/blob-store.ts';
import type { TranscriptWriter } from '../../integrations/pdf/transcript.ts';
import { TwilioClient } from '../../integrations/twilio/client.ts';
import type { Log } from '../../log.ts';
import type { AccountService } from '../accounts/service.ts';
import type { CaseService } from '../cases/service.ts';
import type { FileService } from '../files/service.ts';
import { BackfillService } from './inbound/service.backfill.ts';
import { ExportService } from './service.export.ts';
import { InboundService } from './inbound/service.ts';
import { MediaService } from './media/service.ts';
import { NewsService } from './service.news.ts';
import { NumberService } from './numbers/service.ts';
import { RecordService } from './inbound/service.records.ts';
import { RegistrationService } from './numbers/service.registrations.ts';
import { SendingService } from './sending/service.ts';
import { MessageService } from './service.conversations.ts';

type Parts = {
  config: Pick<Config, 'twilio' | 'publicUrl'>;
  db: Database;
  writer: Writer;
  blobs: BlobStore;
  paper: TranscriptWriter;
  log: Log;
  accounts: AccountService;
  cases: CaseService;
  files: FileService;
};

/** Builds the services of text messages. */
export function createTexting({ config, db, writer, blobs, paper, log, ...neighbours }: Parts) {
  const { twilio: account, publicUrl } = config;
  const twilio = account && new TwilioClient(account);
  const reach = { publicUrl, isEmulated: account?.baseUrl !== undefined };
  const parts = { db, writer, twilio, reach, log };
  const registrations = new RegistrationService(parts);
  const numbers = new NumberService(parts, { registrations, accounts: neighbours.accounts });
  const news = new NewsService(parts);
  const records = new RecordService(parts, { news });
  const sending = new SendingService(parts, { numbers, news });
  const media = new MediaService({ ...parts, blobs, config: account, news });
  const inbound = new InboundService({ ...parts, config: account, news, media, records });
  const backfill = new BackfillService(parts, { news, records });
  const messages = new MessageService({ db, writer, numbers });
  const transcripts = new ExportService(parts, {
    numbers,
    writer: paper,
    ...neighbours,
  });
  return {
    transcripts,
    parts,
    numbers,
    registrations,
    news,
    records,
    sending,
    media,
    inbound,
    backfill,
    messages,
  };
}
