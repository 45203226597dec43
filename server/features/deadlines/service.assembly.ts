import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { AccountService } from '../accounts/service.ts';
import type { CaseService } from '../cases/service.ts';
import type { TranscriptWriter } from '../../integrations/pdf/transcript.ts';
import type { FileService } from '../files/service.ts';
import type { FirmService } from '../firm/service.ts';
import type { NoticeService } from '../notices/service.ts';
import { RuleApplication } from './chains/service.applying.ts';
import { ProposalService } from './chains/service.ts';
import { CountingService } from './counting/service.ts';
import { DeadlineChanges } from './service.changes.ts';
import { HistoryExport } from './service.export.ts';
import { IdleCases } from './idle/service.ts';
import { Keeping } from './service.keeping.ts';
import { DeadlineService } from './service.ts';

type Parts = {
  db: Database;
  writer: Writer;
  accounts: AccountService;
  cases: CaseService;
  firm: FirmService;
  files: FileService;
  paper: TranscriptWriter;
  notices: NoticeService;
};

/** The services of deadlines, but the limitations, on which cases build. */
export function createDeadlines(parts: Parts) {
  const { db, writer, accounts, cases, files, paper } = parts;
  const keeping = new Keeping(parts);
  const deadlines = new DeadlineService({ db, writer, accounts, cases, keeping });
  const proposals = new ProposalService({ db, writer, keeping });
  return {
    counting: new CountingService(db, writer, proposals),
    deadlines,
    proposals,
    history: new HistoryExport({ db, writer, cases, files, paper }),
    application: new RuleApplication(writer, deadlines),
    changes: new DeadlineChanges(writer, keeping),
    idle: new IdleCases(db, writer),
  };
}
