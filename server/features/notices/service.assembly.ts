import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { IdleCases } from '../deadlines/idle/service.ts';
import type { DeadlineService } from '../deadlines/service.ts';
import type { AccessNewsDesk } from '../access/service.news.ts';
import type { Post } from '../accounts/service.post.ts';
import type { AccountService } from '../accounts/service.ts';
import type { FirmService } from '../firm/service.ts';
import { DigestService } from './digest/service.ts';
import { notifyPeople } from './service.people.ts';
import { Raising } from './service.raising.ts';
import type { NoticeService } from './service.ts';
import { NoticeSettings } from './service.settings.ts';

type Parts = {
  db: Database;
  writer: Writer;
  firm: FirmService;
  notices: NoticeService;
  deadlines: DeadlineService;
  idle: IdleCases;
  accounts: AccountService;
  accessNews: AccessNewsDesk;
  post: Post;
};

/** What raises notices, beside what those who change things report. */
export function createNotices(parts: Parts) {
  const { db, writer, firm, notices, deadlines, idle, accounts, accessNews, post } = parts;
  notifyPeople({ notices, accounts, access: accessNews, firm, post });
  const noticeSettings = new NoticeSettings(db, writer);
  const digests = new DigestService({ db, writer, firm, notices, deadlines, idle });
  const raising = new Raising({ db, writer, firm, notices });
  return { noticeSettings, digests, raising };
}
