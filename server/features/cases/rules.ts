import type { Activity, Case, CasePatch, NewCase, StatusType } from '@matterdesk/contract/cases.ts';
import type { NewCaseRow } from '../../db/schema.ts';
import type { CsvUpload } from '../../http/csv.ts';

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

/** The columns of an import and an export, in order; nested ones dotted. */
export const csvColumns = [
  ...['caseName', 'caseNo', 'statusType', 'status', 'type', 'judge', 'dateOfOpening'],
  ...['managingAttorney', 'DOI', 'SOL', 'daysOpen', 'assignedUsers'],
  ...['clientInfo.name', 'clientInfo.phoneNumber', 'clientInfo.email', 'clientInfo.address'],
  ...['opposingCounselInfo.organization', 'opposingCounselInfo.name'],
  ...['opposingCounselInfo.phoneNumber', 'opposingCounselInfo.email'],
  'opposingCounselInfo.address',
];

const byHeader = new Map(csvColumns.map((column) => [headerKey(column), column]));

/** Headers are known whatever their case and blanks. */
function headerKey(header: string) {
  return header.toLowerCase().replaceAll(/[^a-z.]/g, '');
}

/** What an upload of cases may hold, and which columns it must have. */
export const csvUpload: CsvUpload = {
  bytes: 20 * 1024 * 1024,
  rows: 20_000,
  columnOf: (header) => byHeader.get(headerKey(header)),
  required: csvColumns.filter((column) => column !== 'assignedUsers'),
};

/** One row of a CSV as the body of POST /cases would be; people stay e-mail addresses. */
export function fromCsv(row: Record<string, string>): { input: object; assigned: string[] } {
  const input: Record<string, unknown> = { clientInfo: {}, opposingCounselInfo: {} };
  for (const [column, value] of Object.entries(row)) {
    const [name = '', member] = column.split('.');
    if (member) (input[name] as Record<string, unknown>)[member] = value;
    else if (name === 'daysOpen' && /^\s*\d+\s*$/.test(value)) input[name] = Number(value);
    else if (name !== 'assignedUsers') input[name] = value;
  }
  const assigned = (row['assignedUsers'] ?? '').split(/[;,]/).map((text) => text.trim());
  return { input, assigned: assigned.filter(Boolean) };
}

/** A case as the cells of `csvColumns`; `emails` are those of the people assigned. */
export function toCsv(row: Case, emails: string[]): string[] {
  const { clientInfo: client, opposingCounselInfo: counsel } = row;
  return [
    ...[row.caseName, row.caseNo, row.statusType, row.status, row.type, row.judge],
    ...[row.dateOfOpening, row.managingAttorney, row.DOI, row.SOL, String(row.daysOpen)],
    emails.join('; '),
    ...[client.name, client.phoneNumber, client.email, client.address],
    ...[counsel.organization, counsel.name, counsel.phoneNumber, counsel.email, counsel.address],
  ];
}
