import type { ImportReport } from '@matterdesk/contract/cases.ts';
import type { Client, Reply } from './client.ts';
import { newCase } from './factories.ts';

export const columns = (
  'caseName caseNo statusType status type judge dateOfOpening managingAttorney DOI SOL daysOpen ' +
  'assignedUsers clientInfo.name clientInfo.phoneNumber clientInfo.email clientInfo.address ' +
  'opposingCounselInfo.organization opposingCounselInfo.name opposingCounselInfo.phoneNumber ' +
  'opposingCounselInfo.email opposingCounselInfo.address'
).split(' ');

export type Cells = Record<string, string>;

/** A valid import row. */
export function newRow(own: Cells = {}): Cells {
  const { clientInfo, opposingCounselInfo, ...plain } = newCase();
  const cells: Cells = {};
  const flatten = (members: object, prefix = '') => {
    for (const [name, value] of Object.entries(members)) cells[prefix + name] = String(value);
  };
  flatten(plain);
  flatten(clientInfo, 'clientInfo.');
  flatten(opposingCounselInfo, 'opposingCounselInfo.');
  return { ...cells, ...own };
}

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
export const csvOf = (rows: Cells[], header = columns) =>
  [header, ...rows.map((row) => header.map((column) => row[column] ?? ''))]
    .map((cells) => cells.map(quote).join(',') + '\r\n')
    .join('');

/** Sends a form to the import of cases. */
export function sendImport(
  app: Client,
  token: string,
  { form, dryRun = false }: { form: FormData; dryRun?: boolean },
) {
  return app.request(`/api/v1/cases/import${dryRun ? '?dryRun=1' : ''}`, {
    method: 'POST',
    headers: { 'x-auth-token': token },
    body: form,
  }) as Promise<Reply<ImportReport>>;
}
