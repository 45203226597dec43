import { expect, test } from 'vitest';
import { zoneOptions } from './time-zones.ts';

test('a time zone that is set is offered, though the browser names it otherwise', () => {
  const [first, ...others] = zoneOptions('US/Eastern');
  expect(first).toEqual({ id: 'US/Eastern', label: 'US/Eastern' });
  expect(others).toContainEqual({ id: 'America/New_York', label: 'America/New York' });
  expect(zoneOptions('America/New_York').length).toBe(others.length);
});

test('the time zone of the firm is offered first, and once', () => {
  const zones = zoneOptions('America/New_York', 'America/Chicago').map(({ id }) => id);
  expect(zones[0]).toBe('America/Chicago');
  expect(new Set(zones).size).toBe(zones.length);
});
