import * as z from 'zod/mini';
import { FieldErrorSchema } from './errors.ts';
import { wholeNumber } from './numbers.ts';
import { pagingQuery, pagingReply } from './paging.ts';
import { rankedQuery } from './ranking.ts';
import { defineRoute } from './route.ts';
import { blankToNull, choice, email, id, line, paragraphs } from './text.ts';
import { day } from './time.ts';

/** Columns of imports and exports of cases, in order; nested fields dotted. */
export const caseColumns: readonly string[] = (
  'caseName caseNo statusType status type judge dateOfOpening managingAttorney DOI SOL daysOpen ' +
  'assignedUsers clientInfo.name clientInfo.phoneNumber clientInfo.email clientInfo.address ' +
  'opposingCounselInfo.organization opposingCounselInfo.name opposingCounselInfo.phoneNumber ' +
  'opposingCounselInfo.email opposingCounselInfo.address'
).split(' ');

/** Column names that people and other products use. */
const HEADER_ALIASES: Record<string, string> = {
  caseName: 'Case, Matter, Matter Name',
  caseNo: 'Case Number, Matter No, Matter Number, Docket No, Docket Number',
  type: 'Case Type, Matter Type, Practice Area',
  dateOfOpening: 'Opening Date, Open Date, Opened, Date Opened',
  managingAttorney: 'Responsible Attorney, Attorney',
  DOI: 'Date Of Injury, Date Of Incident, Injury Date, Incident Date',
  SOL: 'Statute Of Limitations, Statute Of Limitations Date, Limitation Date',
  assignedUsers: 'Assigned, Assigned To, Assigned User, Team',
  'clientInfo.name': 'Client',
  'clientInfo.phoneNumber': 'Client Phone',
  'opposingCounselInfo.organization': 'Opposing Counsel Firm, Opposing Firm',
  'opposingCounselInfo.name': 'Opposing Counsel',
  'opposingCounselInfo.phoneNumber': 'Opposing Counsel Phone',
};

const byHeader = new Map(
  caseColumns.flatMap((column) =>
    [column, column.replace('Info.', ''), ...(HEADER_ALIASES[column]?.split(', ') ?? [])].map(
      (header) => [keyOf(header), column],
    ),
  ),
);

/** The column that a header names, ignoring case, spaces and punctuation. */
export function columnOfHeader(header: string): string | undefined {
  return byHeader.get(keyOf(header));
}

function keyOf(header: string): string {
  return header.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** Forms of the dates in a file: 2026-03-02, 3/2/2026 or 2/3/2026 for the second of March. */
export const dateForms = ['ymd', 'mdy', 'dmy'] as const;
export type DateForm = (typeof dateForms)[number];

/** Characters of a table in which its first line ends: a line may be as long as its file. */
const FIRST_LINE_MAX = 100_000;

/** The sign between the cells, by the first line. */
export function delimiterOf(text: string): ',' | ';' | '\t' {
  const head = text.slice(0, FIRST_LINE_MAX).replaceAll(/"[^"]*"/g, '');
  const [line = ''] = head.split(/\r?\n/, 1);
  const count = (sign: string) => line.split(sign).length;
  const signs = [',', ';', '\t'] as const;
  return signs.reduce((most, sign) => (count(sign) > count(most) ? sign : most));
}

/** Decodes a text. @throws for bytes that the charset does not have */
export type Decode = (bytes: Uint8Array, charset: 'utf-8' | 'windows-1252') => string;

/** UTF-8, else Windows-1252, as spreadsheets save; undefined for what is not text. */
export function decodeText(bytes: Uint8Array, decode: Decode): string | undefined {
  try {
    return decode(bytes, 'utf-8');
  } catch {
    return bytes.includes(0) ? undefined : decode(bytes, 'windows-1252');
  }
}

export const statusTypes = ['Active', 'Archive'] as const;
export const statuses = ['Pre-List', 'Litigation', 'ADR'] as const;
export const accessModes = ['open', 'restricted'] as const;
export const caseTypes = ['Civil', 'PI', 'Med-Mal'] as const;
export type CaseType = (typeof caseTypes)[number];
/** Orders of a list; `-` reverses one. */
export const caseSorts = [
  ...(['newest', 'sol', 'caseName', 'daysOpen'] as const),
  ...(['-newest', '-sol', '-caseName', '-daysOpen'] as const),
] as const;
export type CaseSort = (typeof caseSorts)[number];
export type StatusType = (typeof statusTypes)[number];
/** Shown where a docket number would be. */
export const NOT_FILED = 'Not filed';
export const DAYS_OPEN_MAX = 100_000;
export const ASSIGNED_MAX = 100;
export const TOO_MANY_ASSIGNED = `Assigned Users can have at most ${ASSIGNED_MAX} people`;

/** Fields of a person in tables. */
export const PersonSchema = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
});
export type Person = z.infer<typeof PersonSchema>;

const ClientInfoSchema = z.strictObject({
  name: line('Client Name'),
  phoneNumber: line('Client Phone Number', { max: 40 }),
  email: email('Client Email'),
  address: paragraphs('Client Address', { max: 500 }),
});
type ClientInfo = z.infer<typeof ClientInfoSchema>;

export const OpposingCounselInfoSchema = z.strictObject({
  organization: line('Opposing Counsel Organization', {
    required: 'Opposing Counsel Organization Name is required',
  }),
  name: line('Opposing Counsel Name'),
  phoneNumber: line('Opposing Counsel Phone Number', { max: 40 }),
  email: email('Opposing Counsel Email'),
  address: paragraphs('Opposing Counsel Address', { max: 500 }),
});
type OpposingCounselInfo = z.infer<typeof OpposingCounselInfoSchema>;

const daysOpen = wholeNumber('Days Open', { min: 0, max: DAYS_OPEN_MAX });

/** Fields of the dialog's first step, in order. */
const caseFields = {
  caseName: line('Case Name'),
  caseNo: line('Case No', { max: 100 }),
  statusType: choice('Status Type', statusTypes),
  status: choice('Status', statuses),
  type: choice('Type', caseTypes),
  judge: line('Judge'),
  dateOfOpening: day('Date Of Opening', { required: 'Date of Opening is required' }),
  managingAttorney: line('Managing Attorney'),
  // Literal text of the specification, although the field is the date of injury.
  DOI: day('DOI', { required: 'Date of Opening is required' }),
  SOL: day('SOL'),
  daysOpen,
};

const assignedUsers = z
  .array(id('Please select any user'), 'Assigned Users must be a list of user ids')
  .check(z.maxLength(ASSIGNED_MAX, TOO_MANY_ASSIGNED));

/** A missing object reports every field, so that forms can mark them all. */
const orEmpty = <T>() => z.transform((input: unknown) => (input ?? {}) as T);

/** People and contacts of a new case. */
const peopleFields = {
  assignedUsers: z._default(assignedUsers, []),
  /** Contacts that the client and the opposing counsel are, instead of matching or new ones. */
  contacts: z.optional(
    z.strictObject({
      client: z.optional(id('Select a contact')),
      opposingCounsel: z.optional(id('Select a contact')),
    }),
  ),
  /** The people of its limitation, instead of the first assigned person and no second. */
  limitation: z.optional(
    z.strictObject({
      owner: z.optional(id('Please select any user')),
      second: z.optional(z.nullable(id('Please select any user'))),
    }),
  ),
};

export const NewCaseSchema = z.strictObject({
  ...caseFields,
  clientInfo: z.pipe(orEmpty<ClientInfo>(), ClientInfoSchema),
  opposingCounselInfo: z.pipe(orEmpty<OpposingCounselInfo>(), OpposingCounselInfoSchema),
  ...peopleFields,
});
export type NewCase = z.infer<typeof NewCaseSchema>;

/** Absent, null or blank where a case that is not filed yet lacks the value. */
const maybe = <Value extends z.ZodMiniType<string | number>>(value: Value) =>
  z._default(blankToNull(value), null);
const { shape: client } = ClientInfoSchema;
const UnfiledClientSchema = z.strictObject({
  name: client.name,
  phoneNumber: maybe(client.phoneNumber),
  email: maybe(client.email),
  address: maybe(client.address),
});

const { shape: counsel } = OpposingCounselInfoSchema;
const UnfiledCounselSchema = z.strictObject({
  organization: maybe(counsel.organization),
  name: maybe(counsel.name),
  phoneNumber: maybe(counsel.phoneNumber),
  email: maybe(counsel.email),
  address: maybe(counsel.address),
});

/** A case that no court has a number for yet: only its name, its type and its client are known. */
export const UnfiledCaseSchema = z.strictObject({
  notFiled: z.literal(true),
  caseName: caseFields.caseName,
  caseNo: maybe(caseFields.caseNo),
  statusType: maybe(caseFields.statusType),
  status: maybe(caseFields.status),
  type: caseFields.type,
  judge: maybe(caseFields.judge),
  dateOfOpening: maybe(caseFields.dateOfOpening),
  managingAttorney: maybe(caseFields.managingAttorney),
  DOI: maybe(caseFields.DOI),
  SOL: maybe(caseFields.SOL),
  daysOpen: maybe(daysOpen),
  clientInfo: z.pipe(orEmpty<z.input<typeof UnfiledClientSchema>>(), UnfiledClientSchema),
  opposingCounselInfo: z.pipe(
    orEmpty<z.input<typeof UnfiledCounselSchema>>(),
    UnfiledCounselSchema,
  ),
  ...peopleFields,
});
export type UnfiledCase = z.infer<typeof UnfiledCaseSchema>;

/** The wrong-type message of the member that chooses between a filed case and one that is not. */
export const notFiledError = ({ code }: { code?: string | undefined }) =>
  code === 'invalid_union' ? 'Not Filed must be true or false' : undefined;
export const filed = { notFiled: z.optional(z.literal(false)) };

const OpeningSchema = z.discriminatedUnion(
  'notFiled',
  [z.extend(NewCaseSchema, filed), UnfiledCaseSchema],
  { error: notFiledError },
);

/** The dialog's two steps, each validated on leaving it. */
export const CaseStepSchema = z.strictObject({ ...caseFields, assignedUsers });
export const PartiesStepSchema = z.strictObject({
  clientInfo: ClientInfoSchema,
  opposingCounselInfo: OpposingCounselInfoSchema,
});

const CasePatchSchema = z.partial(
  z.strictObject({
    ...caseFields,
    assignedUsers,
    clientInfo: z.partial(ClientInfoSchema),
    opposingCounselInfo: z.partial(OpposingCounselInfoSchema),
  }),
);
export type CasePatch = z.infer<typeof CasePatchSchema>;

export const NoStatuteSchema = z.strictObject({
  reason: paragraphs('Reason', { required: 'Please enter a reason', max: 500 }),
});

const DownloadSchema = z.object({ name: z.string(), url: z.string() });

const text = z.string();
/** A change of the SOL that waits for another person; until then the earlier date is in effect. */
export const WaitingDateSchema = z.object({
  /** The date in effect. */
  date: text,
  proposed: text,
  by: z.nullable(PersonSchema),
  /** Null if any other person may decide. */
  decides: z.nullable(PersonSchema),
});
export type WaitingDate = z.infer<typeof WaitingDateSchema>;

/** Null for what a case that is not filed yet lacks. */
const maybeText = z.nullable(text);

export const CaseSchema = z.object({
  id: text,
  caseName: text,
  caseNo: maybeText,
  statusType: z.enum(statusTypes),
  status: z.enum(statuses),
  judge: maybeText,
  dateOfOpening: text,
  managingAttorney: text,
  DOI: maybeText,
  SOL: maybeText,
  daysOpen: z.number(),
  type: z.enum(caseTypes),
  /** The newest five files. */
  download: z.array(DownloadSchema),
  /** All its files; `COUNTED_FILES_MAX` stands for that many or more. */
  fileCount: z.optional(z.number()),
  assignedUsers: z.array(PersonSchema),
  clientInfo: z.object({
    name: text,
    phoneNumber: maybeText,
    email: maybeText,
    address: maybeText,
  }),
  opposingCounselInfo: z.object({
    organization: maybeText,
    name: maybeText,
    phoneNumber: maybeText,
    email: maybeText,
    address: maybeText,
  }),
  /** Dotted paths of what a case that is not filed yet lacks, in the form's order; else empty. */
  incomplete: z.array(text),
  createdAt: text,
  updatedAt: text,
  /** Only in a case that not every user may see. */
  access: z.optional(z.enum(accessModes)),
  /** Only while a change of the SOL waits. */
  waiting: z.optional(WaitingDateSchema),
  /** The reason why no statute of limitations applies; only where one was entered. */
  noStatute: z.optional(text),
});

export type Case = z.infer<typeof CaseSchema>;
/** A case that lacks nothing. */
export type FiledCase = Case &
  Pick<NewCase, 'caseNo' | 'judge' | 'DOI' | 'SOL' | 'clientInfo' | 'opposingCounselInfo'>;

/** Files of a case that are counted. */
export const COUNTED_FILES_MAX = 100;

const statusTypeQuery = z.optional(choice('Status Type', statusTypes));
const oneCase = z.object({ case: CaseSchema });
const createCases = { permission: 'createCases' } as const;

export const activityActions = [
  ...(['created', 'updated', 'archived', 'reopened', 'moved', 'completed', 'deleted'] as const),
  ...(['imported', 'restored', 'trained', 'trainingFailed'] as const),
] as const;
export const activityEntities = ['case', 'task', 'folder', 'file'] as const;

/** A changed field in the reader's words; both values are null where the log keeps fields only. */
export const ChangeSchema = z.object({
  /** Dotted, as in `errors[].path`. */
  field: text,
  label: text,
  /** `date` is a day or an instant, `bytes` a number. */
  kind: z.enum(['text', 'date', 'bytes']),
  from: z.nullable(text),
  to: z.nullable(text),
});
export type Change = z.infer<typeof ChangeSchema>;

/** An event in the history of a case, as shown to readers. */
const ActivitySchema = z.object({
  id: text,
  at: text,
  actor: z.nullable(PersonSchema),
  action: z.enum(activityActions),
  entity: z.enum(activityEntities),
  entityId: text,
  /** Name of the changed entity. */
  name: text,
  /** Changed fields, the column that a task moved to, or why a training failed. */
  detail: z.array(text),
  /** Values before and after, where something existing was changed. */
  changes: z.array(ChangeSchema),
});
export type Activity = z.infer<typeof ActivitySchema>;

const ImportReportSchema = z.object({
  rows: z.number(),
  created: z.number(),
  /** `row` counts like a spreadsheet: the header is row 1. */
  errors: z.array(z.extend(FieldErrorSchema, { row: z.number() })),
  /** The file's header for each field, and its date format, as read. */
  headers: z.array(text),
  mapping: z.record(text, text),
  dates: z.enum(dateForms),
});
export type ImportReport = z.infer<typeof ImportReportSchema>;

export const caseRoutes = {
  listCases: defineRoute({
    method: 'GET',
    path: '/api/v1/cases',
    summary: 'Cases, newest first or as sorted; the whole list without limit, cursor and search',
    access: 'signedIn',
    query: z.object({
      statusType: statusTypeQuery,
      sort: z.optional(choice('Sort', caseSorts)),
      status: z.optional(choice('Status', statuses)),
      type: z.optional(choice('Type', caseTypes)),
      /** The id of a user, or `me`. */
      assigned: z.optional(line('Assigned', { max: 100 })),
      /** Only cases that are not filed yet and lack something. */
      incomplete: z.optional(z.enum(['0', '1'], { error: 'incomplete must be one of 0, 1' })),
      ranked: rankedQuery,
      ...pagingQuery,
    }),
    reply: z.object({ cases: z.array(CaseSchema), ...pagingReply }),
    message: 'OK',
  }),
  readCase: defineRoute({
    method: 'GET',
    path: '/api/v1/cases/{id}',
    summary: 'One case',
    access: 'signedIn',
    reply: oneCase,
    message: 'OK',
  }),
  openCase: defineRoute({
    method: 'POST',
    path: '/api/v1/cases',
    summary: 'Opens a case',
    access: createCases,
    body: OpeningSchema,
    reply: oneCase,
    status: 201,
    message: 'Case created',
    idempotent: true,
  }),
  changeCase: defineRoute({
    method: 'PATCH',
    path: '/api/v1/cases/{id}',
    summary: 'Changes a case; archiving is statusType Archive',
    access: createCases,
    body: CasePatchSchema,
    reply: oneCase,
    message: 'Case updated',
  }),
  declineStatute: defineRoute({
    method: 'POST',
    path: '/api/v1/cases/{id}/noStatute',
    summary: 'Says why no statute of limitations applies, until an SOL is entered',
    access: createCases,
    body: NoStatuteSchema,
    reply: oneCase,
    message: 'Case updated',
  }),
  exportCases: defineRoute({
    method: 'GET',
    path: '/api/v1/cases/export',
    summary: 'The list as CSV, streamed, without envelope',
    access: createCases,
    query: z.object({ statusType: statusTypeQuery, search: pagingQuery.search }),
    message: 'OK',
  }),
  importCases: defineRoute({
    method: 'POST',
    path: '/api/v1/cases/import',
    summary: 'Opens a case for each row of a CSV file, or none if any row is invalid',
    access: createCases,
    query: z.object({
      dryRun: z.optional(z.enum(['0', '1'], { error: 'dryRun must be one of 0, 1' })),
    }),
    file: 'file',
    fields: ['mapping', 'dates'],
    optionalParts: ['mapping', 'dates'],
    fileBytes: 20 * 1024 * 1024,
    reply: ImportReportSchema,
    message: 'Cases imported',
  }),
};

export const activityRoutes = {
  readActivity: defineRoute({
    method: 'GET',
    path: '/api/v1/cases/{id}/activity',
    summary: 'Activity of a case, newest first',
    access: 'signedIn',
    query: z.object({ limit: pagingQuery.limit, cursor: pagingQuery.cursor }),
    reply: z.object({ activity: z.array(ActivitySchema), nextCursor: z.nullable(text) }),
    message: 'OK',
  }),
};
