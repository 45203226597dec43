import type { Case } from '@matterdesk/contract/cases.ts';

/** Whether the server's search matches: a literal part of one field, ignoring case. */
export function matchesSearch(matter: Case, search: string): boolean {
  const { clientInfo, opposingCounselInfo } = matter;
  const wanted = fold(search);
  const texts = [
    matter.caseName,
    matter.caseNo,
    matter.status,
    matter.type,
    matter.judge,
    matter.managingAttorney,
    ...Object.values(clientInfo),
    ...Object.values(opposingCounselInfo),
  ];
  return texts.some((text) => fold(text).includes(wanted));
}

function fold(text: string): string {
  const folded = text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll('ς', 'σ').normalize('NFC');
}
