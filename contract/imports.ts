import * as z from 'zod/mini';
import { caseTypes, PersonSchema, statuses, statusTypes } from './cases.ts';
import { defineRoute } from './route.ts';
import { choice, line } from './text.ts';

/** Kinds of imported records, in the order in which they come in: later ones name earlier ones. */
export const importKinds = [
  ...(['people', 'contacts', 'matters', 'parties', 'notes'] as const),
  ...(['calls', 'tasks', 'events', 'documents', 'mails'] as const),
] as const;
export type ImportKind = (typeof importKinds)[number];

export type ImportField = {
  key: string;
  label: string;
  /** A group of fields, at least one of which must be mapped: a whole name or its parts give 'name'. */
  needed?: string;
};

/**
 * Fields of each kind that a column can fill. `id` is the record's id in the other system; `matter`, `contact` and
 * people are named there by id, by number or by name.
 */
export const importFields: Record<ImportKind, readonly ImportField[]> = {
  people: [
    { key: 'id', label: 'Id' },
    { key: 'name', label: 'Name', needed: 'name' },
    { key: 'firstName', label: 'First name', needed: 'name' },
    { key: 'lastName', label: 'Last name', needed: 'name' },
    { key: 'email', label: 'Email' },
    { key: 'left', label: 'Has left' },
  ],
  contacts: [
    { key: 'id', label: 'Id' },
    { key: 'kind', label: 'Person or organization' },
    { key: 'name', label: 'Name', needed: 'name' },
    { key: 'prefix', label: 'Title' },
    { key: 'firstName', label: 'First name', needed: 'name' },
    { key: 'middleName', label: 'Middle name' },
    { key: 'lastName', label: 'Last name', needed: 'name' },
    { key: 'organization', label: 'Organization', needed: 'name' },
    { key: 'otherNames', label: 'Other names' },
    { key: 'email', label: 'Email' },
    { key: 'email2', label: 'Second email' },
    { key: 'phone', label: 'Phone' },
    { key: 'phone2', label: 'Second phone' },
    { key: 'phone3', label: 'Third phone' },
    { key: 'fax', label: 'Fax' },
    { key: 'address', label: 'Address' },
    { key: 'street', label: 'Street' },
    { key: 'city', label: 'City' },
    { key: 'state', label: 'State' },
    { key: 'postalCode', label: 'ZIP code' },
    { key: 'country', label: 'Country' },
    { key: 'dateOfBirth', label: 'Date of birth' },
    { key: 'notes', label: 'Notes' },
    { key: 'matters', label: 'Matters of the contact' },
  ],
  matters: [
    { key: 'id', label: 'Id' },
    { key: 'number', label: 'Case number', needed: 'name' },
    { key: 'name', label: 'Case name', needed: 'name' },
    { key: 'client', label: 'Client' },
    { key: 'clientFirstName', label: 'Client’s first name' },
    { key: 'clientLastName', label: 'Client’s last name' },
    { key: 'clientCompany', label: 'Client’s company' },
    { key: 'clientId', label: 'Client’s id' },
    { key: 'type', label: 'Type' },
    { key: 'statusType', label: 'Open or closed' },
    { key: 'status', label: 'Status' },
    { key: 'judge', label: 'Judge' },
    { key: 'dateOfOpening', label: 'Date of opening' },
    { key: 'dateOfClosing', label: 'Date of closing' },
    { key: 'managingAttorney', label: 'Managing attorney' },
    { key: 'assigned', label: 'Assigned people' },
    { key: 'DOI', label: 'Date of injury' },
    { key: 'SOL', label: 'Statute of limitations' },
    { key: 'counselOrganization', label: 'Opposing counsel’s organization' },
    { key: 'counselName', label: 'Opposing counsel' },
    { key: 'counselPhone', label: 'Opposing counsel’s phone' },
    { key: 'counselEmail', label: 'Opposing counsel’s email' },
    { key: 'counselAddress', label: 'Opposing counsel’s address' },
    { key: 'note', label: 'Note' },
  ],
  parties: [
    { key: 'id', label: 'Id' },
    { key: 'matter', label: 'Matter', needed: 'matter' },
    { key: 'matterName', label: 'Matter’s name', needed: 'matter' },
    { key: 'contact', label: 'Contact', needed: 'contact' },
    { key: 'contactName', label: 'Contact’s name', needed: 'contact' },
    { key: 'role', label: 'Role' },
    { key: 'note', label: 'Note' },
  ],
  notes: [
    { key: 'id', label: 'Id' },
    { key: 'matter', label: 'Matter', needed: 'matter' },
    { key: 'matterName', label: 'Matter’s name', needed: 'matter' },
    { key: 'at', label: 'Date' },
    { key: 'author', label: 'Author' },
    { key: 'subject', label: 'Subject', needed: 'text' },
    { key: 'text', label: 'Text', needed: 'text' },
  ],
  calls: [
    { key: 'id', label: 'Id' },
    { key: 'matter', label: 'Matter', needed: 'matter' },
    { key: 'matterName', label: 'Matter’s name', needed: 'matter' },
    { key: 'at', label: 'Date', needed: 'at' },
    { key: 'author', label: 'Author' },
    { key: 'direction', label: 'Incoming or outgoing' },
    { key: 'with', label: 'With' },
    { key: 'number', label: 'Number' },
    { key: 'seconds', label: 'Duration in seconds' },
    { key: 'minutes', label: 'Duration in minutes' },
    { key: 'result', label: 'Result' },
    { key: 'subject', label: 'Subject' },
    { key: 'text', label: 'Text' },
  ],
  tasks: [
    { key: 'id', label: 'Id' },
    { key: 'matter', label: 'Matter', needed: 'matter' },
    { key: 'matterName', label: 'Matter’s name', needed: 'matter' },
    { key: 'name', label: 'Name', needed: 'name' },
    { key: 'text', label: 'Description' },
    { key: 'start', label: 'Start' },
    { key: 'due', label: 'Due' },
    { key: 'assignedTo', label: 'Assigned to' },
    { key: 'done', label: 'Done' },
    { key: 'doneAt', label: 'Done on' },
  ],
  events: [
    { key: 'id', label: 'Id' },
    { key: 'matter', label: 'Matter' },
    { key: 'matterName', label: 'Matter’s name' },
    { key: 'title', label: 'Title', needed: 'title' },
    { key: 'kind', label: 'Kind' },
    { key: 'start', label: 'Start', needed: 'start' },
    { key: 'startTime', label: 'Start, time' },
    { key: 'end', label: 'End' },
    { key: 'endTime', label: 'End, time' },
    { key: 'allDay', label: 'All day' },
    { key: 'location', label: 'Location' },
    { key: 'text', label: 'Description' },
    { key: 'people', label: 'People' },
  ],
  documents: [
    { key: 'id', label: 'Id' },
    { key: 'matter', label: 'Matter', needed: 'matter' },
    { key: 'matterName', label: 'Matter’s name', needed: 'matter' },
    { key: 'folder', label: 'Folder' },
    { key: 'name', label: 'Name' },
    { key: 'path', label: 'Path of the file', needed: 'path' },
    { key: 'at', label: 'Date' },
    { key: 'author', label: 'Author' },
  ],
  mails: [
    { key: 'id', label: 'Message-ID' },
    { key: 'matter', label: 'Matter', needed: 'matter' },
    { key: 'matterName', label: 'Matter’s name', needed: 'matter' },
    { key: 'at', label: 'Date' },
    { key: 'subject', label: 'Subject' },
    { key: 'path', label: 'Path of the file' },
  ],
};

const importStates = [
  ...(['read', 'mapped', 'checked', 'running', 'done', 'undone', 'failed'] as const),
] as const;
export type ImportState = (typeof importStates)[number];
/** Other systems, and other forms of files; each is a file of data on the server. */
export const importProfiles = [
  ...(['clio', 'mycase', 'practicepanther', 'filevine', 'smokeball'] as const),
  ...(['jlawyer', 'folders', 'spreadsheet', 'matterdesk'] as const),
] as const;
export type ImportProfile = (typeof importProfiles)[number];

/** Files of an import that are uploaded, and problems that its reply has. */
export const IMPORT_FILES_MAX = 100;
export const IMPORT_PROBLEMS_MAX = 500;
const HEADER_MAX = 300;
const COLUMNS_MAX = 500;
const NAMES_MAX = 2000;

const text = z.string();
const optional = z.nullable(text);
const count = z.number();

const CountsSchema = z.object({
  /** All rows: the sum of the others. */
  found: count,
  new: count,
  changed: count,
  same: count,
  conflicting: count,
  refused: count,
});
export type ImportCounts = z.infer<typeof CountsSchema>;
export type ImportOutcome = Exclude<keyof ImportCounts, 'found'>;

const ProblemSchema = z.object({
  /** Below the folder of the export. */
  file: text,
  /** Counted like a spreadsheet: the header is row 1. Null for a problem of the whole file. */
  row: z.nullable(z.number()),
  column: optional,
  message: text,
  kind: z.enum(importKinds),
  outcome: z.enum(['conflicting', 'refused']),
  /** The record here that a conflict is about. */
  item: z.nullable(z.object({ id: text, name: text })),
});
export type ImportProblem = z.infer<typeof ProblemSchema>;

/** A header of the file, or a value that every row has. */
const column = z.union([
  line('Column', { max: HEADER_MAX }),
  z.strictObject({ value: line('Value') }),
]);
const MappingSchema = z.partialRecord(
  z.enum(importKinds, 'Mapping has an unknown kind'),
  z.record(line('Field', { max: 40 }), z.nullable(column), 'Mapping must be an object of columns'),
  'Mapping must be an object of kinds',
);
export type ImportMapping = Partial<
  Record<ImportKind, Record<string, string | { value: string } | null>>
>;

const theirs = line('Value', { max: HEADER_MAX });
const tableOf = <Ours extends z.ZodMiniType>(ours: Ours) =>
  z
    .record(theirs, z.nullable(ours), 'A table must be an object')
    .check(
      z.refine((table) => Object.keys(table).length <= NAMES_MAX, `A table has ${NAMES_MAX} rows`),
    );
/** Values of the other system with ours; null for none, as for a user who has left. */
const TablesSchema = z.partial(
  z.strictObject({
    /** 'Active' and 'Archive' set the status type alone. */
    status: tableOf(choice('Status', [...statusTypes, ...statuses])),
    type: tableOf(choice('Type', caseTypes)),
    people: tableOf(line('Person', { max: 100 })),
  }),
);
export type ImportTables = z.infer<typeof TablesSchema>;

const FileSchema = z.object({
  path: text,
  /** Bytes. */
  size: z.number(),
  /** Null for a file that nothing is read from. */
  kind: z.nullable(z.enum(importKinds)),
  headers: z.array(text).check(z.maxLength(COLUMNS_MAX)),
});
export type ImportFile = z.infer<typeof FileSchema>;

const ImportSchema = z.object({
  id: text,
  profile: z.enum(importProfiles),
  state: z.enum(importStates),
  /** While it runs, and of the last run: whether it only checks. */
  dryRun: z.boolean(),
  counts: z.partialRecord(z.enum(importKinds), CountsSchema),
  /** The first 500; the report has all. */
  problems: z.array(ProblemSchema),
  problemCount: z.number(),
  mapping: z.partialRecord(
    z.enum(importKinds),
    z.record(text, z.nullable(z.union([text, z.object({ value: text })]))),
  ),
  /** All words of the mapped columns; null where nothing is chosen, and nothing in the profile fits. */
  tables: z.object({
    status: z.record(text, optional),
    type: z.record(text, optional),
    people: z.record(text, optional),
  }),
  /** The first 500 files in use; uploads are also listed when nothing is read from them. */
  files: z.array(FileSchema),
  fileCount: z.number(),
  /** While it runs; `total` is null until it is known. */
  progress: z.nullable(
    z.object({
      kind: z.enum(importKinds),
      done: z.number(),
      total: z.nullable(z.number()),
      /** When this run began. */
      since: text,
    }),
  ),
  /** While it runs, and once that has failed: whether it takes the import back. */
  undoing: z.boolean(),
  /** After undo: what stayed here, with the reason. The first 500. */
  left: z.array(z.object({ kind: z.enum(importKinds), id: text, name: text, reason: text })),
  by: PersonSchema,
  at: text,
  /** Why it failed, in a sentence. */
  error: optional,
});
export type Import = z.infer<typeof ImportSchema>;

/** Members that are left out stay. */
export const ImportPatchSchema = z.partial(
  z.strictObject({ mapping: MappingSchema, tables: TablesSchema }),
);

/** An import or its undo has ended: any record may have changed, and no other event reports it. */
export const ImportEndedSchema = z.object({ id: text });

const oneImport = z.object({ import: ImportSchema });

export const importRoutes = {
  listImportProfiles: defineRoute({
    method: 'GET',
    path: '/api/v1/imports/profiles',
    summary: 'Systems that an import can read from, with their files and hints',
    access: 'admin',
    reply: z.object({
      profiles: z.array(
        z.object({
          key: z.enum(importProfiles),
          name: text,
          /** Names of files, with what they hold. */
          files: z.array(text),
          /** Sentences on how to get the export, and on what does not come with it. */
          hints: z.array(text),
        }),
      ),
      /** Whether `dir` can be used. */
      hasFolder: z.boolean(),
    }),
    message: 'OK',
  }),
  addImport: defineRoute({
    method: 'POST',
    path: '/api/v1/imports',
    summary:
      'Takes in the files of an export, or names a folder below IMPORT_DIR; nothing is imported yet',
    access: 'admin',
    file: 'files',
    fields: ['profile', 'dir'],
    // One of the two.
    optionalParts: ['files', 'dir'],
    reply: oneImport,
    status: 201,
    message: 'Import added',
  }),
  listImports: defineRoute({
    method: 'GET',
    path: '/api/v1/imports',
    summary: 'The newest 50 imports, the newest first; without problems',
    access: 'admin',
    reply: z.object({ imports: z.array(ImportSchema) }),
    message: 'OK',
  }),
  readImport: defineRoute({
    method: 'GET',
    path: '/api/v1/imports/{id}',
    summary: 'An import with its counts and its first 500 problems',
    access: 'admin',
    reply: oneImport,
    message: 'OK',
  }),
  readImportReport: defineRoute({
    method: 'GET',
    path: '/api/v1/imports/{id}/report.csv',
    summary: 'Every problem of an import as CSV; the session cookie opens it too',
    access: 'admin',
    cookie: true,
    message: 'OK',
  }),
  changeImport: defineRoute({
    method: 'PATCH',
    path: '/api/v1/imports/{id}',
    summary: 'Maps columns and words; members that are left out stay',
    access: 'admin',
    body: ImportPatchSchema,
    reply: oneImport,
    message: 'Import updated',
  }),
  runImport: defineRoute({
    method: 'POST',
    path: '/api/v1/imports/{id}/run',
    summary: 'Imports in a job, or with dryRun only checks',
    access: 'admin',
    body: z.strictObject({ dryRun: z._default(z.boolean('dryRun must be true or false'), false) }),
    reply: oneImport,
    message: 'The import runs',
  }),
  stopImport: defineRoute({
    method: 'POST',
    path: '/api/v1/imports/{id}/stop',
    summary: 'Stops an import that runs; the next run goes on from there',
    access: 'admin',
    reply: oneImport,
    message: 'The import was stopped',
  }),
  undoImport: defineRoute({
    method: 'POST',
    path: '/api/v1/imports/{id}/undo',
    summary: 'Removes what the import made, and names what it leaves',
    access: 'admin',
    body: z.strictObject({ dryRun: z._default(z.boolean('dryRun must be true or false'), false) }),
    reply: oneImport,
    message: 'The import is being undone',
  }),
};
