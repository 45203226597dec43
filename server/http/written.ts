/**
 * The body of a reply that is JSON already, as the database wrote it. It is sent as it is: nothing checks it on the way,
 * so a test compares it with what is read one by one.
 */
export class Written<Body> {
  readonly json: string;
  /** For the type alone. */
  declare readonly body: Body;

  private constructor(json: string) {
    this.json = json;
  }

  /** A list of that name, whose items are JSON, and the other members of the body. */
  static list<Body, Name extends keyof Body & string>(
    name: Name,
    items: string[],
    others: Omit<Body, Name>,
  ): Written<Body> {
    return new Written(`{"${name}":[${items.join(',')}],${JSON.stringify(others).slice(1)}`);
  }
}
