import { expect, test } from 'vitest';
import { patchOf, zoneOptions } from './rules.ts';

const firm = {
  name: 'Owusu Law',
  timeZone: 'America/New_York',
  morning: '07:30',
  dualControl: true,
  secondFactor: 'optional',
  idleMinutes: 720,
  trainUploads: false,
} as const;

test('the firm’s form sends only the settings that changed', () => {
  expect(patchOf(firm, { ...firm, idleMinutes: 30, dualControl: false })).toEqual({
    idleMinutes: 30,
    dualControl: false,
  });
  expect(patchOf(firm, { ...firm })).toEqual({});
});

test('the firm’s form offers a zone that is set, though the browser names it otherwise', () => {
  const [first, ...others] = zoneOptions('US/Eastern');
  expect(first).toEqual({ id: 'US/Eastern', label: 'US/Eastern' });
  expect(others).toContainEqual({ id: 'America/New_York', label: 'America/New York' });
  expect(zoneOptions('America/New_York').length).toBe(others.length);
});
