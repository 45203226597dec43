import { count, type Say } from './command.ts';

const INTERVAL_MS = 10_000;

/** Says how many cases are planted, at the end and every ten seconds, with the time left. */
export class Progress {
  readonly #all: number;
  readonly #say: Say;
  readonly #begun = performance.now();
  #said = this.#begun;

  constructor(all: number, say: Say) {
    this.#all = all;
    this.#say = say;
  }

  report(done: number): void {
    const now = performance.now();
    const isLast = done === this.#all;
    if (!isLast && now < this.#said + INTERVAL_MS) return;
    this.#said = now;
    const left = ((now - this.#begun) / Math.max(1, done)) * (this.#all - done);
    const rest = isLast ? '' : `, about ${describe(left)} left`;
    this.#say(`Cases ${count(done)} of ${count(this.#all)}, with their tasks${rest}`);
  }
}

function describe(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
