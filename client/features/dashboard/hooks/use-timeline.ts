import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import { solInEffect } from '@matterdesk/contract/sol-in-effect.ts';
import { daysBetween } from '../../../ui/days.ts';
import { type BriefCase, LIMITATION_DAYS } from '../rules.ts';

/** The cases at one point of the line, soonest first. */
export interface TimelineMark {
  cases: [BriefCase, ...BriefCase[]];
  /** Until the soonest. */
  days: number;
  /** Pixels from the left end of the line. */
  x: number;
  /** The position of its label; null where it does not fit. */
  label: Label | null;
}

/** `level` 0 is on the line, 1 above it; the label starts or ends at `x`. */
export interface Label {
  level: number;
  direction: 'right' | 'left';
}

/** Pixels between two spots: a touch target by WCAG 2.5.8. */
const APART = 24;
const GAP = 16;
/** Maximum width of a case's name. */
export const LABEL_WIDTH = 190;

type Layout = { today: string; width: number; widthOf: (spot: TimelineMark) => number };
type Box = Label & { left: number; right: number; x: number };

/** Places cases on a line of 90 days: those that would touch share a spot, and labels never overlap. */
export function layOut(limitations: readonly BriefCase[], layout: Layout): TimelineMark[] {
  const spots: TimelineMark[] = [];
  for (const limitation of limitations) {
    const days = daysBetween(layout.today, solInEffect(limitation));
    const x = (Math.min(Math.max(days, 0), LIMITATION_DAYS) / LIMITATION_DAYS) * layout.width;
    const last = spots.at(-1);
    if (last && x - last.x < APART) last.cases.push(limitation);
    else spots.push({ cases: [limitation], days, x, label: null });
  }
  const best = placeLabels(spots, layout);
  for (const [index, spot] of spots.entries()) spot.label = best[index] ?? null;
  return spots;
}

/** The labels placed so far; `value` counts them, the soonest case's threefold. */
type Draft = { labels: (Label | null)[]; boxes: Box[]; value: number };
const BEAM_WIDTH = 60;
const choices = [0, 1].flatMap((level) => [
  { level, direction: 'right' as const },
  { level, direction: 'left' as const },
]);

/** A beam search from left to right for a layout with as many labels as possible. */
function placeLabels(spots: readonly TimelineMark[], { width, widthOf }: Layout): (Label | null)[] {
  let drafts: Draft[] = [{ labels: [], boxes: [], value: 0 }];
  for (const [index, spot] of spots.entries()) {
    const labelWidth = widthOf(spot);
    const boxes = choices
      .map((choice) => ({ ...choice, ...edgesOf(spot.x, labelWidth, choice.direction), x: spot.x }))
      .filter(({ left, right }) => left >= 0 && right <= width);
    drafts = drafts
      .flatMap((draft) => [
        ...boxes
          .filter((box) => draft.boxes.every((other) => isClear(box, other)))
          .map((box) => ({
            labels: [...draft.labels, { level: box.level, direction: box.direction }],
            boxes: [...draft.boxes, box],
            value: draft.value + (index === 0 ? 3 : 1),
          })),
        { ...draft, labels: [...draft.labels, null] },
      ])
      .toSorted((a, b) => b.value - a.value)
      .slice(0, BEAM_WIDTH);
  }
  return drafts[0]?.labels ?? [];
}

function edgesOf(x: number, labelWidth: number, direction: Label['direction']) {
  return direction === 'right'
    ? { left: x, right: x + labelWidth }
    : { left: x - labelWidth, right: x };
}

/** Whether two labels do not overlap and no upper label's line crosses a lower label. */
function isClear(a: Box, b: Box): boolean {
  if (a.level === b.level) return a.right + GAP <= b.left || b.right + GAP <= a.left;
  const [upper, lower] = a.level > b.level ? [a, b] : [b, a];
  return upper.x < lower.left - GAP / 2 || upper.x > lower.right + GAP / 2;
}

/** The first days of months on the line, except near its ends. */
export function monthsOn(today: string, width: number): { day: string; x: number }[] {
  const start = new Date(`${today}T00:00:00Z`);
  const months = [1, 2, 3].map((ahead) => {
    const first = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + ahead, 1));
    const day = first.toISOString().slice(0, 10);
    return { day, x: (daysBetween(today, day) / LIMITATION_DAYS) * width };
  });
  return months.filter(({ x }) => x > 64 && x < width - 72);
}

/** The spots of the line for its current width; none before the width is known. */
export function useTimeline(
  line: RefObject<HTMLElement | null>,
  { limitations, today }: { limitations: readonly BriefCase[]; today: string },
) {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = line.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [line]);
  const spots = useMemo(
    () => (width > 0 ? layOut(limitations, { today, width, widthOf: measureLabel }) : []),
    [limitations, today, width],
  );
  return { spots, width };
}

let pen: CanvasRenderingContext2D | null | undefined;

function measureLabel(spot: TimelineMark): number {
  pen ??= document.createElement('canvas').getContext('2d');
  if (!pen) return LABEL_WIDTH;
  pen.font = '500 12px "Inter Variable"';
  return Math.min(
    Math.ceil(pen.measureText(`${spot.cases[0].caseName} +${spot.cases.length}`).width) + 4,
    LABEL_WIDTH,
  );
}
