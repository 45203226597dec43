import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which other requests of the process have their turn. */
const SLICE_MS = 5;

/** Divides long work into slices, so that it keeps no other request waiting. Several callers can share one instance. */
export class TimeSlices {
  #since = performance.now();
  #last: Promise<void> = Promise.resolve();

  /** Whether the slice is used up. */
  get isOver(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  /** Lets other requests run, and begins the next slice. Callers that share the slices resume one at a time. */
  async next(): Promise<void> {
    this.#last = this.#last.then(() => yieldToEventLoop());
    await this.#last;
    this.#since = performance.now();
  }

  async map<Item, Result>(items: readonly Item[], map: (item: Item) => Result): Promise<Result[]> {
    const results: Result[] = [];
    for (const item of items) {
      if (this.isOver) await this.next();
      results.push(map(item));
    }
    return results;
  }
}

/** Lets everything else that waits in the event loop run first. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
}

/** Batches of at most so many items. */
export function* inBatches<Item>(items: readonly Item[], most: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += most) yield items.slice(start, start + most);
}

/** Maps many items in slices of their own. */
export function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  return new TimeSlices().map(items, map);
}
