/** Columns of imports and exports of cases, in order; nested fields dotted. */
export const caseColumns: readonly string[] = (
  'caseName caseNo statusType status type judge dateOfOpening managingAttorney DOI SOL daysOpen ' +
  'assignedUsers clientInfo.name clientInfo.phoneNumber clientInfo.email clientInfo.address ' +
  'opposingCounselInfo.organization opposingCounselInfo.name opposingCounselInfo.phoneNumber ' +
  'opposingCounselInfo.email opposingCounselInfo.address'
).split(' ');

/** Names of the columns in spreadsheets and other products. */
const ALSO: Record<string, string> = {
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
    [column, column.replace('Info.', ''), ...(ALSO[column]?.split(', ') ?? [])].map((header) => [
      keyOf(header),
      column,
    ]),
  ),
);

/** The column that a header means, whatever its case, spaces and punctuation. */
export function columnOfHeader(header: string): string | undefined {
  return byHeader.get(keyOf(header));
}

function keyOf(header: string): string {
  return header.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** Forms of the dates in a file: 2026-03-02, 3/2/2026 or 2/3/2026 for the second of March. */
export const dateForms = ['ymd', 'mdy', 'dmy'] as const;
export type DateForm = (typeof dateForms)[number];

/** The sign between the cells, by the first line. */
export function delimiterOf(text: string): ',' | ';' | '\t' {
  const [line = ''] = text.replaceAll(/"[^"]*"/g, '').split(/\r?\n/, 1);
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
