import { describe, expect, test } from 'vitest';
import type { Entry } from '@matterdesk/contract/audit.ts';
import { actInWords, actionOptions, placeInWords, subjectOf } from './rules.ts';

type Change = Entry['changes'][number];

function change(field: string, own: Partial<Change> = {}): Change {
  return { field, label: field, kind: 'text', from: '', to: '', ...own };
}

function entry(own: Partial<Entry>): Entry {
  const none = { address: null, agent: null, name: null, caseId: null, requestId: null };
  const about = { id: '1', at: '2026-11-20T10:00:00.000Z', actor: null, entityId: 'x' };
  const states = { before: null, after: null, changes: [], caseName: null };
  return { ...none, ...about, ...states, action: 'updated', entity: 'case', ...own };
}

const matter = { caseId: 'c', caseName: 'Doe v. Roe' };

test.each<[Partial<Entry>, string, string]>([
  [
    {
      ...matter,
      name: 'Doe v. Roe',
      before: {},
      after: {},
      changes: [change('SOL'), change('Judge')],
    },
    'Matter changed',
    'Doe v. Roe · SOL, Judge',
  ],
  [
    { ...matter, action: 'downloaded', entity: 'file', name: 'a.pdf' },
    'File downloaded',
    'a.pdf · Doe v. Roe',
  ],
  [
    {
      ...matter,
      action: 'refused',
      entity: 'request',
      changes: [change('summary', { to: 'Changes a case; archiving is statusType Archive' })],
    },
    'Refused',
    'Changes a matter · Doe v. Roe',
  ],
  [
    { action: 'exported', entity: 'list', changes: [change('list', { to: 'Cases' })] },
    'List exported',
    'Matters, CSV',
  ],
  [
    {
      action: 'signInFailed',
      entity: 'user',
      changes: [change('email', { to: 'a@firm.example' })],
    },
    'Sign-in failed',
    'a@firm.example',
  ],
  [
    { entity: 'text', changes: [change('Delivery', { from: null, to: null })] },
    'Text changed',
    'Delivery',
  ],
  [
    {
      action: 'deleted',
      entity: 'trash',
      changes: [change('files', { from: '2' }), change('bytes', { kind: 'bytes', from: '31000' })],
    },
    'Trash emptied',
    '2 files, 31 kB',
  ],
  [{ action: 'somethingNew', entity: 'intakeForm' }, 'Intake form something new', ''],
])('the record puts an entry into words', (own, act, subject) => {
  const { name, detail, matter: of } = subjectOf(entry(own));
  expect(actInWords(entry(own))).toBe(act);
  expect([name, detail, of].filter(Boolean).join(' · ')).toBe(subject);
});

describe('the place of an entry', () => {
  test.each([
    ['127.0.0.1', 'node', 'This server · A program'],
    ['::1', null, 'This server'],
    ['10.0.4.18', 'Mozilla/5.0 (Macintosh) Chrome/140 Safari/537', '10.0.4.18 · Chrome on macOS'],
    [null, null, ''],
  ])('%s of %s reads %s', (address, agent, words) => {
    expect(placeInWords({ address, agent })).toBe(words);
  });
});

test('the filter by action offers each word once', () => {
  const labels = actionOptions.map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
  expect(actionOptions).toContainEqual({ value: 'updated', label: 'Changed' });
});
