import { expect, test } from 'vitest';
import { quietHours, zoneOf } from './rules.quiet-hours.ts';

test('the table of zones finds the time zone in which a number was issued', () => {
  expect(zoneOf('+12125550100')).toBe('America/New_York');
  expect(zoneOf('+14155550100')).toBe('America/Los_Angeles');
  expect(zoneOf('+18085550100')).toBe('Pacific/Honolulu');
  expect(zoneOf('+17485550100')).toBe('America/Denver');
  expect(zoneOf('+16845550100')).toBe('Pacific/Pago_Pago');
  expect(zoneOf('+442079460100')).toBe('Europe/London');
  expect(zoneOf('+353861234567')).toBe('Europe/Dublin');
});

test('the table of zones finds no time zone for a toll-free number or a country with several zones', () => {
  expect(zoneOf('+18005550100')).toBe(null);
  expect(zoneOf('+79161234567')).toBe(null);
  expect(zoneOf('72432')).toBe(null);
});

test('the table of zones uses only zones that the browser supports', () => {
  const numbers = Array.from({ length: 800 }, (_, at) => `+1${at + 200}5550100`);
  const others = ['+972501234567', '+2348012345678', '+51912345678'];
  const zones = new Set([...numbers, ...others].map(zoneOf));
  expect(zones.size).toBeGreaterThan(15);
  for (const zone of zones) expect(() => quietHours(zone, new Date())).not.toThrow();
});

test('the table of zones warns from 9 PM to 8 AM in the zone of the recipient', () => {
  // In November New York is five hours behind UTC.
  const at = (time: string) => quietHours('America/New_York', new Date(`2026-11-20T${time}Z`));
  expect(at('02:00:00')).toBe('It’s 9:00 PM in New York, where this number is from.');
  expect(at('05:30:00')).toContain('12:30 AM');
  expect(at('12:59:00')).toContain('7:59 AM');
  for (const time of ['13:00:00', '19:00:00', '01:59:00'])
    expect(String(at(time))).not.toContain('New York');
});

test('the table of zones warns at night in the zone of the user when the zone of the recipient is unknown', () => {
  const night = new Date(2026, 10, 20, 23, 10);
  expect(quietHours(null, night)).toBe('It’s 11:10 PM here.');
  expect(quietHours(null, new Date(2026, 10, 20, 12))).toBe(null);
});
