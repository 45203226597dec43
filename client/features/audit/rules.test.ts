import { expect, test } from 'vitest';
import type { Entry } from '@matterdesk/contract/audit.ts';
import { actInWords, changesOf, subjectOf } from './rules.ts';

function entry(own: Partial<Entry>): Entry {
  const none = { address: null, agent: null, name: null, caseId: null, requestId: null };
  const about = { id: '1', at: '2026-11-20T10:00:00.000Z', actor: null, entityId: 'x' };
  return {
    ...none,
    ...about,
    action: 'updated',
    entity: 'case',
    before: null,
    after: null,
    ...own,
  };
}

test.each<[Partial<Entry>, string, string]>([
  [
    {
      name: 'Doe v. Roe',
      before: { SOL: '2027-02-14', judge: 'A' },
      after: { SOL: '2027-02-12', judge: 'B' },
    },
    'Matter changed',
    'Doe v. Roe · SOL, Judge',
  ],
  [{ action: 'downloaded', entity: 'file', name: 'a.pdf' }, 'File downloaded', 'a.pdf'],
  [
    { action: 'refused', entity: 'request', after: { summary: 'Changes a case' } },
    'Refused',
    'Changes a case',
  ],
  [
    { action: 'exported', entity: 'list', after: { list: 'cases' } },
    'List exported',
    'Matters, CSV',
  ],
  [
    { action: 'signInFailed', entity: 'user', after: { email: 'a@firm.example' } },
    'Sign-in failed',
    'a@firm.example',
  ],
  [{ entity: 'text', after: { members: ['status'] } }, 'Text changed', 'Status'],
  [{ action: 'somethingNew', entity: 'intakeForm' }, 'Intake Form something new', ''],
])('the record puts an entry into words', (own, act, subject) => {
  const { name, detail } = subjectOf(entry(own));
  expect(actInWords(entry(own)).toLowerCase()).toBe(act.toLowerCase());
  expect([name, detail].filter(Boolean).join(' · ')).toBe(subject);
});

test('the record lists only what differs', () => {
  const changed = entry({ before: { judge: 'A', same: 1 }, after: { judge: 'B', same: 1 } });
  expect(changesOf(changed)).toEqual([{ label: 'Judge', before: 'A', after: 'B' }]);
});
