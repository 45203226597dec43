import { expect, test } from 'vitest';
import {
  isTollFree,
  needsRegistration,
  noticeOf,
  registrationByCampaigns,
  registrationByVerifications,
  type KnownNumber,
} from './rules.ts';

const known: KnownNumber = {
  phone_number: '+15185550142',
  registration: null,
  registration_reason: null,
  is_registered: null,
};

test('only US numbers need a registration, and toll-free ones another kind', () => {
  expect(needsRegistration('+15185550142')).toBe(true);
  expect(needsRegistration('+4930123456')).toBe(false);
  expect(isTollFree('+18885550142')).toBe(true);
  expect(isTollFree('+18185550142')).toBe(false);
});

test('the furthest of several verifications counts', () => {
  const rejected = { status: 'TWILIO_REJECTED', reason: 'No website' };
  expect(registrationByVerifications([])).toEqual({ state: 'missing', reason: null });
  expect(registrationByVerifications([rejected])).toEqual({
    state: 'rejected',
    reason: 'No website',
  });
  const again = { status: 'PENDING_REVIEW', reason: null };
  expect(registrationByVerifications([rejected, again]).state).toBe('inReview');
  const approved = { status: 'TWILIO_APPROVED', reason: null };
  expect(registrationByVerifications([rejected, approved, again]).state).toBe('registered');
});

test('a suspended campaign counts as rejected', () => {
  const suspended = { status: 'SUSPENDED', reason: null };
  expect(registrationByCampaigns([suspended]).state).toBe('rejected');
  expect(registrationByCampaigns([suspended, { status: 'VERIFIED', reason: null }]).state).toBe(
    'registered',
  );
});

test('a number has a notice until carriers deliver its texts', () => {
  expect(noticeOf(known)).toContain('may block');
  expect(noticeOf({ ...known, is_registered: true })).toBeNull();
  expect(noticeOf({ ...known, is_registered: false })).toContain('US carriers block');
  expect(noticeOf({ ...known, registration: 'registered' })).toBeNull();
  expect(noticeOf({ ...known, registration: 'registered', is_registered: false })).toContain(
    'a carrier blocked a text since',
  );
  expect(noticeOf({ ...known, phone_number: '+4930123456' })).toBeNull();
});

test('the notice of a rejected registration gives its reason as a sentence', () => {
  const rejected: KnownNumber = { ...known, registration: 'rejected' };
  expect(noticeOf(rejected)).toContain('was rejected. Ask');
  expect(noticeOf({ ...rejected, registration_reason: 'No website' })).toContain(
    'was rejected: No website. Ask',
  );
  expect(noticeOf({ ...rejected, registration_reason: 'Why?' })).toContain(': Why? Ask');
});
