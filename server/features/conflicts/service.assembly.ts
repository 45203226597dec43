import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { TranscriptWriter } from '../../integrations/pdf/transcript.ts';
import type { AccessService } from '../access/service.ts';
import { Raising } from './alerts/service.raising.ts';
import { AlertService } from './alerts/service.ts';
import { Deciding } from './checks/service.deciding.ts';
import { Finding } from './checks/service.finding.ts';
import { Printing } from './checks/service.printing.ts';
import { Records } from './checks/service.records.ts';
import { Showing } from './checks/service.showing.ts';
import { CheckService } from './checks/service.ts';
import { NameUpkeep } from './names/service.upkeep.ts';

type Parts = { db: Database; writer: Writer; access: AccessService; paper: TranscriptWriter };

/** Everything of conflict checks. */
export function createConflicts({ db, writer, access, paper }: Parts) {
  const finding = new Finding(db);
  const showing = new Showing(db);
  const records = new Records(db, showing);
  const checks = new CheckService({ db, writer, finding, showing, records });
  return {
    names: new NameUpkeep(writer),
    checks,
    deciding: new Deciding({ db, writer, access, checks, showing }),
    printing: new Printing(paper),
    alerts: new AlertService({ db, writer, showing }),
    raising: new Raising({ db, writer, finding, checks }),
  };
}
