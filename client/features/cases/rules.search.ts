import type { Case } from '@matterdesk/contract/cases.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { searchWords } from '@matterdesk/contract/search.ts';

/** Whether the server's search matches: each word is a literal part of some field, ignoring case. */
export function matchesSearch(matter: Case, search: string): boolean {
  const { clientInfo, opposingCounselInfo } = matter;
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
  const folded = texts.map((text) => fold(text ?? ''));
  return searchWords(search).every((word) => folded.some((text) => text.includes(fold(word))));
}

function fold(text: string): string {
  const folded = normalized(text).toLowerCase().toUpperCase().toLowerCase();
  return normalized(folded.replaceAll('ς', 'σ'));
}
