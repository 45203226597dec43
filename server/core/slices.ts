import { setImmediate as others } from 'node:timers/promises';

/** Milliseconds of work after which other requests of the process have their turn. */
const SLICE = 5;

/** Work in slices, so that much of it keeps no other request waiting. */
export class Slices {
  #since = performance.now();

  /** Whether it is the others' turn. */
  get isOver(): boolean {
    return performance.now() - this.#since > SLICE;
  }

  /** Lets others run, and begins the next slice. */
  async next(): Promise<void> {
    await others();
    this.#since = performance.now();
  }
}

/** Batches of at most so many items. */
export function* inBatches<Item>(items: readonly Item[], most: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += most) yield items.slice(start, start + most);
}

/** Maps many items in slices. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const slices = new Slices();
  const results: Result[] = [];
  for (const item of items) {
    if (slices.isOver) await slices.next();
    results.push(map(item));
  }
  return results;
}
