export const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Ids are opaque to callers: anything else is an unknown id, not invalid input. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** Before all others, and no row's. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';
