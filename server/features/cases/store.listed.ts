// Rows of lists. The database writes most of each as JSON: reading and writing 35 columns of a page's cases takes the
// server longer than all else that it does for them.

import { sql } from 'kysely';
import type { Case, WaitingDate } from '@matterdesk/contract/cases.ts';
import { contentUrl } from '@matterdesk/contract/files.ts';
import {
  assignedPeople,
  fileCount,
  type FileLocation,
  someNewestFiles,
  waitingSol,
} from '../../db/cases.ts';
import type { MaybeMissing } from './rules.ts';

/** Null where a case that is not filed yet lacks it. */
const nullIfMissing = (path: MaybeMissing, column: string) =>
  sql`case when ${sql.lit(path)} = any(incomplete) then null else ${sql.ref(column)} end`;

/** The same as `daysOpenAt`. */
const daysOpen = sql`days_open + greatest(0, floor(
  date_part('epoch', coalesce(archived_at, statement_timestamp()) - days_open_since) / 86400))::int`;

const clientInfo = sql`(select row_to_json(client) from (select client_name as name,
  ${nullIfMissing('clientInfo.phoneNumber', 'client_phone_number')} as "phoneNumber",
  ${nullIfMissing('clientInfo.email', 'client_email')} as email,
  ${nullIfMissing('clientInfo.address', 'client_address')} as address) client)`;

const opposingCounselInfo = sql`(select row_to_json(counsel) from (select
  ${nullIfMissing('opposingCounselInfo.organization', 'counsel_organization')} as organization,
  ${nullIfMissing('opposingCounselInfo.name', 'counsel_name')} as name,
  ${nullIfMissing('opposingCounselInfo.phoneNumber', 'counsel_phone_number')} as "phoneNumber",
  ${nullIfMissing('opposingCounselInfo.email', 'counsel_email')} as email,
  ${nullIfMissing('opposingCounselInfo.address', 'counsel_address')} as address) counsel)`;

/** The members that every case has. A row takes two thirds of the time of `json_build_object`. */
const caseJson = sql<string>`(select row_to_json(whole)::text from (select
  id, case_name as "caseName", case_no as "caseNo", status_type as "statusType", status,
  ${nullIfMissing('judge', 'judge')} as judge, date_of_opening as "dateOfOpening",
  managing_attorney as "managingAttorney", doi as "DOI", sol as "SOL", ${daysOpen} as "daysOpen", type,
  ${fileCount} as "fileCount", ${assignedPeople} as "assignedUsers", ${clientInfo} as "clientInfo",
  ${opposingCounselInfo} as "opposingCounselInfo", incomplete) whole)`;

/** Only in a statement whose `cases` is the view of the same name, or rows of it. */
export const listColumns = [
  'id',
  'serial',
  'case_name',
  'case_no',
  'status_type',
  'no_statute',
  caseJson.as('written'),
  sql<number>`date_part('epoch', created_at)`.as('created'),
  sql<number>`date_part('epoch', updated_at)`.as('updated'),
  sql<Case['access'] | null>`case when is_walled then access end`.as('walled'),
  someNewestFiles.as('newest_files'),
  waitingSol.as('waiting'),
] as const;

export type ListedRow = Pick<Case, 'id'> & {
  serial: string;
  case_name: string;
  case_no: string | null;
  status_type: Case['statusType'];
  no_statute: string | null;
  written: string;
  /** Seconds since 1970. */
  created: number;
  updated: number;
  walled: Case['access'] | null;
  newest_files: FileLocation[] | null;
  waiting: WaitingDate | null;
};

/** The JSON of a case as `toCase` shows it. */
export function writeCase(row: ListedRow): string {
  const { id, newest_files: files, walled, waiting, no_statute: noStatute } = row;
  const download = files?.map(({ name, folder }) => ({ name, url: contentUrl(id, folder, name) }));
  const more = [
    `"download":${download ? JSON.stringify(download) : '[]'}`,
    `"createdAt":"${toInstant(row.created)}"`,
    `"updatedAt":"${toInstant(row.updated)}"`,
  ];
  if (walled) more.push(`"access":"${walled}"`);
  if (waiting) more.push(`"waiting":${JSON.stringify(waiting)}`);
  if (noStatute !== null) more.push(`"noStatute":${JSON.stringify(noStatute)}`);
  return `${row.written.slice(0, -1)},${more.join(',')}}`;
}

/** Truncates to milliseconds, as `Date` does. Adds half a microsecond, since the product may be slightly too small. */
function toInstant(seconds: number): string {
  return new Date(Math.floor(seconds * 1000 + 0.0005)).toISOString();
}
