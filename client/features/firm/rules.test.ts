import { expect, test } from 'vitest';
import { firstSettings } from './rules.ts';

const firm = {
  name: 'Owusu Law',
  address: '',
  phone: '',
  letterhead: '',
  timeZone: 'America/New_York',
  morning: '07:30',
  dualControl: true,
  secondFactor: 'optional',
  idleMinutes: 720,
  trainUploads: false,
  setUp: true,
} as const;

test('a new firm is proposed the time zone of the browser, unless that is set to no place', () => {
  const zoneFor = (zone: string) => firstSettings(firm, zone).timeZone;
  expect(zoneFor('America/Los_Angeles')).toBe('America/Los_Angeles');
  expect(zoneFor('US/Pacific')).toBe('America/Los_Angeles');
  for (const zone of ['UTC', 'Etc/UTC', 'Etc/GMT+5', 'Nowhere/Atlantis'])
    expect(zoneFor(zone)).toBe('America/New_York');
});
