import type { Case } from '@matterdesk/contract/cases.ts';
import { fieldsMatching, type NamedField } from '../../core/matched-fields.ts';

const clientLabels = { name: 'Client', email: 'Client email', phoneNumber: 'Client phone' };
const counselLabels = { name: 'Opposing counsel', email: 'Counsel email' };

/** Why a search found a matter, where its name and number do not say it, such as ['Judge: Ellen Marsh']. */
export function matchedFields(matter: Case, words: readonly string[]): string[] {
  return fieldsMatching(`${matter.caseName}\n${matter.caseNo ?? ''}`, fieldsOf(matter), words);
}

function fieldsOf(matter: Case): NamedField[] {
  const { clientInfo, opposingCounselInfo } = matter;
  return [
    ...labeled(clientInfo, clientLabels, 'Client'),
    ...labeled(opposingCounselInfo, counselLabels, 'Opposing counsel'),
    ['Judge', matter.judge ?? ''],
    ['Managing attorney', matter.managingAttorney],
    ['Status', matter.status],
    ['Type', matter.type],
  ];
}

function labeled(
  info: Record<string, string | null>,
  labels: Record<string, string>,
  other: string,
): NamedField[] {
  return Object.entries(info).map(([name, value]) => [labels[name] ?? other, value ?? '']);
}
