import { expect, test } from 'vitest';
import { TwilioFailure } from '../../integrations/twilio/failure.ts';
import { callbackUrl, digitsOf, errorText, explain, isForward, keywordOf } from './rules.ts';

const failure = (code: number | null, words = '') =>
  new TwilioFailure({ kind: 'refused', code, words, isUncertain: false });

test('a status only moves forward', () => {
  expect(isForward('queued', 'sent')).toBe(true);
  expect(isForward('delivered', 'sent')).toBe(false);
  expect(isForward('delivered', 'failed')).toBe(false);
  expect(isForward('unknown', 'queued')).toBe(true);
});

test('a text is a keyword only when it consists of nothing else', () => {
  expect(keywordOf(' stop\n')).toBe('STOP');
  expect(keywordOf('Unstop')).toBe('START');
  expect(keywordOf('info')).toBe('HELP');
  expect(keywordOf('Stop by at noon')).toBeUndefined();
  expect(keywordOf('')).toBeUndefined();
});

test('ten digits without a plus are a US number', () => {
  expect(digitsOf('(518) 555-0142')).toBe('15185550142');
  expect(digitsOf('+1 518 555 0142')).toBe('15185550142');
  expect(digitsOf('+49 30 123456')).toBe('4930123456');
  expect(digitsOf('+30 12345678')).toBe('3012345678');
});

test('Twilio is given no callback to a local address, unless it is emulated there', () => {
  const local = { publicUrl: 'http://127.0.0.1:8080', isEmulated: false };
  expect(callbackUrl(local, '/hook')).toBeUndefined();
  expect(callbackUrl({ ...local, isEmulated: true }, '/hook')).toBe('http://127.0.0.1:8080/hook');
  const firm = { publicUrl: 'https://desk.firm.example', isEmulated: false };
  expect(callbackUrl(firm, '/hook')).toBe('https://desk.firm.example/hook');
});

test('a known failure is explained in our words, and any other in those of Twilio', () => {
  expect(explain(failure(21610)).code).toBe('recipientStopped');
  expect(explain(failure(30034)).code).toBe('numberNotRegistered');
  expect(explain(failure(99999, 'No such thing')).message).toBe(
    'Twilio rejected this: No such thing (error 99999)',
  );
  expect(explain(failure(null)).message).toBe('Twilio rejected this');
});

test('an unknown error of a carrier is shown with its number', () => {
  expect(errorText(30006)).toContain('landline');
  expect(errorText(39999)).toBe('Twilio error 39999');
  expect(errorText(null)).toBe('The carrier gave no reason');
});
