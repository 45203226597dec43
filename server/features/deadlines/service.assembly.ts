import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { AccountService } from '../accounts/service.ts';
import type { CaseService } from '../cases/service.ts';
import type { FirmService } from '../firm/service.ts';
import { RuleApplication } from './chains/service.applying.ts';
import { ProposalService } from './chains/service.ts';
import { CountingService } from './counting/service.ts';
import { DeadlineChanges } from './service.changes.ts';
import { Keeping } from './service.keeping.ts';
import { DeadlineService } from './service.ts';

type Parts = {
  db: Database;
  writer: Writer;
  accounts: AccountService;
  cases: CaseService;
  firm: FirmService;
};

/** The services of deadlines, but the limitations, on which cases build. */
export function createDeadlines({ db, writer, accounts, cases, firm }: Parts) {
  const keeping = new Keeping(firm, cases);
  const deadlines = new DeadlineService({ db, writer, accounts, cases, keeping });
  const proposals = new ProposalService({ db, writer, keeping });
  return {
    counting: new CountingService(db, writer, proposals),
    deadlines,
    proposals,
    application: new RuleApplication(writer, deadlines),
    changes: new DeadlineChanges(writer, keeping),
  };
}
