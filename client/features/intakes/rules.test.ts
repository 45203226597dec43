import { expect, test } from 'vitest';
import type { Intake, NewIntake } from '@matterdesk/contract/intakes.ts';
import { changesOf, clockOf } from './rules.ts';

test('an intake that just came never has more time left than its target', () => {
  const intake = {
    receivedAt: '2026-11-20T15:42:40.000Z',
    responseDueAt: '2026-11-20T16:42:40.000Z',
    firstResponseAt: null,
  };
  // The page's clock showed the minute before.
  const now = new Date('2026-11-20T15:42:00.000Z');
  expect(clockOf(intake, now).words).toBe('1 h left to respond');
});

test('only what a form changes is sent, and a time that it shows to the minute is not', () => {
  const intake = {
    name: 'Denise Okonkwo',
    phoneNumber: '+1 518 555 0142',
    parties: [{ name: 'Calloway Foods, LLC', role: 'opposingParty' }],
    description: null,
    owner: { id: 'ama', firstName: 'Ama', lastName: 'Owusu' },
    nextStep: 'Call back',
    dueAt: '2026-11-20T16:42:40.000Z',
    consultAt: null,
  } as unknown as Intake;
  const form = {
    name: 'Denise Okonkwo',
    phoneNumber: '+1 518 555 0142',
    parties: [{ name: 'Calloway Foods, LLC', role: 'opposingParty' }],
    description: 'Burned at work.',
    owner: 'ama',
    nextStep: 'Call back',
    dueAt: '2026-11-20T16:42:00.000Z',
    consultAt: null,
  } as unknown as NewIntake;
  expect(changesOf(intake, form)).toEqual({ description: 'Burned at work.' });
});
