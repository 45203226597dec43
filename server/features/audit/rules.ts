// Timestamps that follow from other changes.
const FOLLOWING = new Set(['updatedAt', 'columnSince']);

/** Members that differ between two states of an entity. */
export function changedMembers(before: object | null, after: object | null): string[] {
  if (!before || !after) return [];
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after)
    .filter(([name, value]) => !FOLLOWING.has(name) && !isSame(old.get(name), value))
    .map(([name]) => name);
}

function isSame(a: unknown, b: unknown) {
  return JSON.stringify(a) === JSON.stringify(b);
}
