import { expect, test } from 'vitest';
import type { MatterOfContact } from '@matterdesk/contract/contacts.ts';
import { onlyMatterOf } from './rules.ts';

const matter = (id: string, role: MatterOfContact['role'], own: object = {}): MatterOfContact => ({
  case: {
    id,
    caseName: `Matter ${id}`,
    caseNo: null,
    statusType: 'Active',
    status: 'Litigation',
    managingAttorney: '',
    ...own,
  },
  role,
  embedded: null,
});

test('a call with a contact is about their only active matter, also if they have two roles in it', () => {
  const first = { id: '1', label: 'Matter 1' };
  const archived = matter('2', 'client', { statusType: 'Archive' });
  expect(onlyMatterOf([matter('1', 'client'), matter('1', 'guardian'), archived])).toEqual(first);
  expect(onlyMatterOf([matter('1', 'client'), matter('3', 'witness')])).toBeNull();
  expect(onlyMatterOf([archived])).toBeNull();
});
