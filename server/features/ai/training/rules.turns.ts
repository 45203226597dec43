/** A person's smallest document that waits for its training. */
export type Waiting = {
  person: string;
  document: string;
  job: string;
  /** Trainings of this person that run in other places. */
  running: number;
};

/** Takes turns between people, so that a thousand files of one do not delay the letter of another. */
export class Turns {
  /** People by their last turn, the longest ago first. */
  readonly #served = new Set<string>();

  /**
   * The document of the person who has the fewest running, and of these the one whose last turn is the longest ago;
   * undefined without any.
   */
  next(waiting: Waiting[]): Waiting | undefined {
    const order = [...this.#served];
    const [first] = waiting.toSorted(
      (one, other) =>
        one.running - other.running || order.indexOf(one.person) - order.indexOf(other.person),
    );
    return first;
  }

  /** Notes that a person has had a turn. */
  note({ person }: Waiting): void {
    this.#served.delete(person);
    this.#served.add(person);
  }
}
