import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { AccountService } from '../accounts/service.ts';
import { GlassService } from './service.glass.ts';
import { AccessNewsDesk } from './service.news.ts';
import { followPasswords } from './service.pauses.ts';
import { AccessService } from './service.ts';

/** Who sees a matter, for good or for a time, and what others learn of it. */
export function createAccess(db: Database, writer: Writer, accounts: AccountService) {
  const accessNews = new AccessNewsDesk();
  followPasswords(accounts, accessNews);
  return {
    access: new AccessService(db, writer, accounts),
    glass: new GlassService(writer, accessNews),
    accessNews,
  };
}
