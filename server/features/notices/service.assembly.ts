import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { IdleCases } from '../deadlines/idle/service.ts';
import type { DeadlineService } from '../deadlines/service.ts';
import type { FirmService } from '../firm/service.ts';
import { DigestService } from './digest/service.ts';
import { Raising } from './service.raising.ts';
import { NoticeService } from './service.ts';
import { NoticeSettings } from './service.settings.ts';

type Parts = {
  db: Database;
  writer: Writer;
  firm: FirmService;
  queue: Queue;
  deadlines: DeadlineService;
  idle: IdleCases;
};

/** Notices, and what raises them. */
export function createNotices({ db, writer, firm, queue, deadlines, idle }: Parts) {
  const notices = new NoticeService(db, writer, queue);
  const noticeSettings = new NoticeSettings(db, writer);
  const digests = new DigestService({ db, writer, firm, notices, deadlines, idle });
  const raising = new Raising({ db, writer, firm, notices });
  return { notices, noticeSettings, digests, raising };
}
