import { expect, test } from 'vitest';
import { controls, type SentValues } from '@matterdesk/contract/intake-form-page.ts';
import type { FormField, IntakeForm } from '@matterdesk/contract/intake-forms.ts';
import { isSuspect, makeStamp, readAnswers, readStamp, toMembers } from './rules.ts';

const SECRET = '5ea1'.repeat(16);
const plain = { required: false, options: [], help: '', showIf: null, maps: null };
const fields: FormField[] = [
  { ...plain, key: 'name', label: 'Name', kind: 'line', required: true, maps: 'name' },
  { ...plain, key: 'email', label: 'Email', kind: 'email', maps: 'email' },
  { ...plain, key: 'hurt', label: 'Hurt?', kind: 'yesNo' },
  {
    ...plain,
    key: 'where',
    label: 'Where?',
    kind: 'line',
    required: true,
    showIf: { key: 'hurt', equals: 'Yes' },
  },
  { ...plain, key: 'foe', label: 'Against?', kind: 'line', maps: 'opposingParty' },
];
const form = { fields } as IntakeForm;
const ANSWERED = { 'f-name': 'Ann Smith', 'f-email': 'ann@client.example', 'f-foe': 'Bob Roe' };

function sentWith(values: Record<string, string>): SentValues {
  const all = { [controls.understood]: 'yes', ...values };
  return new Map(Object.entries(all).map(([key, value]) => [key, [value]]));
}

test('the form requires an answer only to questions that are shown', () => {
  const hidden = readAnswers(form, sentWith({ ...ANSWERED, 'f-hurt': 'No', 'f-where': 'Leg' }));
  expect(hidden.errors.size).toBe(0);
  expect(hidden.values.has('where')).toBe(false);
  const shown = readAnswers(form, sentWith({ ...ANSWERED, 'f-hurt': 'Yes' }));
  expect([...shown.errors.keys()]).toEqual(['where']);
});

test('the form requires an answer by which the person can be reached', () => {
  const { errors } = readAnswers(form, sentWith({ ...ANSWERED, 'f-email': '' }));
  expect([...errors.keys()]).toEqual(['email']);
});

test('makes an intake of the answers, by what the questions are mapped to', () => {
  const members = toMembers(form, readAnswers(form, sentWith(ANSWERED)), undefined);
  expect(members).toMatchObject({ name: 'Ann Smith', phoneNumber: null, source: 'Website' });
  expect(members.parties).toEqual([{ name: 'Bob Roe', role: 'opposingParty' }]);
});

test('suspects inquiries that are fast, full of links or in the trap', () => {
  const answers = readAnswers(form, sentWith(ANSWERED));
  expect(isSuspect(sentWith(ANSWERED), answers, 60_000)).toBe(false);
  expect(isSuspect(sentWith(ANSWERED), answers, 100)).toBe(true);
  expect(isSuspect(sentWith({ ...ANSWERED, [controls.trap]: 'x' }), answers, 60_000)).toBe(true);
  const links = sentWith({ ...ANSWERED, 'f-foe': 'www.a www.b www.c www.d' });
  expect(isSuspect(links, readAnswers(form, links), 60_000)).toBe(true);
  const few = sentWith({ ...ANSWERED, 'f-foe': 'https://www.a http://www.b https://www.c' });
  expect(isSuspect(few, readAnswers(form, few), 60_000)).toBe(false);
});

test('the form accepts a stamp for its own form only, and for a day', () => {
  const madeAt = Date.now();
  const stamp = makeStamp(SECRET, 'accidents', madeAt);
  const now = madeAt + 1000;
  expect(readStamp(SECRET, { slug: 'accidents', stamp, now })).toEqual({ madeAt, isOld: false });
  expect(readStamp(SECRET, { slug: 'other', stamp, now })).toBeUndefined();
  expect(readStamp(SECRET, { slug: 'accidents', stamp: `${stamp}.x`, now })).toBeUndefined();
  expect(readStamp('0'.repeat(64), { slug: 'accidents', stamp, now })).toBeUndefined();
  const late = readStamp(SECRET, { slug: 'accidents', stamp, now: madeAt + 25 * 3_600_000 });
  expect(late?.isOld).toBe(true);
});
