import type { Activity, Case, CasePatch, NewCase, StatusType } from '@matterdesk/contract/cases.ts';
import type { NewCaseRow } from './store.ts';

const DAY = 24 * 3600_000;

/** How the days of a case are kept: a number, since when it counts, and since when it stands still. */
export type DaysOpen = { days_open: number; days_open_since: Date; archived_at: Date | null };

/** The number plus the whole days passed since it was set, not counting those in the archive. */
export function daysOpenAt(kept: DaysOpen, now: Date): number {
  const until = kept.archived_at ?? now;
  const passed = Math.floor((until.getTime() - kept.days_open_since.getTime()) / DAY);
  return kept.days_open + Math.max(0, passed);
}

/** What becomes of the days when the number is set anew, or the case goes to the archive or comes back. */
export function keepDaysOpen(
  kept: DaysOpen,
  change: { daysOpen?: number | undefined; statusType?: StatusType | undefined },
  now: Date,
): DaysOpen {
  const { days_open, days_open_since, archived_at } = kept;
  const isArchived = change.statusType ? change.statusType === 'Archive' : archived_at !== null;
  if (change.daysOpen !== undefined)
    return {
      days_open: change.daysOpen,
      days_open_since: now,
      archived_at: isArchived ? now : null,
    };
  if (isArchived) return { days_open, days_open_since, archived_at: archived_at ?? now };
  const rested = archived_at ? now.getTime() - archived_at.getTime() : 0;
  const since = new Date(days_open_since.getTime() + rested);
  return { days_open, days_open_since: since, archived_at: null };
}

/** What a change is called in the log. */
export function nameOfChange(before: Case, after: Case): Activity['action'] {
  if (before.statusType === after.statusType) return 'updated';
  return after.statusType === 'Archive' ? 'archived' : 'reopened';
}

/** Members that differ between two states of an entity. */
export function changedMembers(before: object | null, after: object | null): string[] {
  if (!before || !after) return [];
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after)
    .filter(([name, value]) => name !== 'updatedAt' && !isSame(old.get(name), value))
    .map(([name]) => name);
}

function isSame(a: unknown, b: unknown) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The plain columns of a row that a new case or a patch sets. */
export function toColumns(input: CasePatch | NewCase) {
  const { clientInfo: client, opposingCounselInfo: counsel } = input;
  return dropUndefined({
    case_name: input.caseName,
    case_no: input.caseNo,
    status_type: input.statusType,
    status: input.status,
    type: input.type,
    judge: input.judge,
    date_of_opening: input.dateOfOpening,
    managing_attorney: input.managingAttorney,
    doi: input.DOI,
    sol: input.SOL,
    client_name: client?.name,
    client_phone_number: client?.phoneNumber,
    client_email: client?.email,
    client_address: client?.address,
    counsel_organization: counsel?.organization,
    counsel_name: counsel?.name,
    counsel_phone_number: counsel?.phoneNumber,
    counsel_email: counsel?.email,
    counsel_address: counsel?.address,
  });
}

type NewCaseColumns = Omit<NewCaseRow, keyof DaysOpen>;
type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function dropUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Defined<T>;
}

/** A whole new row. */
export function toRow(input: NewCase, now: Date): NewCaseRow {
  const days = { days_open: 0, days_open_since: now, archived_at: null };
  return { ...(toColumns(input) as NewCaseColumns), ...keepDaysOpen(days, input, now) };
}
