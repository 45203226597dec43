import { expect, test } from 'vitest';
import type { BriefCase } from '../rules.ts';
import { layOut, monthsOn, type TimelineMark } from './use-timeline.ts';

const today = '2026-11-20';
const layout = { today, width: 720, widthOf: () => 150 };

function casesIn(...days: number[]): BriefCase[] {
  return days.map((day, index) => ({
    id: `${index}`,
    caseName: 'Abara v. Northline Freight',
    caseNo: '2026-CV-00418',
    status: 'Litigation',
    SOL: new Date(Date.parse(today) + day * 86_400_000).toISOString().slice(0, 10),
  }));
}

function spanOf({ x, label }: TimelineMark): [left: number, right: number] {
  return label?.direction === 'left' ? [x - 150, x] : [x, x + 150];
}

/** Labels on one level must not overlap, nor may the line of an upper label cross a lower one. */
function clash(a: TimelineMark, b: TimelineMark): boolean {
  const [left, right] = spanOf(a);
  const [from, to] = spanOf(b);
  if (a.label?.level === b.label?.level) return left < to && from < right;
  const isUnder = (a.label?.level ?? 0) < (b.label?.level ?? 0);
  return isUnder && b.x >= left && b.x <= right;
}

test('the timeline places a case at its day', () => {
  const [first, last] = layOut(casesIn(0, 90), layout);
  expect([first?.x, first?.days, last?.x, last?.days]).toEqual([0, 0, 720, 90]);
  expect(last?.label).toEqual({ level: 0, direction: 'left' });
});

test('the timeline groups cases that would touch', () => {
  const spots = layOut(casesIn(10, 11, 12, 20), layout);
  expect(spots.map(({ cases }) => cases.length)).toEqual([3, 1]);
});

test.each([[[1, 5, 9, 13]], [[3, 6, 10, 14, 19, 23, 80, 84, 88]], [[40, 44, 48, 52, 56]]])(
  'labels the soonest, and no two labels overlap: %j',
  (days) => {
    const labeled = layOut(casesIn(...days), layout).filter(({ label }) => label);
    expect(labeled[0]?.days).toBe(days[0]);
    expect(labeled.length).toBeGreaterThan(1);
    const isInside = (spot: TimelineMark) => spanOf(spot)[0] >= 0 && spanOf(spot)[1] <= 720;
    expect(labeled.every(isInside)).toBe(true);
    const clashes = labeled.filter((spot) =>
      labeled.some((other) => other !== spot && clash(spot, other)),
    );
    expect(clashes).toEqual([]);
  },
);

test('the timeline lays out a full line', () => {
  const spots = layOut(casesIn(...Array.from({ length: 50 }, (_, day) => day)), layout);
  const gaps = spots.slice(1).map((spot, index) => spot.x - (spots[index]?.x ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(24);
  expect(spots.flatMap(({ cases }) => cases)).toHaveLength(50);
});

test('labels the months that begin on the line, except near its ends', () => {
  expect(monthsOn(today, 720).map(({ day }) => day)).toEqual([
    '2026-12-01',
    '2027-01-01',
    '2027-02-01',
  ]);
  expect(monthsOn('2026-11-28', 720).map(({ day }) => day)).toEqual(['2027-01-01', '2027-02-01']);
});
