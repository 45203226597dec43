import type { Bulk } from './bulk.ts';
import type { Comparison, Growth, MixedLoad } from './comparison.ts';
import type { FirstPage } from './first-page.ts';
import type { CalendarFrames, DragFrames } from './frames.ts';
import type { Samples } from './load.ts';
import type { BundleSize, Sizes } from './sizes.ts';
import type { Sockets } from './sockets.ts';
import type { Walls } from './walls.ts';

export type Findings = {
  clients: number;
  comparisons: Comparison[];
  mixed: MixedLoad | undefined;
  /** Only for a firm of more than 100,000 cases. */
  growth: Growth[] | undefined;
  /** Only for a firm of up to 100,000 cases. */
  walls: Walls | undefined;
  bulk: Bulk[];
  bundles: BundleSize[];
  firstPage: FirstPage;
  drag: DragFrames;
  calendar: CalendarFrames;
  /** Milliseconds until another browser is notified of a move. */
  news: Samples;
  sockets: Sockets;
  sizes: Sizes;
  /** Milliseconds until /readyz succeeds. */
  starts: { empty: number; existing: number };
  /** MB of the whole process tree. */
  memory: { idle: number; loaded: number };
};
