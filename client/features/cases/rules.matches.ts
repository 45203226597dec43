import type { Case } from '@matterdesk/contract/cases.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';

const clientLabels = { name: 'Client', email: 'Client email', phoneNumber: 'Client phone' };
const counselLabels = { name: 'Opposing counsel', email: 'Counsel email' };

/**
 * The fields beside name and number in which words of a search occur.
 * @returns such as ['Judge: Ellen Marsh']
 */
export function matchedFields(matter: Case, words: readonly string[]): string[] {
  const named = fold(`${matter.caseName}\n${matter.caseNo}`);
  let missing = words.map(fold).filter((word) => !named.includes(word));
  const shown: string[] = [];
  for (const [label, value] of fieldsOf(matter)) {
    const left = missing.filter((word) => !fold(value).includes(word));
    if (left.length < missing.length) shown.push(`${label}: ${value}`);
    missing = left;
  }
  return shown;
}

function fieldsOf(matter: Case): [label: string, value: string][] {
  const { clientInfo, opposingCounselInfo } = matter;
  return [
    ...labeled(clientInfo, clientLabels, 'Client'),
    ...labeled(opposingCounselInfo, counselLabels, 'Opposing counsel'),
    ['Judge', matter.judge],
    ['Managing attorney', matter.managingAttorney],
    ['Status', matter.status],
    ['Type', matter.type],
  ];
}

function labeled(
  info: Record<string, string>,
  labels: Record<string, string>,
  other: string,
): [label: string, value: string][] {
  return Object.entries(info).map(([name, value]) => [labels[name] ?? other, value]);
}

function fold(text: string): string {
  return normalized(text).toLocaleLowerCase();
}
