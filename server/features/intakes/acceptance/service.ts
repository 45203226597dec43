// Accepts an intake: opens its case, with the parties, files and access of the intake.

import { Readable } from 'node:stream';
import type { Case } from '@matterdesk/contract/cases.ts';
import type { Accept, CaseProposal } from '@matterdesk/contract/intake-acceptance.ts';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { type ActorContext, asActor, write } from '../../../context.ts';
import { allow } from '../../../core/actor.ts';
import { nowAt } from '../../../core/dates.ts';
import type { IdempotencyKey } from '../../../core/idempotency-key.ts';
import { Refusal } from '../../../core/refusal.ts';
import { moveWall } from '../../../db/audiences.ts';
import { liftScope } from '../../../db/scoped-query.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { IncomingFile } from '../../../http/upload.ts';
import { requireMayAssign } from '../../access/service.ts';
import { addCase, readCase } from '../../cases/service.ts';
import { pdfNameOf, printCheck } from '../../conflicts/checks/service.records.ts';
import { readCheck } from '../../conflicts/checks/service.ts';
import { addCaseParties } from '../../contacts/service.parties.ts';
import { followWall } from '../../contacts/service.sources.ts';
import { type StoredBlob, storeFiles, claimStored } from '../../files/service.incoming.ts';
import { adoptFiles } from '../../files/service.ts';
import { readFirm } from '../../firm/service.ts';
import { acceptedAlready, isOpen } from '../rules.ts';
import {
  lockIntake,
  newEntry,
  requireCleared,
  requireIntake,
  saveIntake,
} from '../service.record.ts';
import { readIntake } from '../service.ts';
import { findClient } from '../store.contacts.ts';
import { takeFiles } from '../store.files.ts';
import type { IntakeRow } from '../store.ts';
import * as rules from './rules.ts';

type AcceptRequest = { input: Accept; once?: IdempotencyKey | undefined };
type CaseOfIntake = { before: IntakeRow; input: Accept; printed: StoredBlob[] };

const FOLDER = 'Intake';
const NO_COUNSEL = { organization: '', name: '', phoneNumber: '', email: '', address: '' };

/** @throws Refusal notFound */
export async function readAcceptance(
  context: ActorContext,
  id: string,
): Promise<{ case: CaseProposal }> {
  const { intake } = await readIntake(context, id);
  const { timeZone } = await readFirm(context);
  return { case: rules.proposeCase(intake, nowAt(new Date(), timeZone).day) };
}

/**
 * Opens the case, moves files and access, and closes the intake: all in one transaction.
 * @throws Refusal notPermitted, notFound, invalidInput, conflict
 */
export async function acceptIntake(
  context: ActorContext,
  id: string,
  { input, once }: AcceptRequest,
): Promise<{ case: Case; intake: Intake }> {
  allow(context.actor, 'createCases');
  await requireIntake(asActor(context), id);
  const parts = printIntake(context, id);
  const { caseId } = await storeFiles(context, { parts }, (printed) =>
    write(
      context,
      async (unit) => {
        const before = await requireAcceptable(context, unit, { id, input });
        return { caseId: await openMatter(context, unit, { before, input, printed }) };
      },
      once && { ...once, requireVisible: (trx) => requireIntake(trx, id) },
    ),
  );
  const [matter, { intake }] = await Promise.all([
    readCase(context, caseId),
    readIntake(context, id),
  ]);
  return { case: matter, intake };
}

/** The intake and its conflict check as PDFs. */
async function* printIntake(context: ActorContext, id: string): AsyncGenerator<IncomingFile> {
  const detail = await readIntake(context, id);
  const { facts, entries } = rules.describeIntake(detail);
  const { number, name } = detail.intake;
  const heading = {
    title: `Intake ${number}: ${name}`,
    facts,
    ending: { of: 'intake', entries: 'entries' },
  };
  const bytes = context.paper.write(heading, batch(entries));
  yield { name: `Intake ${number}.pdf`, bytes: Readable.from(bytes) };
  if (detail.intake.check === null) return;
  const check = await readCheck(context, detail.intake.check.id);
  yield { name: pdfNameOf(check), bytes: printCheck(context, check) };
}

/** Locks the intake. @throws Refusal notFound, conflict, notPermitted when assignees may not be let in */
async function requireAcceptable(
  { actor }: ActorContext,
  unit: Unit,
  { id, input }: { id: string; input: Accept },
): Promise<IntakeRow> {
  const before = await lockIntake(unit.trx, id);
  if (before.stage === 'accepted') throw acceptedAlready();
  if (!isOpen(before.stage)) throw new Refusal('conflict', 'Reopen this intake first');
  await requireCleared(unit.trx, before);
  if (before.is_walled) {
    const matter = { kind: 'intakes', id } as const;
    await requireMayAssign(unit, actor, { matter, assigned: input.assignedUsers });
  }
  return before;
}

/** @returns the id of the case */
async function openMatter(
  context: ActorContext,
  unit: Unit,
  { before, input, printed }: CaseOfIntake,
): Promise<string> {
  const { id, parties, is_walled: isWalled } = before;
  const matter = await addCase(
    context,
    unit,
    input.notFiled === true
      ? input
      : { ...input, opposingCounselInfo: input.opposingCounselInfo ?? NO_COUNSEL },
  );
  await addCaseParties(unit, matter.id, rules.otherParties(parties, matter));
  const moved = await takeFiles(unit.trx, id);
  const place = { caseId: matter.id, folder: FOLDER };
  await adoptFiles(context, unit, { place, stored: [...printed, ...moved] });
  await claimStored(unit.trx, printed);
  const now = new Date();
  await saveIntake(unit, before, {
    change: {
      stage: 'accepted',
      case_id: matter.id,
      contact_id: await findClient(unit.trx, matter.id),
      closed_at: now,
      due_at: null,
      ...(before.first_response_at === null && { first_response_at: now }),
    },
    entries: [newEntry(context.actor, 'accepted')],
    action: 'accepted',
  });
  if (isWalled) {
    await liftScope(unit.trx, 'a wall is copied for all of its people');
    await moveWall(unit.trx, { intakeId: id, caseId: matter.id });
    await followWall(unit, matter.id);
  }
  return matter.id;
}

async function* batch<T>(all: T[]): AsyncGenerator<T[]> {
  yield all;
}
