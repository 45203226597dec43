import {
  type Activity,
  ASSIGNED_MAX,
  caseColumns,
  type Case,
  type CasePatch,
  DAYS_OPEN_MAX,
  type NewCase,
  NewCaseSchema,
  type StatusType,
  TOO_MANY_ASSIGNED,
  type UnfiledCase,
} from '@matterdesk/contract/cases.ts';
import type { FieldError } from '@matterdesk/contract/errors.ts';
import { solInEffect } from '@matterdesk/contract/sol-in-effect.ts';
import { dropUndefined } from '../../core/defined.ts';
import { DAY_MS } from '../../core/durations.ts';
import type { CasesTable, NewCaseRow } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';
import { findFieldErrors } from '../../http/validate.ts';

/** Days Open as stored: a number, since when it counts, and since when it has stopped. */
export type DaysOpen = { days_open: number; days_open_since: Date; archived_at: Date | null };

/** The number plus whole days since it was set, without days in the archive. */
export function daysOpenAt(kept: DaysOpen, now: Date): number {
  const until = kept.archived_at ?? now;
  const passed = Math.floor((until.getTime() - kept.days_open_since.getTime()) / DAY_MS);
  return kept.days_open + Math.max(0, passed);
}

/** New counters after the number is set, or the case is archived or reopened. */
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

/** Action of the audit entry. */
export function nameOfChange(before: Case, after: Case): Activity['action'] {
  if (before.statusType === after.statusType) return 'updated';
  return after.statusType === 'Archive' ? 'archived' : 'reopened';
}

/** Members that a case may lack before it is filed, in the form's order, with their columns. */
const maybeMissing = [
  ['caseNo', 'case_no'],
  ['judge', 'judge'],
  ['DOI', 'doi'],
  ['SOL', 'sol'],
  ['clientInfo.phoneNumber', 'client_phone_number'],
  ['clientInfo.email', 'client_email'],
  ['clientInfo.address', 'client_address'],
  ['opposingCounselInfo.organization', 'counsel_organization'],
  ['opposingCounselInfo.name', 'counsel_name'],
  ['opposingCounselInfo.phoneNumber', 'counsel_phone_number'],
  ['opposingCounselInfo.email', 'counsel_email'],
  ['opposingCounselInfo.address', 'counsel_address'],
] as const;
export type MaybeMissing = (typeof maybeMissing)[number][0];
type Missable = Partial<Pick<CasesTable, (typeof maybeMissing)[number][1]>>;

/** Paths of what a case lacks that is not filed yet. */
function missingOf(row: Missable): MaybeMissing[] {
  return maybeMissing.flatMap(([path, column]) => ((row[column] ?? '') === '' ? [path] : []));
}

/** The paths that a changed case still lacks; an SOL ends the reason for none. */
export function keepMissing(
  row: Missable & { incomplete: string[]; no_statute: string | null },
  change: Partial<Missable>,
) {
  const after = { ...row, ...change };
  const missing = new Set<string>(missingOf(after));
  const incomplete = row.incomplete.filter((path) => missing.has(path));
  return { incomplete, no_statute: after.sol ? null : row.no_statute };
}

/** A case that is not filed yet, with defaults of what every case has. */
export function fillUnfiled(
  { notFiled: _notFiled, ...input }: UnfiledCase,
  { today, attorney }: { today: string; attorney: string },
) {
  const dateOfOpening = input.dateOfOpening ?? today;
  const passed = Math.floor((Date.parse(today) - Date.parse(dateOfOpening)) / DAY_MS);
  return {
    ...input,
    statusType: input.statusType ?? ('Active' as const),
    status: input.status ?? ('Pre-List' as const),
    dateOfOpening,
    managingAttorney: input.managingAttorney ?? attorney,
    daysOpen: input.daysOpen ?? Math.min(Math.max(0, passed), DAYS_OPEN_MAX),
  };
}
export type FilledCase = ReturnType<typeof fillUnfiled>;

/** Plain columns set by a new case or a patch. */
export function toColumns(input: CasePatch | NewCase | FilledCase) {
  const { clientInfo: client, opposingCounselInfo: counsel } = input;
  return dropUndefined({
    case_name: input.caseName,
    case_no: input.caseNo,
    status_type: input.statusType,
    status: input.status,
    type: input.type,
    judge: textOf(input.judge),
    date_of_opening: input.dateOfOpening,
    managing_attorney: input.managingAttorney,
    doi: input.DOI,
    sol: input.SOL,
    client_name: client?.name,
    client_phone_number: textOf(client?.phoneNumber),
    client_email: textOf(client?.email),
    client_address: textOf(client?.address),
    counsel_organization: textOf(counsel?.organization),
    counsel_name: textOf(counsel?.name),
    counsel_phone_number: textOf(counsel?.phoneNumber),
    counsel_email: textOf(counsel?.email),
    counsel_address: textOf(counsel?.address),
  });
}

/** Missing texts are stored empty. */
function textOf(text: string | null | undefined): string | undefined {
  return text === null ? '' : text;
}

/** A new row with all that a form has. */
export type FilledRow = NewCaseRow & DaysOpen & Required<Missable>;
type NewCaseColumns = Omit<FilledRow, keyof DaysOpen>;
/** A complete new row. */
export function toRow(input: NewCase | FilledCase, now: Date): FilledRow {
  const days = { days_open: 0, days_open_since: now, archived_at: null };
  return { ...(toColumns(input) as NewCaseColumns), ...keepDaysOpen(days, input, now) };
}

/** The same for a case that is not filed yet. */
export function toUnfiledRow(
  input: FilledCase,
  now: Date,
): FilledRow & { incomplete: MaybeMissing[] } {
  const row = toRow(input, now);
  return { ...row, incomplete: missingOf(row) };
}

/** A row as a body of POST /cases; assigned users stay email addresses, folded and unique. */
export type ReadRow = { input: object; assigned: string[]; caseNo: string };

export function fromCsv(row: Record<string, string>): ReadRow {
  const input: Record<string, unknown> = { clientInfo: {}, opposingCounselInfo: {} };
  for (const [column, value] of Object.entries(row)) {
    const [name = '', member] = column.split('.');
    if (member) (input[name] as Record<string, unknown>)[member] = value;
    else if (name === 'daysOpen' && /^\s*\d+\s*$/.test(value)) input[name] = Number(value);
    else if (name !== 'assignedUsers') input[name] = value;
  }
  const emails = (row['assignedUsers'] ?? '').split(/[;,]/).map(keyOf);
  // One more than allowed is enough to report the excess.
  const assigned = [...new Set(emails.filter(Boolean))].slice(0, ASSIGNED_MAX + 1);
  return { input, assigned, caseNo: keyOf(row['caseNo'] ?? '') };
}

/** Without NUL, which the database refuses. */
function keyOf(cell: string) {
  return fold(cell.replaceAll('\0', '').trim());
}

export const CASE_NUMBER_TAKEN = { path: 'caseNo', message: 'Case No already exists' };

/** Lookup tables for validation: active users by address, and case numbers taken in the database or earlier in the file. */
export type ImportLookups = { people: Map<string, string>; taken: Set<string>; seen: Set<string> };
export type CheckedRow = { row: number; input: NewCase | undefined; wrong: FieldError[] };

/** The case that a row would open, or all its errors. */
export function checkRow(read: ReadRow & { row: number }, known: ImportLookups): CheckedRow {
  const { row, assigned, caseNo } = read;
  const strangers = assigned.filter((email) => !known.people.has(email));
  const assignedUsers = assigned.flatMap((email) => known.people.get(email) ?? []);
  const parsed = NewCaseSchema.safeParse({
    ...read.input,
    assignedUsers: assignedUsers.slice(0, ASSIGNED_MAX),
  });
  const wrong = parsed.success ? [] : findFieldErrors(parsed.error);
  if (assigned.length > ASSIGNED_MAX)
    wrong.push({ path: 'assignedUsers', message: TOO_MANY_ASSIGNED });
  else wrong.push(...strangers.map(unknownUser));
  if (caseNo && (known.taken.has(caseNo) || known.seen.has(caseNo))) wrong.push(CASE_NUMBER_TAKEN);
  known.seen.add(caseNo);
  return { row, input: parsed.success && wrong.length === 0 ? parsed.data : undefined, wrong };
}

function unknownUser(email: string): FieldError {
  const address = email.replaceAll(/[\p{C}]/gu, '').slice(0, 100);
  return { path: 'assignedUsers', message: `No active user has the email ${address}` };
}

/** A case as cells of `caseColumns`; `emails` are those of the assigned users. */
export function toCsv(row: Case, emails: string[]): string[] {
  const flat: Record<string, unknown> = {
    ...row,
    SOL: solInEffect(row),
    assignedUsers: emails.join('; '),
  };
  for (const party of ['clientInfo', 'opposingCounselInfo'] as const)
    for (const [name, value] of Object.entries(row[party])) flat[`${party}.${name}`] = value;
  return caseColumns.map((column) => {
    const value = flat[column];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });
}
