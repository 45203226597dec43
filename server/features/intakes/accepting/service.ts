import { Readable } from 'node:stream';
import type { Case } from '@matterdesk/contract/cases.ts';
import type { Accept, Proposal } from '@matterdesk/contract/intake-accepting.ts';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { allow, type Actor } from '../../../core/actor.ts';
import type { Once } from '../../../core/once.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Database } from '../../../db/schema.ts';
import { moveWall } from '../../../db/audiences.ts';
import { liftScope } from '../../../db/scoped-query.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import type { IncomingFile } from '../../../http/upload.ts';
import type { TranscriptWriter } from '../../../integrations/pdf/transcript.ts';
import type { AccessService } from '../../access/service.ts';
import type { CaseService } from '../../cases/service.ts';
import { nameOfPrint } from '../../conflicts/checks/service.printing.ts';
import type { createConflicts } from '../../conflicts/service.assembly.ts';
import type { EmbeddingService } from '../../contacts/service.embedding.ts';
import { followWall } from '../../contacts/service.sources.ts';
import type { Stored } from '../../files/service.incoming.ts';
import type { FileService } from '../../files/service.ts';
import type { FirmService } from '../../firm/service.ts';
import { isMatter, isOpen, unchecked } from '../rules.ts';
import type { IntakeChecks } from '../service.checks.ts';
import { entryOf, keepIntake, lockIntake, requireIntake } from '../service.keeping.ts';
import type { IntakeService } from '../service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

export type AcceptingParts = {
  db: Database;
  writer: Writer;
  firm: FirmService;
  access: AccessService;
  cases: CaseService;
  embedding: EmbeddingService;
  files: FileService;
  paper: TranscriptWriter;
  conflicts: Pick<ReturnType<typeof createConflicts>, 'checks' | 'printing'>;
};
type Parts = AcceptingParts & { intakes: IntakeService; checks: IntakeChecks };
type Accepting = { actor: Actor; id: string; input: Accept; once?: Once | undefined };

const FOLDER = 'Intake';
const NO_COUNSEL = { organization: '', name: '', phoneNumber: '', email: '', address: '' };

/** Makes an intake a matter, with all that belongs to it. */
export class AcceptingService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws Refusal notFound */
  async readProposal(actor: Actor, id: string): Promise<{ case: Proposal }> {
    const { intake } = await this.#parts.intakes.readIntake(actor, id);
    const { timeZone } = await this.#parts.firm.read();
    // This locale writes days as the wire does.
    const today = new Date().toLocaleDateString('sv-SE', { timeZone });
    return { case: rules.proposeCase(intake, today) };
  }

  /**
   * Opens the case, moves files and access, and closes the intake: all in one transaction.
   * @throws Refusal notPermitted, notFound, invalidInput, conflict
   */
  async acceptIntake({
    actor,
    id,
    input,
    once,
  }: Accepting): Promise<{ case: Case; intake: Intake }> {
    allow(actor, 'createCases');
    const { db, files, intakes, writer } = this.#parts;
    await requireIntake(db.as(actor), id);
    const parts = this.#print(actor, id);
    const placeOf = () => Promise.resolve(null);
    const opened = await files.incoming.accept({ parts }, placeOf, (_, stored) =>
      writer.run(
        actor,
        async (unit) => {
          const caseId = await this.#accept(unit, { actor, id, input }, stored);
          return { caseId };
        },
        once && { ...once, again: (trx) => requireIntake(trx, id) },
      ),
    );
    const [matter, { intake }] = await Promise.all([
      this.#parts.cases.readCase(actor, opened.caseId),
      intakes.readIntake(actor, id),
    ]);
    return { case: matter, intake };
  }

  /** The record of the intake as a PDF. */
  async *#print(actor: Actor, id: string): AsyncGenerator<IncomingFile> {
    const detail = await this.#parts.intakes.readIntake(actor, id);
    const { facts, entries } = rules.describeIntake(detail);
    const { number, name: who } = detail.intake;
    const heading = {
      title: `Intake ${number}: ${who}`,
      facts,
      ending: { of: 'intake', entries: 'entries' },
    };
    const bytes = this.#parts.paper.write(heading, batch(entries));
    yield { name: `Intake ${number}.pdf`, bytes: Readable.from(bytes), isCut: () => false };
    if (detail.intake.check === null) return;
    const { checks, printing } = this.#parts.conflicts;
    const check = await checks.readCheck(actor, detail.intake.check.id);
    yield { name: nameOfPrint(check), bytes: printing.print(check), isCut: () => false };
  }

  async #accept(unit: Unit, { actor, id, input }: Accepting, printed: Stored[]): Promise<string> {
    const { access, cases, checks, files } = this.#parts;
    const before = await lockIntake(unit.trx, id);
    if (before.stage === 'accepted') throw isMatter();
    if (!isOpen(before.stage)) throw new Refusal('conflict', 'Reopen this intake first');
    if (!(await checks.isCleared(unit.trx, before))) throw unchecked();
    if (before.is_walled) {
      const subject = { kind: 'intakes', id } as const;
      await access.requireComers(unit, actor, { matter: subject, assigned: input.assignedUsers });
    }
    const counsel = input.opposingCounselInfo ?? NO_COUNSEL;
    const matter = await cases.openWithin(unit, actor, { ...input, opposingCounselInfo: counsel });
    const others = rules.otherParties(before.parties, matter);
    await this.#parts.embedding.addParties(unit, matter.id, others);
    const place = { caseId: matter.id, folder: FOLDER };
    const moved = await store.takeFiles(unit.trx, id);
    await files.adopt(unit, actor, { place, stored: [...printed, ...moved] });
    await files.incoming.claim(unit.trx, printed);
    const now = new Date();
    await keepIntake(unit, before, {
      change: {
        stage: 'accepted',
        case_id: matter.id,
        contact_id: await store.findClient(unit.trx, matter.id),
        closed_at: now,
        due_at: null,
        ...(before.first_response_at === null && { first_response_at: now }),
      },
      entries: [entryOf(actor, 'accepted')],
      action: 'accepted',
    });
    if (before.is_walled) {
      await liftScope(unit.trx, 'a wall is copied for all of its people');
      await moveWall(unit.trx, { intakeId: id, caseId: matter.id });
      await followWall(unit, matter.id);
    }
    return matter.id;
  }
}

async function* batch<T>(all: T[]): AsyncGenerator<T[]> {
  yield all;
}
