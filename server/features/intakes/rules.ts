import {
  openStages,
  REACHABLE,
  type IntakePatch,
  type IntakeStage,
  type NewIntake,
} from '@matterdesk/contract/intakes.ts';
import { invalidField, Refusal } from '../../core/refusal.ts';
import type { AuditEntry } from '../../db/audit.ts';
import { searchText } from '../../db/search.ts';
import type { IntakeState as IntakeRow } from '../../db/schema-intakes.ts';

export const FIRST_STEP = 'Call back';

export function isOpen(stage: IntakeStage): boolean {
  return openStages.some((open) => open === stage);
}

type Searched = Pick<
  IntakeRow,
  'name' | 'phone_number' | 'email' | 'description' | 'parties' | 'source'
>;

/** The column that follows from others. */
export function derived(row: Searched) {
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

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function dropUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Defined<T>;
}

/** @throws Refusal when a person could not be reached any more */
export function requireReachable(row: Pick<IntakeRow, 'phone_number' | 'email'>): void {
  if (row.phone_number === null && row.email === null) throw invalidField('phoneNumber', REACHABLE);
}

/** @throws Refusal conflict for a stage that an intake cannot move to from where it is */
export function requireMove(from: IntakeStage, to: IntakeStage | undefined): void {
  if (to === undefined || to === from) return;
  if (from === 'accepted') throw isMatter();
  if (!isOpen(from) && to !== 'contacted')
    throw new Refusal('conflict', 'Reopen this intake first');
}

/** @throws Refusal conflict for an intake of which only what a later check needs is left */
export function requireKept(row: Pick<IntakeRow, 'erased_at'>): void {
  if (row.erased_at) throw new Refusal('conflict', 'This intake is erased');
}

export function isMatter(): Refusal {
  return new Refusal('conflict', 'This intake is a matter already');
}

export function unchecked(): Refusal {
  return new Refusal('conflict', 'Please finish the conflict check first');
}

/** Fields of every audit entry about an intake, whose values stay out of the log. */
export function about(id: string): Pick<AuditEntry, 'entity' | 'entityId'> {
  return { entity: 'intake', entityId: id };
}

/** In words, such as 'declined in March 2026'. */
export function describeStage(row: Pick<IntakeRow, 'stage' | 'closed_at'>): string {
  if (!row.closed_at) return 'open';
  const month = row.closed_at.toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `${row.stage} in ${month}`;
}
