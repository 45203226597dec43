import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { FirmService } from '../firm/service.ts';
import { Raising } from './service.raising.ts';
import { NoticeService } from './service.ts';

type Parts = { db: Database; writer: Writer; firm: FirmService };

/** Notices, and what raises them. */
export function createNotices({ db, writer, firm }: Parts) {
  const notices = new NoticeService(db, writer);
  return { notices, raising: new Raising({ db, writer, firm, notices }) };
}
