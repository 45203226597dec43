/**
 * A list as JSON outside of the heap, for thousands of items that are held while others are worked on: as objects they
 * take several times the memory, and time of each collection of garbage.
 */
export class PackedList<Item> {
  readonly #items: Buffer[] = [];

  get length(): number {
    return this.#items.length;
  }

  push(items: readonly Item[]): void {
    const lines = items.map((item) => JSON.stringify(item));
    const bytes = Buffer.from(lines.join(''));
    let start = 0;
    for (const line of lines) {
      const end = start + Buffer.byteLength(line);
      this.#items.push(bytes.subarray(start, end));
      start = end;
    }
  }

  /** @returns a copy @throws where there is none */
  at(place: number): Item {
    const bytes = this.#items[place];
    if (!bytes) throw new Error(`There is no item ${place}`);
    return read<Item>(bytes);
  }

  /** @returns copies */
  slice(start: number, end: number): Item[] {
    return this.#items.slice(start, end).map(read<Item>);
  }

  /** Removes the first items. */
  take(most: number): Item[] {
    return this.#items.splice(0, most).map(read<Item>);
  }
}

function read<Item>(bytes: Buffer): Item {
  return JSON.parse(bytes.toString()) as Item;
}
