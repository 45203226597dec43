export const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Ids are opaque to callers: anything else is an unknown id, not invalid input. */
export function isId(text: string): boolean {
  return ID.test(text);
}
