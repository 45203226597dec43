/** Pseudo-random numbers that repeat with the seed (mulberry32). Not for secrets. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to just below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer, bounds included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  isLucky(probability: number): boolean {
    return this.next() < probability;
  }

  /** An item of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.next() * list.length)];
    if (picked === undefined) throw new Error('there is nothing to pick from');
    return picked;
  }

  /** Like `pick`, but favors the first items: a few users carry most of the work. */
  pickEarly<T>(list: readonly T[]): T {
    return this.pick(list.slice(0, 1 + Math.floor(this.next() ** 1.5 * list.length)));
  }

  shuffled<T>(list: readonly T[]): T[] {
    const keyed = list.map((item) => ({ item, key: this.next() }));
    return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
  }

  /** Up to `count` different items. */
  several<T>(list: readonly T[], count: number): T[] {
    const picked = new Set<T>();
    for (let i = 0; i < count * 2 && picked.size < Math.min(count, list.length); i += 1)
      picked.add(this.pickEarly(list));
    return [...picked];
  }
}
