/**
 * The body of a long reply that is JSON already. It is sent unchecked, because checking and copying all its members
 * costs the server as much as making them; a test checks it against its schema instead.
 */
export class JsonBody<Body> {
  readonly json: string;
  /** For the type alone. */
  declare readonly body: Body;

  private constructor(json: string) {
    this.json = json;
  }

  /** A body made member by member, without anything that a store added. */
  static of<Body>(body: Body): JsonBody<Body> {
    return new JsonBody(JSON.stringify(body));
  }

  /** A list of that name, whose items are JSON, and the other members of the body. */
  static list<Body, Name extends keyof Body & string>(
    name: Name,
    items: string[],
    others: Omit<Body, Name>,
  ): JsonBody<Body> {
    return new JsonBody(`{"${name}":[${items.join(',')}],${JSON.stringify(others).slice(1)}`);
  }
}
