import { describe, expect, test } from 'vitest';
import { changesIn } from './rules.ts';

const OWNER = { id: 'u1', firstName: 'Ama', lastName: 'Owusu' };
const names = new Map([
  ['u2', 'Kofi Mensah'],
  ['c1', 'Doe v. Roe'],
]);
const pairs = (entity: string, before: unknown, after: unknown) =>
  changesIn({ entity, before, after }, names).map(({ label, from, to }) => [label, from, to]);

describe('changes of an audit entry', () => {
  test('have the labels of the screen, nested fields too, and leave out what readers never see', () => {
    const before = { SOL: '2027-02-14', clientInfo: { name: 'Jane', email: 'a@b.example' } };
    const after = { SOL: '2027-02-12', clientInfo: { name: 'Jo', email: 'a@b.example' } };
    expect(
      changesIn({ entity: 'case', before, after: { ...after, updatedAt: 'now' } }, names),
    ).toEqual([
      { field: 'SOL', label: 'SOL', kind: 'date', from: '2027-02-14', to: '2027-02-12' },
      { field: 'clientInfo.name', label: 'Client name', kind: 'text', from: 'Jane', to: 'Jo' },
    ]);
  });

  test.each<[string, object, object, (string | null)[]]>([
    [
      'task',
      { assignedTo: OWNER },
      { assignedTo: 'u2' },
      ['Assigned To', 'Ama Owusu', 'Kofi Mensah'],
    ],
    ['task', { type: 'intake' }, { type: 'finalLawsuit' }, ['Column', 'Intake', 'Final Lawsuit']],
    ['task', { case: 'c1' }, { case: 'hidden' }, ['Matter', 'Doe v. Roe', 'Another matter']],
    ['deadline', { hard: false }, { hard: true }, ['Hard', 'No', 'Yes']],
    [
      'deadline',
      { verified: null },
      { verified: { at: 'now', by: OWNER } },
      ['Verified by', '', 'Ama Owusu'],
    ],
    ['deadline', { kind: 'limitation' }, { kind: 'response' }, ['Kind', 'Limitation', 'Response']],
    [
      'event',
      { reminders: [] },
      { reminders: [60, 5] },
      ['Reminders, minutes before', '', '60, 5'],
    ],
    [
      'event',
      { recurrence: null },
      { recurrence: 'FREQ=WEEKLY;COUNT=3' },
      ['Repeats', '', 'Weekly'],
    ],
    [
      'event',
      { guests: [] },
      { guests: [{ name: '', email: 'a@b.example' }] },
      ['Guests', '', 'a@b.example'],
    ],
    [
      'case',
      { assignedUsers: [OWNER] },
      { assignedUsers: [] },
      ['Assigned Users', 'Ama Owusu', ''],
    ],
    ['proposal', {}, { deadlines: ['a', 'b'] }, ['Deadlines', '', '2']],
    ['user', {}, { permissions: { editTasks: true } }, ['May edit tasks', '', 'Yes']],
    ['case', { formerField: 'a' }, { formerField: 'b' }, ['Former field', 'a', 'b']],
  ])('of a %s read as %j', (entity, before, after, change) => {
    expect(pairs(entity, before, after)).toEqual([change]);
  });

  test('of a confidential entity name fields without values', () => {
    expect(pairs('contact', null, { members: ['organisation', 'notes'] })).toEqual([
      ['Organization', null, null],
      ['Notes', null, null],
    ]);
  });
});
