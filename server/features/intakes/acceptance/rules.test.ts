import { expect, test } from 'vitest';
import type { Case } from '@matterdesk/contract/cases.ts';
import { otherParties } from './rules.ts';

const matter = {
  clientInfo: { name: 'Ann Smith' },
  opposingCounselInfo: { name: 'Cal Lee', organization: 'Lee & Co' },
} as Pick<Case, 'clientInfo' | 'opposingCounselInfo'>;

test('the new matter leaves out parties whom the case names as client or opposing counsel', () => {
  const parties = [
    { name: ' ann smith ', role: 'client' as const },
    { name: 'LEE & CO', role: 'opposingCounsel' as const },
    { name: 'Bob Roe', role: 'opposingParty' as const },
  ];
  expect(otherParties(parties, matter).map(({ name }) => name)).toEqual(['Bob Roe']);
});

test('the new matter keeps a name once in each role', () => {
  const parties = [
    { name: 'Bob Roe', role: 'opposingParty' as const },
    { name: 'bob roe', role: 'opposingParty' as const },
    { name: 'Bob Roe', role: 'witness' as const },
  ];
  expect(otherParties(parties, matter).map(({ role }) => role)).toEqual([
    'opposingParty',
    'witness',
  ]);
});
