import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FiledCase } from '@matterdesk/contract/cases.ts';
import { scannedPdf, textPdf } from '@matterdesk/server/testing/papers.ts';
import { ascii } from './letters.ts';

/** Lets the office's scanner write the mail of a morning into its folder. */
export async function scanMail(directory: string, matters: FiledCase[]): Promise<void> {
  for (const [at, { from, lines, isPicture }] of scans.entries()) {
    const matter = matters[at % matters.length];
    if (!matter) return;
    const pages = [[...from, '', ...lines(matter)].map(ascii)];
    const bytes = isPicture ? await scannedPdf(pages) : textPdf(pages);
    await writeFile(path.join(directory, `Scan ${String(at + 1).padStart(4, '0')}.pdf`), bytes);
  }
}

type Scan = {
  from: string[];
  lines: (matter: FiledCase) => string[];
  /** Without a text layer, as older scanners write. */
  isPicture?: true;
};

const clientOf = ({ clientInfo: { name, address } }: FiledCase) =>
  `${name}, ${address.replaceAll('\n', ', ')}`;

const scans: Scan[] = [
  {
    from: ['MERIDIAN MUTUAL', 'Claims, 40 State Street', 'Albany, New York 12207'],
    lines: (matter) => [
      'Re: Claim 0471-88213',
      `Your client: ${clientOf(matter)}`,
      `Case No. ${matter.caseNo}`,
      '',
      'We acknowledge receipt of your letter and of the demand that it encloses.',
      'Please send the medical bills and records for October no later than December 4.',
    ],
  },
  {
    from: ['SUPREME COURT, ALBANY COUNTY', 'Clerk of the Court'],
    lines: ({ caseNo, caseName }) => [
      `Index No. ${caseNo}`,
      caseName,
      '',
      'NOTICE: The preliminary conference is adjourned. A new date will be sent to all counsel.',
    ],
    isPicture: true,
  },
  {
    from: ['MERCY HOSPITAL', 'Health Information Management'],
    lines: (matter) => [
      `Patient: ${clientOf(matter)}`,
      '',
      'Enclosed are the records that you requested. Invoice 118093, 64 pages, $48.00.',
    ],
  },
  {
    from: ['ABACUS COURT REPORTING', 'Invoice 1180'],
    lines: ({ caseNo }) => [
      `Matter: ${caseNo}`,
      '',
      'Transcript, 212 pages, original and one copy.',
    ],
  },
  {
    from: ['HUDSON VALLEY ORTHOPEDICS'],
    lines: (matter) => [
      `Regarding ${clientOf(matter)}`,
      '',
      'The patient was seen on November 9 and may not lift more than ten pounds for six weeks.',
    ],
    isPicture: true,
  },
  {
    from: ['ALBANY POLICE DEPARTMENT', 'Records Unit'],
    lines: ({ caseNo }) => [
      'Report 26-1187 is available for collection.',
      `Your reference: ${caseNo}`,
    ],
  },
  {
    from: ['LAW OFFICES OF OPPOSING COUNSEL'],
    lines: ({ caseName, caseNo, opposingCounselInfo: { name } }) => [
      `${caseName}, ${caseNo}`,
      '',
      'Please find our responses to the first set of interrogatories.',
      `Very truly yours, ${name}`,
    ],
  },
  {
    from: ['NEW YORK STATE DEPARTMENT OF MOTOR VEHICLES'],
    lines: (matter) => [
      `Abstract of driving record: ${clientOf(matter)}`,
      '',
      'No suspensions on file.',
    ],
  },
  {
    from: ['CHAMBER OF COMMERCE'],
    lines: () => ['', 'You are invited to our breakfast on the first Tuesday of December.'],
  },
  {
    from: ['FIRST CAPITAL BANK', 'Trust accounts'],
    lines: () => ['', 'Statement of account for October. No case number is given here.'],
  },
];
