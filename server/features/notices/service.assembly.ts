import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { FirmService } from '../firm/service.ts';
import { Raising } from './service.raising.ts';
import { NoticeService } from './service.ts';
import { NoticeSettings } from './service.settings.ts';

type Parts = { db: Database; writer: Writer; firm: FirmService; queue: Queue };

/** Notices, and what raises them. */
export function createNotices({ db, writer, firm, queue }: Parts) {
  const notices = new NoticeService(db, writer, queue);
  const noticeSettings = new NoticeSettings(db, writer);
  return { notices, noticeSettings, raising: new Raising({ db, writer, firm, notices }) };
}
