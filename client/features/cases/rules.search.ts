import type { Case } from '@matterdesk/contract/cases.ts';

/** Whether the server's search finds the case: a literal part of one of its fields, whatever the letters' case. */
export function matchesSearch(one: Case, search: string): boolean {
  const { clientInfo, opposingCounselInfo } = one;
  const wanted = fold(search);
  const texts = [
    one.caseName,
    one.caseNo,
    one.status,
    one.type,
    one.judge,
    one.managingAttorney,
    ...Object.values(clientInfo),
    ...Object.values(opposingCounselInfo),
  ];
  return texts.some((text) => fold(text).includes(wanted));
}

function fold(text: string): string {
  const folded = text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll('ς', 'σ').normalize('NFC');
}
