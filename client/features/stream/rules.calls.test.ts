import { expect, test } from 'vitest';
import type { LoggedCall } from '../../core/call-card.ts';
import {
  chosenFrom,
  clockOf,
  mattersInWords,
  saveObstacleOf,
  resultFor,
  parseDuration,
  secondsOf,
  toEntry,
} from './rules.calls.ts';

const matter = { id: 'c1', caseName: 'Abara v. Northline', caseNo: '2026-CV-1' };
const other = { id: 'c2', caseName: 'Delacroix', caseNo: null };
const person = { contact: { id: 'p', name: 'Ngozi Abara' }, phoneNumber: '212 555 0111' };

const call: LoggedCall = {
  startedAt: Date.parse('2026-11-20T15:00:00.000Z'),
  seconds: null,
  direction: 'out',
  typed: '',
  contact: null,
  number: null,
  matter: { id: 'c1', label: 'Abara' },
  result: null,
  text: '',
  isSmall: false,
};

test('the clock runs until it is stopped', () => {
  expect(secondsOf(call, call.startedAt + 134_900)).toBe(134);
  expect(secondsOf({ ...call, seconds: 60 }, call.startedAt + 134_900)).toBe(60);
  expect(secondsOf(call, call.startedAt - 5000)).toBe(0);
});

test('a length is written and read as a clock shows it', () => {
  expect([clockOf(134), clockOf(3734), clockOf(5)]).toEqual(['2:14', '1:02:14', '0:05']);
  expect(['2:14', '1:02:14', '12'].map(parseDuration)).toEqual([134, 3734, 720]);
  expect(['', 'two', '1:2:3:4', '99:00:00'].map(parseDuration)).toEqual([null, null, null, null]);
});

test('a person brings their only active matter, unless the call has one', () => {
  expect(chosenFrom({ ...person, matters: [matter] }, null).matter?.label).toBe(
    'Abara v. Northline',
  );
  expect(chosenFrom({ ...person, matters: [matter, other] }, null).matter).toBeNull();
  const before = { id: 'c2', label: 'Delacroix' };
  expect(chosenFrom({ ...person, matters: [matter] }, before).matter).toBe(before);
});

test('a person is shown with a matter, or with their number', () => {
  expect(mattersInWords({ ...person, matters: [matter] })).toBe('Abara v. Northline');
  expect(mattersInWords({ ...person, matters: [matter, other] })).toBe('2 matters');
  expect(mattersInWords({ ...person, matters: [] })).toBe('No active matter');
});

test('a digit sets the result, in a text field only with Alt', () => {
  expect(resultFor({ code: 'Digit1', altKey: false }, false)).toBe('reached');
  expect(resultFor({ code: 'Digit1', altKey: false }, true)).toBeUndefined();
  expect(resultFor({ code: 'Numpad6', altKey: true }, true)).toBe('callBack');
  expect(resultFor({ code: 'Digit7', altKey: false }, false)).toBeUndefined();
});

test('a typed name or number is saved where no contact is chosen', () => {
  const now = call.startedAt + 60_000;
  expect(toEntry({ ...call, typed: ' Dana Whitlock ' }, now).call).toMatchObject({
    contact: null,
    name: 'Dana Whitlock',
    number: null,
    seconds: 60,
  });
  expect(toEntry({ ...call, typed: '+1 212 555-0111' }, now).call).toMatchObject({
    name: null,
    number: '+1 212 555-0111',
  });
  expect(toEntry({ ...call, contact: person.contact, typed: 'aba' }, now).call).toMatchObject({
    contact: 'p',
    name: null,
  });
});

test('a call needs a matter, and a result or words', () => {
  expect(saveObstacleOf({ ...call, matter: null, result: 'reached' })).toBe(
    'Please select a matter',
  );
  expect(saveObstacleOf(call)).toBe('Pick a result, or write what was said');
  expect(saveObstacleOf({ ...call, result: 'busy' })).toBeNull();
  expect(saveObstacleOf({ ...call, text: 'She agrees.' })).toBeNull();
});
