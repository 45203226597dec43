// Exports of other systems, as their public pages show them, with the habits that firms' files have.

import { Readable } from 'node:stream';
import type { ImportProfile } from '@matterdesk/contract/imports.ts';
import { expandArchives } from '../integrations/exports/files.ts';
import { profileOf } from '../integrations/exports/profiles.ts';
import { readRows } from '../integrations/exports/read.ts';
import { recognize } from '../integrations/exports/recognize.ts';
import type {
  BadRow,
  RecognizedExport,
  SourceFile,
  SourceRow,
} from '../integrations/exports/source.ts';

/** A file in memory, read in small chunks as from a slow disk. */
export function fileOf(
  path: string,
  content: string | Buffer,
  chunk = 1000,
): SourceFile & Required<Pick<SourceFile, 'openAt'>> {
  const bytes = Buffer.from(content as Buffer);
  const openAt = (start: number, end: number) => {
    const part = bytes.subarray(start, end);
    const count = Math.ceil(part.length / chunk);
    const pieces = Array.from({ length: count }, (_, at) =>
      part.subarray(at * chunk, (at + 1) * chunk),
    );
    return Promise.resolve(Readable.from(pieces, { objectMode: false }));
  };
  return { path, size: bytes.length, open: () => openAt(0, bytes.length), openAt };
}

export function filesOf(contents: Record<string, string | Buffer>): SourceFile[] {
  return Object.entries(contents).map(([path, content]) => fileOf(path, content));
}

export function isRow(row: SourceRow | BadRow): row is SourceRow {
  return 'cells' in row;
}

export type ReadExport = RecognizedExport & { rows: (SourceRow | BadRow)[] };

/** Recognizes an export and reads all of it. */
export async function readExport(
  key: ImportProfile,
  uploads: readonly SourceFile[],
): Promise<ReadExport> {
  const profile = profileOf(key);
  const files = await expandArchives(uploads);
  const recognized = await recognize(profile, files);
  const rows: (SourceRow | BadRow)[] = [];
  for (const file of recognized.files)
    rows.push(
      ...(await Array.fromAsync(
        readRows({
          profile,
          mapping: recognized.mapping,
          files,
          file,
          timeZone: 'America/New_York',
        }),
      )),
    );
  return { ...recognized, rows };
}

function lines(...all: string[]): string {
  return `${all.join('\r\n')}\r\n`;
}

/** Text in the encoding of older spreadsheets; of the signs outside of Latin 1 only a few. */
export function inWindows1252(text: string): Buffer {
  const plain = text.replaceAll('–', '\u0096').replaceAll('’', '\u0092').replaceAll('€', '\u0080');
  return Buffer.from(plain, 'latin1');
}

/** No ids, US dates, a client in two spellings, placeholders, and HTML in notes. */
export const clioExport = {
  'contacts.csv': lines(
    'title,job_title,first_name,last_name,company,business_street,business_city,business_state,business_postal_code,email_address,primary_phone',
    'Ms,Nurse,Jane,Doe,,"1 Main St\nApt 2",Albany,NY,12207,jane@doe.example,(518) 555-0101',
    ',,JANE,DOE,,,,,,,5185550101',
    ',,,,"Acme, Inc.",,,,,,\'+1 518 555 0102',
  ),
  'matters.csv': lines(
    'status,location,client_reference,description,open_date,close_date,pending_date,custom_number,note,client_first_name,client_last_name,client_company_name,practice_area',
    'Open,Albany,,Doe v. Roe,01/31/2024,,,2024-17,"Call ""Jane"" first",Jane,Doe,,Personal Injury',
    'Closed,,R-9,Acme lease,2/3/2020,12/31/2022,,2020-04,,,,"Acme, Inc.",Real Estate',
    'Pending,,,,,,,2024-99,,,,Unknown Client,',
  ),
  'notes.csv': lines(
    'matter,date,subject,detail,author',
    '2024-17,02/01/2024 3:30 PM,Call,"<p>She said &quot;yes&quot;.</p><p>Second&nbsp;line</p>",Ann Lee',
  ),
  'tasks.csv': lines(
    'Task Name,Matter,Due At,Assignee,Completed At',
    'File answer,2024-17,02/15/2024,Ann Lee,',
  ),
  'calendar.csv': lines(
    'summary,start_at,end_at,location,matter',
    'Hearing,02/20/2024 9:00 AM,02/20/2024 10:00 AM,Room 5,2024-17',
  ),
  'activities.csv': lines(
    'matter,date,activity_description,note,price,quantity,type,activity_user,non_billable',
    '2024-17,02/01/2024,Call,,200,0.2,TimeEntry,Ann Lee,false',
  ),
};

/** Windows-1252 and semicolons; notes name cases by their names. */
export const mycaseExport = {
  'companies.csv': inWindows1252(
    lines(
      'MyCase ID;Company;Business Address;Business Fax;Company Main Phone;E-mail Address;Web Page;Outstanding Trust Balance;Archived;Private Notes;:Notes;Contacts;Cases;Case Link IDs',
      '77;Müller’s Café;1 Rue – 2;518-1;518-2;m@cafe.example;cafe.example;10,00 €;false;secret;open late;Jörg Müller;Müller v. City;501',
    ),
  ),
  'cases.csv': lines(
    'Case/Matter Name,Lead Attorney,Practice Area,Case Closed',
    'Müller v. City,Ann Lee,Premises,false',
    'Old v. New,Bo Kim,,true',
  ),
  'notes.csv': lines(
    'Case Name,Date,Note,Created By',
    'Müller v. City,3/4/2024,Client called,Ann Lee',
  ),
};

export const practicePantherExport = {
  'contacts.csv': lines(
    'Display Name,Number,CompanyName,First Name,Middle Name,Last Name,Email,Fax,Home,Mobile,Office phone,Address,ContactNotes,CompanyNotes,Website,AssignedTo,Tags,URL',
    '"Doe, Jane",12,,Jane,Q,Doe,j@d.example,1,2,3,4,"1 Main St, Albany",likes email,,,Ann Lee,vip,',
  ),
  'matters.csv': lines(
    'Contact,Name,Number,Notes,Status',
    '"Doe, Jane",Doe v. Roe,00017,first note,Open',
  ),
};

export const filevineExport = {
  'Contacts.csv': lines(
    'ContactExternalID,FirstName,LastName,Email,Phone',
    'C-1,Jane,Doe,j@d.example,518',
  ),
  'Projects.csv': lines(
    'ProjectExternalID,ProjectName,ContactExternalID,Phase,IncidentDate',
    'P-1,Doe v. Roe,C-1,Litigation,01/02/2023',
  ),
  'ProjectContacts.csv': lines('ProjectExternalID,ContactExternalID,Role', 'P-1,C-1,Plaintiff'),
  'ProjectPermissions.csv': lines('ProjectExternalID,User', 'P-1,ann'),
  'Calendar.csv': lines('ProjectExternalID,Title,Start,End', 'P-1,Hearing,2/3/2026 9:00 AM,'),
  'Deadlines.csv': lines('ProjectExternalID,Name,DueDate', 'P-1,Answer due,2/9/2026'),
  'Notes.csv': lines('ProjectExternalID,Body,Author,CreatedDate', 'P-1,<b>Hi</b>,ann,1/1/2026'),
};

export const smokeballExport = {
  'SB-StaffImport.csv': lines('External ID,First Name,Last Name,Email', 'S1,Ann,Lee,a@f.example'),
  'SB-ContactImport.csv': lines(
    'External ID,First Name,Last Name,Company',
    '1,Jane,Doe,',
    '2,,,Acme',
  ),
  'SB-MatterImport.csv': lines(
    'External MatterID,Matter Number / Reference,Client ID,Description',
    'M1,2024-17,1,Doe v. Roe',
  ),
  'SB-RelationshipImport.csv': lines('External MatterID,External ContactID,Role', 'M1,2,Insurer'),
  'SB-MemoImport.csv': lines('External MatterID,Title,Memo,Date', 'M1,Call,Said yes,1/2/2024'),
  'SB-TaskImport.csv': lines('External MatterID,Subject,Due Date', 'M1,File it,1/2/2024'),
  'SB-EventImport.csv': lines(
    'External MatterID,Subject,Start Date,Start Time',
    'M1,Trial,1/2/2024,9:00 AM',
  ),
  'SB-FileImport.csv': lines(
    'External MatterID,File Name,File Path,Folder',
    'M1,Letter,C:\\Export\\Files\\M1\\letter.pdf,Letters',
    'M1,Lost,C:\\Export\\Files\\M1\\lost.pdf,',
  ),
  'Files/M1/letter.pdf': 'a letter',
  'SB-ActivityImport.csv': lines('External MatterID,Amount', 'M1,5'),
  'SB-InvoiceItemImport.csv': lines('External MatterID,Amount', 'M1,5'),
};

/** Answers of the REST interface. */
export const jlawyerExport = {
  'cases.json': JSON.stringify([
    {
      id: 'a1',
      name: 'Doe ./. Roe',
      fileNumber: '00017/24',
      claimNumber: 'X',
      claimValue: 1000,
      archived: false,
      notice: 'a note',
      lawyer: 'ann',
      assistant: 'bo',
      reason: 'Unfall',
      subjectField: 'Verkehr',
      custom1: '',
      custom2: null,
      custom3: 'c',
    },
  ]),
  'contacts.json': JSON.stringify([
    {
      id: 'k1',
      firstName: 'Jane',
      name: 'Doe',
      company: '',
      zipCode: '12207',
      city: 'Albany',
      birthDate: '01.02.1980',
    },
  ]),
  'a1/parties.json': JSON.stringify([
    {
      id: 'p1',
      involvementType: 'CLIENT',
      contact: 'Jane Doe',
      addressId: 'k1',
      reference: 'R',
      caseId: 'a1',
    },
  ]),
  'a1/duedates.json': JSON.stringify([
    {
      id: 'd1',
      reason: 'Klage',
      dueDate: '2026-02-03T00:00:00Z[UTC]',
      done: false,
      assignee: 'ann',
      type: 'RESPITE',
    },
  ]),
  'a1/documents.json': JSON.stringify([{ id: 'x', name: 'brief.pdf' }]),
  'a1/documents/brief.pdf': 'a letter',
};

/** Folders of a file server in the forms that firms use. */
export const foldersExport = {
  'Doe, Jane - 2024-17/Medical/Mercy/x.pdf': 'x',
  'Doe, Jane – 2024-17/y.pdf': 'y',
  '2024-18 Roe/z.pdf': 'z',
  'Poe, Edgar/z.pdf': 'z',
  '2024-19/.DS_Store': '',
  '2024-19/z.pdf': 'z',
  'loose.pdf': 'z',
};
