/** A load that takes longer is not waited for: its connection may be broken. */
const SLOW_MS = 50;

/** A value for each key that has one. */
type Load<Key, Value> = (keys: Key[]) => Promise<ReadonlyMap<Key, Value>>;
type PendingValue<Value> = PromiseWithResolvers<Value | undefined>;

/**
 * Loads values for many requests at once: while one load is under way, the keys that are asked for wait for the next one.
 * No one gets what was loaded before they asked.
 */
export class BatchLoader<Key, Value> {
  readonly #load: Load<Key, Value>;
  #waiting = new Map<Key, PendingValue<Value>>();
  #isUnderWay = false;

  constructor(load: Load<Key, Value>) {
    this.#load = load;
  }

  /** @throws what the load throws */
  get(key: Key): Promise<Value | undefined> {
    const asked = this.#waiting.get(key) ?? Promise.withResolvers<Value | undefined>();
    this.#waiting.set(key, asked);
    if (!this.#isUnderWay) this.#next();
    return asked.promise;
  }

  #next() {
    const asked = this.#waiting;
    this.#isUnderWay = asked.size > 0;
    if (!this.#isUnderWay) return;
    this.#waiting = new Map();
    let isWaitedFor = true;
    const goOn = () => {
      if (isWaitedFor) this.#next();
      isWaitedFor = false;
    };
    const slow = setTimeout(goOn, SLOW_MS);
    void this.#answer(asked).finally(() => {
      clearTimeout(slow);
      goOn();
    });
  }

  async #answer(asked: Map<Key, PendingValue<Value>>): Promise<void> {
    try {
      const found = await this.#load([...asked.keys()]);
      for (const [key, { resolve }] of asked) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of asked.values()) reject(error);
    }
  }
}
