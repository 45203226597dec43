import type { createMails } from '../mails/service.ts';
import type { createTexting } from '../messages/service.ts';
import { AcceptingService, type AcceptingParts } from './accepting/service.ts';
import { ErasingService } from './erasing/service.ts';
import { FormPages } from './forms/service.pages.ts';
import { ReceivingService, type ReceivingParts } from './forms/service.receiving.ts';
import { FormService } from './forms/service.ts';
import { IntakeChecks } from './service.checks.ts';
import { IntakeFiles, type IntakeFileParts } from './service.files.ts';
import { Letters } from './service.letters.ts';
import { Making } from './service.making.ts';
import { IntakeSettingsService } from './service.settings.ts';
import { StatsService } from './service.stats.ts';
import { IntakeService, type IntakeParts } from './service.ts';

type Parts = Omit<IntakeParts, 'checks' | 'files'> &
  IntakeFileParts &
  ReceivingParts &
  AcceptingParts & {
    mails: ReturnType<typeof createMails>;
    texting: ReturnType<typeof createTexting>;
  };

export function createIntakes(parts: Parts) {
  const files = new IntakeFiles(parts);
  const checks = new IntakeChecks();
  const intakes = new IntakeService({ ...parts, checks, files });
  const receiving = new ReceivingService({ ...parts, intakeFiles: files });
  return {
    intakes,
    making: new Making({ ...parts, intakes }),
    letters: new Letters(parts),
    accepting: new AcceptingService({ ...parts, intakes, checks }),
    stats: new StatsService(parts.db, parts.firm),
    files,
    settings: new IntakeSettingsService(parts.db, parts.writer),
    erasing: new ErasingService({ ...parts, files }),
    forms: new FormService(parts),
    receiving,
    pages: new FormPages(receiving),
  };
}
