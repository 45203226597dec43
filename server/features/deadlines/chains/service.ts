// Proposals to move deadlines whose trigger moved: nothing moves before another person decides.

import type { Jurisdiction } from '@matterdesk/contract/court-rules.ts';
import type { Proposal, ProposalDecision } from '@matterdesk/contract/proposals.ts';
import type { Actor } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../../core/refusal.ts';
import { mapInSlices } from '../../../core/slices.ts';
import type { Scoped } from '../../../db/schema.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import * as deadlines from '../rules.ts';
import {
  conflict,
  listActingSelves,
  lockDeadline,
  requiresSecondPerson,
  saveDeadlineChange,
} from '../service.keeping.ts';
import { countStep } from './rules.ts';
import {
  mayDecide,
  toProposal,
  type ItemRow,
  type ProposalRow,
  type Reader,
} from './rules.proposals.ts';
import { openProposal, publish } from './service.opening.ts';
import * as store from './store.ts';
import { type ActorContext, type Context, asActor, write } from '../../../context.ts';
type Decided = { item: ItemRow; proposal: ProposalRow; isAccepted: boolean; reason: string };

type Counted = Awaited<ReturnType<typeof store.listOfJurisdiction>>[number];

const SHOWN = 100;
/** Deadlines that are counted again between two reads. */
const PIECE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

async function readerOf(context: ActorContext, db: Scoped): Promise<Reader> {
  const { id, permissions } = context.actor;

  const isDual = await requiresSecondPerson(context, db);
  const oneselves = await listActingSelves(db, id);
  return { id, editsCalendar: permissions.editCalendar, isDual, oneselves };
}

/** Those with something to decide, newest first. */
export async function listProposals(context: ActorContext): Promise<Proposal[]> {
  const db = asActor(context);
  const reader = await readerOf(context, db);
  const rows = await store.listOpenProposals(db, SHOWN);
  return rows.map((row) => toProposal(row, reader));
}

/** Proposes what changed events move, in their transaction. */
export async function followEvents(
  context: ActorContext,
  unit: Unit,
  { ids, event }: { ids: string[]; event: { id: string; title: string } },
): Promise<Proposal | null> {
  const roots = await store.listOfEvents(unit.trx, ids);
  const cause = { type: 'event' as const, ...event, by: context.actor.id, roots };
  const id = await openProposal(unit, cause);
  const found = id === null ? undefined : await store.findProposal(unit.trx, id);
  return found ? toProposal(found, await readerOf(context, unit.trx)) : null;
}

/** Proposes what a court's calendar moves, in the transaction that changes it. */
export async function followHolidays(
  unit: Unit,
  actor: Actor,
  { before, after }: { before: Jurisdiction; after: Jurisdiction },
): Promise<void> {
  const { id, name: title } = after;
  const isMoved = ({ counting, trigger_date: date }: Counted) => {
    if (date === null) return false;
    const [was, is] = [before, after].map((court) =>
      countStep(court, { counting, date, title: '' }),
    );
    return was?.date !== is?.date;
  };
  const roots: string[] = [];
  let piece: Counted[] = [];
  do {
    const last = piece.at(-1)?.id ?? FIRST;
    piece = await store.listOfJurisdiction(unit.trx, { id, after: last, limit: PIECE });
    const moved = await mapInSlices(piece, isMoved);
    roots.push(...piece.filter((_, index) => moved[index]).map((row) => row.id));
  } while (piece.length === PIECE);
  await openProposal(unit, { type: 'jurisdiction', id, title, by: actor.id, roots });
}

/** Before the body is validated, so that a refusal says nothing about it. @throws Refusal notPermitted */
export async function requireProposalDecider(context: ActorContext, id: string): Promise<void> {
  const db = asActor(context);
  const found = isId(id) ? await store.findProposal(db, id) : undefined;
  const open = found?.items.filter(({ status }) => status === 'open') ?? [];
  if (!found || open.length === 0) return;
  const reader = await readerOf(context, db);
  if (!open.some((item) => mayDecide(found, item, reader))) throw new Refusal('notPermitted');
}

/**
 * Moves the accepted deadlines; of the rest, those that the actor may decide stay, for the reason.
 * @throws Refusal notFound, notPermitted, invalidInput, conflict when nothing is open any more
 */
export async function decideProposal(
  context: ActorContext,
  id: string,
  { accept, reason }: ProposalDecision,
): Promise<Proposal> {
  return write(context, async (unit) => {
    const reader = await readerOf(context, unit.trx);
    const proposal = await lockProposal(unit, id);
    const open = proposal.items.filter(({ status }) => status === 'open');
    if (open.length === 0) throw conflict('This proposal is decided already');
    const mine = open.filter((item) => mayDecide(proposal, item, reader));
    requireAccepted(accept, { open, mine });
    if (reason === '' && mine.some((item) => !accept.includes(item.deadline_id)))
      throw invalidField('reason', 'Please enter a reason');
    for (const item of mine) {
      const isAccepted = accept.includes(item.deadline_id);
      await settleProposal(context, unit, { ...reader, item, proposal, isAccepted, reason });
    }
    await followAccepted(unit, proposal, { by: context.actor.id, accept });
    await unit.record({ entity: 'proposal', entityId: id, ...caseOf(open), action: 'decided' });
    await publish(unit, 'proposal.decided', id);
    const after = await store.findProposal(unit.trx, id);
    if (!after) throw notFound('Proposal');
    return toProposal(after, reader);
  });
}

/** Locks the deadlines, as every change of them does first, then what is open. */
async function lockProposal(unit: Unit, id: string): Promise<ProposalRow> {
  const found = isId(id) ? await store.findProposal(unit.trx, id) : undefined;
  if (!found) throw notFound('Proposal');
  const ids = found.items.map((item) => item.deadline_id);
  await store.lockInOrder(unit.trx, ids);
  return (await store.findProposal(unit.trx, id)) ?? found;
}

async function settleProposal(
  context: Context,
  unit: Unit,
  { id: by, isDual, item, proposal, isAccepted, reason }: Reader & Decided,
): Promise<void> {
  const before = await lockDeadline(unit, item.deadline_id);
  const key = { proposalId: proposal.id, deadlineId: item.deadline_id };
  await store.decideItem(unit.trx, key, { by, isAccepted, reason });
  const to = item.to_date === null ? { status: 'vacated' } : { date: item.to_date };
  const isAlone = before.hard && !isDual;
  const entry = {
    by,
    action: isAccepted ? 'recounted' : 'kept',
    from: deadlines.momentOf(before),
    to: { ...to, ...(isAlone && { withoutSecond: true }) },
    reason,
  };
  const { to_date: date, trigger_date: triggerDate, lines } = item;
  const counted = { date, triggerDate, lines, by: proposal.by?.id ?? null };
  const change = isAccepted ? deadlines.recounted(before, counted) : {};
  const kept = { change, entries: [entry], isProposed: true };
  await saveDeadlineChange(context, unit, { before, ...kept });
}

/** What counts from a moved deadline since the proposal was opened. */
async function followAccepted(
  unit: Unit,
  { items }: ProposalRow,
  { by, accept }: { by: string; accept: string[] },
): Promise<void> {
  const known = new Set(items.map((item) => item.deadline_id));
  for (const { deadline_id: id, title } of items) {
    if (!accept.includes(id)) continue;
    const all = await store.listOfDeadline(unit.trx, id);
    const roots = all.filter((root) => !known.has(root));
    await openProposal(unit, { type: 'deadline', id, title, by, roots });
  }
}

function requireAccepted(
  accept: readonly string[],
  { open, mine }: Record<'open' | 'mine', ItemRow[]>,
): void {
  const isIn = (items: ItemRow[], id: string) => items.some((item) => item.deadline_id === id);
  if (!accept.every((id) => isIn(open, id)))
    throw invalidField('accept', 'Accept must name deadlines of the proposal');
  if (mine.length === 0 || !accept.every((id) => isIn(mine, id))) throw new Refusal('notPermitted');
}

/** Of a proposal about one matter. */
function caseOf(items: readonly ItemRow[]) {
  const ids = new Set(items.map((item) => item.case_id));
  const [id] = ids;
  return ids.size === 1 && typeof id === 'string' ? { caseId: id } : {};
}
