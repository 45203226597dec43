import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import type { FiledCase } from '@matterdesk/contract/cases.ts';
import { createClient } from '@matterdesk/server/testing/client.ts';
import { composeMail } from '@matterdesk/server/testing/compose-mail.ts';
import { textPdf, scannedPdf } from '@matterdesk/server/testing/papers.ts';
import { train, upload } from '@matterdesk/server/testing/training.ts';
import { PASSWORD, staff } from './firm.ts';
import { ascii } from './letters.ts';

/** Newest matters with documents; the others show how a library begins. */
const FILLED = 3;

/** Gives the newest lawsuits their documents; most are trained while the firm is in use. */
export async function fillLibrary(url: string, matters: FiledCase[]): Promise<void> {
  const client = createClient(url);
  const signIn = { email: staff[0]?.email, password: PASSWORD };
  const { token } = (await client.call(accountRoutes.login, { body: signIn })).body;
  const caller = { url, token };
  const lawsuits = matters.filter(({ caseName }) => caseName.includes(' v. '));
  for (const matter of lawsuits.slice(0, FILLED))
    for (const { folder, name, isTrained, make } of papers) {
      const address = { caseId: matter.id, folder, name };
      await upload(caller, address, await make(matter));
      if (isTrained) await train(caller, address);
    }
  await client.call(accountRoutes.logout, { token });
}

/** A document of a matter, with the folder that it is filed in. */
type Paper = {
  folder: string;
  name: string;
  /** Whether questions can be asked of it from the start. */
  isTrained: boolean;
  make: (matter: FiledCase) => Promise<Buffer> | Buffer;
};

/** Pleadings, a contract, a scan and a mail, as the library of an accident holds them. */
const papers: Paper[] = [
  { folder: 'Pleadings', name: 'Complaint.pdf', isTrained: true, make: complaint },
  { folder: 'Pleadings', name: 'Answer.pdf', isTrained: true, make: answer },
  { folder: 'Contracts', name: 'Retainer agreement.pdf', isTrained: true, make: retainer },
  { folder: 'Evidence', name: 'Police report (scan).pdf', isTrained: true, make: report },
  { folder: 'Correspondence', name: 'Adjuster on the policy.eml', isTrained: true, make: adjuster },
  { folder: 'Correspondence', name: 'Letter of protection.pdf', isTrained: false, make: letter },
];

function heading({ caseName, caseNo, judge }: FiledCase, title: string): string[] {
  return [ascii(caseName), `Index No. ${caseNo}`, `Before ${ascii(judge)}`, '', title, ''];
}

function opponentOf({ caseName }: FiledCase): string {
  return ascii(caseName.split(' v. ')[1] ?? caseName);
}

function complaint(matter: FiledCase): Buffer {
  const plaintiff = ascii(matter.clientInfo.name);
  const defendant = opponentOf(matter);
  return textPdf([
    [
      ...heading(matter, 'COMPLAINT'),
      `Plaintiff ${plaintiff}, by counsel, complains of defendant ${defendant} and alleges:`,
      '',
      'PARTIES',
      `1. Plaintiff ${plaintiff} resides in Albany County, New York.`,
      `2. Defendant ${defendant} does business in New York and owns a fleet of delivery trucks.`,
      '',
      'FACTS',
      `3. On ${matter.DOI}, at about 7:40 in the morning, the plaintiff drove south on Pearl Street.`,
      '4. A delivery truck of the defendant entered the intersection with State Street against a red light',
      "and struck the car of the plaintiff on the driver's side.",
      '5. The driver of the truck, Walter Dunmore, acted within the scope of his employment.',
    ],
    [
      'FIRST CAUSE OF ACTION: NEGLIGENCE',
      '6. The defendant failed to keep a proper lookout, to obey the signal and to yield the right of way.',
      '7. The plaintiff suffered a fracture of the left wrist and a concussion, and was treated at',
      'Capital District Hospital from the day of the collision until eleven days later.',
      '8. Medical expenses to date are $48,215.60; wages lost to date are $12,400.',
      '',
      'SECOND CAUSE OF ACTION: NEGLIGENT ENTRUSTMENT',
      '9. The defendant knew of two earlier collisions of its driver and entrusted the truck to him.',
    ],
    [
      'RELIEF',
      'WHEREFORE the plaintiff demands judgment against the defendant:',
      'a. compensatory damages in an amount to be determined at trial, not less than $350,000;',
      'b. interest, costs and disbursements;',
      'c. such other relief as the Court deems just.',
      '',
      'The plaintiff demands a trial by jury.',
    ],
  ]);
}

function answer(matter: FiledCase): Buffer {
  const defendant = opponentOf(matter);
  return textPdf([
    [
      ...heading(matter, 'VERIFIED ANSWER'),
      `Defendant ${defendant} answers the complaint as follows:`,
      '1. It denies the allegations of paragraphs 4, 6 and 9.',
      '2. It admits that Walter Dunmore was its employee on the day of the collision.',
      '',
      'FIRST AFFIRMATIVE DEFENSE',
      '3. Any injuries were caused or contributed to by the culpable conduct of the plaintiff, and any',
      'recovery must be diminished in proportion to that conduct under CPLR 1411.',
    ],
    [
      'SECOND AFFIRMATIVE DEFENSE',
      "4. The defendant's liability, if any, is limited under the policy issued by Meridian Mutual,",
      'number CA-4471902, to one million dollars ($1,000,000) per occurrence, and no umbrella or excess',
      'coverage applied on the date of the incident.',
      '',
      'THIRD AFFIRMATIVE DEFENSE',
      '5. The plaintiff failed to mitigate damages by declining the physical therapy that was recommended.',
      '6. The data recorder of the truck remains in the custody of the Albany Police Department.',
    ],
  ]);
}

function retainer(matter: FiledCase): Buffer {
  const client = ascii(matter.clientInfo.name);
  return textPdf([
    [
      'RETAINER AGREEMENT',
      '',
      `This agreement is made on ${matter.dateOfOpening} between ${client}, the client, and the firm.`,
      '1. Scope. The firm represents the client in the claim for the collision, through trial.',
      '2. Fee. The fee is one third of the sum recovered after expenses, and nothing if nothing is recovered.',
      '3. Expenses. The firm advances court fees, expert fees and the costs of depositions.',
    ],
    [
      '4. Settlement. The firm accepts no settlement without the written consent of the client.',
      '5. Termination. Either side may end this agreement by thirty days of written notice. The firm keeps',
      'a lien for the value of the work done until then.',
      '6. Governing law. This agreement is governed by the laws of the State of New York.',
    ],
  ]);
}

function report(matter: FiledCase): Promise<Buffer> {
  return scannedPdf([
    [
      'ALBANY POLICE DEPARTMENT',
      'REPORT OF A MOTOR VEHICLE COLLISION',
      '',
      `Date of the collision: ${matter.DOI}`,
      'Place: Pearl Street and State Street, Albany',
      'Vehicle 1: passenger car, damage on the left side.',
      'Vehicle 2: delivery truck, damage in front.',
      '',
      'Statement of a witness: Ines Calloway, waiting at the crosswalk,',
      'saw the truck pass the red light without braking.',
      'Weather: dry, clear. Speed limit: 30 miles per hour.',
      'The driver of vehicle 2 was cited for failing to obey a signal.',
    ],
  ]);
}

function adjuster(matter: FiledCase): Promise<Buffer> {
  return composeMail({
    from: { name: 'Tobias Renner, Meridian Mutual', address: 'tobias.renner@meridian.example' },
    to: { name: matter.managingAttorney, address: 'attorney@firm.example' },
    date: new Date(`${matter.dateOfOpening}T15:20:00Z`),
    subject: `Claim 77-20418: ${matter.caseName}`,
    text: [
      'Counsel,',
      'we confirm coverage under policy CA-4471902 up to one million dollars per occurrence. The insured reported the collision on the following day.',
      'Please send the medical records and the proof of lost wages by the end of next month. Without them we cannot set a reserve.',
      'Tobias Renner\nSenior adjuster',
    ].join('\n\n'),
  });
}

function letter(matter: FiledCase): Buffer {
  return textPdf([
    [
      'LETTER OF PROTECTION',
      '',
      `Patient: ${ascii(matter.clientInfo.name)}`,
      'The firm will pay the outstanding balance of Capital District Hospital from any recovery.',
    ],
  ]);
}

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
