import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which other requests of the process have their turn. */
const SLICE_MS = 5;

/** Work in slices, so that much of it keeps no other request waiting; also that of several who share the slices. */
export class TimeSlices {
  #since = performance.now();
  #last: Promise<void> = Promise.resolve();

  /** Whether it is the others' turn. */
  get isOver(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  /** Lets others run, and begins the next slice. Those who share the slices go on one after the other, each in a turn. */
  async next(): Promise<void> {
    this.#last = this.#last.then(() => yieldToEventLoop());
    await this.#last;
    this.#since = performance.now();
  }

  /** Maps many items. */
  async map<Item, Result>(items: readonly Item[], map: (item: Item) => Result): Promise<Result[]> {
    const results: Result[] = [];
    for (const item of items) {
      if (this.isOver) await this.next();
      results.push(map(item));
    }
    return results;
  }
}

/** Lets whatever else the process has to do run first. */
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
