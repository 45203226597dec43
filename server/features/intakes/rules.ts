import type { Outcome } from '@matterdesk/contract/conflicts.ts';
import {
  openStages,
  REACHABLE,
  type IntakePatch,
  type IntakeStage,
  type NewIntake,
} from '@matterdesk/contract/intakes.ts';
import { dropUndefined } from '../../core/defined.ts';
import { invalidField, Refusal } from '../../core/refusal.ts';
import type { AuditEntry } from '../../db/audit.ts';
import type { IntakeState as IntakeRow } from '../../db/schema-intakes.ts';
import { fold, searchText } from '../../db/search.ts';

export const FIRST_STEP = 'Call back';

export function isOpen(stage: IntakeStage): boolean {
  return openStages.some((open) => open === stage);
}

type SearchedFields = Pick<
  IntakeRow,
  'name' | 'phone_number' | 'email' | 'description' | 'parties' | 'source'
>;

/** The search column, computed from other columns. */
export function searchColumn(row: SearchedFields) {
  const { name, phone_number: phone, email, description, parties, source } = row;
  const others = parties.map((party) => party.name);
  const digits = phone?.replaceAll(/\D/g, '') ?? null;
  const searched = [name, phone, digits, email, source, description, ...others];
  return { search_text: searchText(searched.filter((text) => text !== null)) };
}

/** The columns that a new intake or a patch sets. */
export function toColumns(input: Omit<NewIntake, 'owner'> | Omit<IntakePatch, 'owner'>) {
  const { parties, dueAt, consultAt } = input;
  return {
    ...dropUndefined({
      name: input.name,
      type: input.type,
      phone_number: input.phoneNumber,
      email: input.email,
      address: input.address,
      description: input.description,
      doi: input.DOI,
      sol: input.SOL,
      source: input.source,
      next_step: input.nextStep,
    }),
    ...(parties !== undefined && { parties }),
    ...(dueAt !== undefined && { due_at: toDate(dueAt) }),
    ...(consultAt !== undefined && { consult_at: toDate(consultAt) }),
  };
}

function toDate(instant: string | null): Date | null {
  return instant === null ? null : new Date(instant);
}

/** @throws Refusal invalidInput without a phone number and an email address */
export function requireReachable(row: Pick<IntakeRow, 'phone_number' | 'email'>): void {
  if (row.phone_number === null && row.email === null) throw invalidField('phoneNumber', REACHABLE);
}

/** @throws Refusal conflict when an intake cannot move from one stage to the other */
export function requireMove(from: IntakeStage, to: IntakeStage | undefined): void {
  if (to === undefined || to === from) return;
  if (from === 'accepted') throw acceptedAlready();
  if (!isOpen(from) && to !== 'contacted')
    throw new Refusal('conflict', 'Reopen this intake first');
}

/** @throws Refusal conflict for an erased intake */
export function requireNotErased(row: Pick<IntakeRow, 'erased_at'>): void {
  if (row.erased_at) throw new Refusal('conflict', 'This intake is erased');
}

export function acceptedAlready(): Refusal {
  return new Refusal('conflict', 'This intake is a matter already');
}

export function checkPending(): Refusal {
  return new Refusal('conflict', 'Please finish the conflict check first');
}

/** An intake in the audit log. */
export function about(id: string): Pick<AuditEntry, 'entity' | 'entityId'> {
  return { entity: 'intake', entityId: id };
}

/** For people, such as 'declined in March 2026'. */
export function describeStage(row: Pick<IntakeRow, 'stage' | 'closed_at'>): string {
  if (!row.closed_at) return 'open';
  const month = row.closed_at.toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `${row.stage} in ${month}`;
}

/** A concluded conflict check, with the names it searched for. */
export type ConcludedCheck = { names: { name: string; otherNames: string[] }[]; outcome: Outcome };

/** Whether the newest check of each of the intake's names cleared it. @param checks newest first */
export function isCleared(
  { name, parties }: Pick<IntakeRow, 'name' | 'parties'>,
  checks: ConcludedCheck[],
): boolean {
  return [name, ...parties.map((party) => party.name)].every((each) => {
    const key = fold(each.trim());
    const last = checks.find(({ names }) =>
      names.some((searched) =>
        [searched.name, ...searched.otherNames].some((other) => fold(other.trim()) === key),
      ),
    );
    return last !== undefined && last.outcome !== 'declined';
  });
}
