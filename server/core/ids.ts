/** What an id looks like. */
export const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Ids are opaque to callers; what cannot be one is as unknown as any other. */
export function isId(text: string): boolean {
  return ID.test(text);
}
