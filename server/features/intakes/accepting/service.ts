// Makes an intake a matter, with all that belongs to it.

import { Readable } from 'node:stream';
import type { Case } from '@matterdesk/contract/cases.ts';
import type { Accept, Proposal } from '@matterdesk/contract/intake-accepting.ts';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { allow, type Actor } from '../../../core/actor.ts';
import type { Once } from '../../../core/once.ts';
import { Refusal } from '../../../core/refusal.ts';
import { moveWall } from '../../../db/audiences.ts';
import { liftScope } from '../../../db/scoped-query.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { IncomingFile } from '../../../http/upload.ts';
import { nameOfPrint, printCheck } from '../../conflicts/checks/service.printing.ts';
import { followWall } from '../../contacts/service.sources.ts';
import { type Stored, acceptFiles, claimStored } from '../../files/service.incoming.ts';
import { isMatter, isOpen, unchecked } from '../rules.ts';
import { entryOf, keepIntake, lockIntake, requireIntake } from '../service.keeping.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';
import type { ActorContext, Context } from '../../../context.ts';
import { readIntake } from '../service.ts';
import { readFirm } from '../../firm/service.ts';
import { openCaseWithin, readCase } from '../../cases/service.ts';
import { readCheck } from '../../conflicts/checks/service.ts';
import { isIntakeCleared } from '../service.checks.ts';
import { requireComers } from '../../access/service.ts';
import { addCaseParties } from '../../contacts/service.embedding.ts';
import { adoptFiles } from '../../files/service.ts';

type Accepting = { actor: Actor; id: string; input: Accept; once?: Once | undefined };

const FOLDER = 'Intake';
const NO_COUNSEL = { organization: '', name: '', phoneNumber: '', email: '', address: '' };

/** @throws Refusal notFound */
export async function readAcceptance(
  context: ActorContext,
  id: string,
): Promise<{ case: Proposal }> {
  const { intake } = await readIntake(context, id);
  const { timeZone } = await readFirm(context);
  // This locale writes days as the wire does.
  const today = new Date().toLocaleDateString('sv-SE', { timeZone });
  return { case: rules.proposeCase(intake, today) };
}

/**
 * Opens the case, moves files and access, and closes the intake: all in one transaction.
 * @throws Refusal notPermitted, notFound, invalidInput, conflict
 */
export async function acceptIntake(
  context: Context,
  { actor, id, input, once }: Accepting,
): Promise<{ case: Case; intake: Intake }> {
  allow(actor, 'createCases');
  const { db, writer } = context;
  await requireIntake(db.as(actor), id);
  const parts = printIntakeCheck({ ...context, actor }, id);
  const placeOf = () => Promise.resolve(null);
  const opened = await acceptFiles(context, { parts, placeOf }, (_, stored) =>
    writer.run(
      actor,
      async (unit) => {
        const caseId = await acceptWithin(context, unit, { actor, id, input, printed: stored });
        return { caseId };
      },
      once && { ...once, again: (trx) => requireIntake(trx, id) },
    ),
  );
  const [matter, { intake }] = await Promise.all([
    readCase({ ...context, actor }, opened.caseId),
    readIntake({ ...context, actor }, id),
  ]);
  return { case: matter, intake };
}

/** The record of the intake as a PDF. */
async function* printIntakeCheck(context: ActorContext, id: string): AsyncGenerator<IncomingFile> {
  const detail = await readIntake(context, id);
  const { facts, entries } = rules.describeIntake(detail);
  const { number, name: who } = detail.intake;
  const heading = {
    title: `Intake ${number}: ${who}`,
    facts,
    ending: { of: 'intake', entries: 'entries' },
  };
  const bytes = context.paper.write(heading, batch(entries));
  yield { name: `Intake ${number}.pdf`, bytes: Readable.from(bytes), isCut: () => false };
  if (detail.intake.check === null) return;
  const check = await readCheck(context, detail.intake.check.id);
  yield { name: nameOfPrint(check), bytes: printCheck(context, check), isCut: () => false };
}

async function acceptWithin(
  context: Context,
  unit: Unit,
  { actor, id, input, printed }: Accepting & { printed: Stored[] },
): Promise<string> {
  const before = await lockIntake(unit.trx, id);
  if (before.stage === 'accepted') throw isMatter();
  if (!isOpen(before.stage)) throw new Refusal('conflict', 'Reopen this intake first');
  if (!(await isIntakeCleared(unit.trx, before))) throw unchecked();
  if (before.is_walled) {
    const subject = { kind: 'intakes', id } as const;
    await requireComers(unit, actor, { matter: subject, assigned: input.assignedUsers });
  }
  const counsel = input.opposingCounselInfo ?? NO_COUNSEL;
  const matter = await openCaseWithin({ ...context, actor }, unit, {
    ...input,
    opposingCounselInfo: counsel,
  });
  const others = rules.otherParties(before.parties, matter);
  await addCaseParties(unit, matter.id, others);
  const place = { caseId: matter.id, folder: FOLDER };
  const moved = await store.takeFiles(unit.trx, id);
  await adoptFiles({ ...context, actor }, unit, { place, stored: [...printed, ...moved] });
  await claimStored(unit.trx, printed);
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

async function* batch<T>(all: T[]): AsyncGenerator<T[]> {
  yield all;
}
