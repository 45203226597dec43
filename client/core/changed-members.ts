/** The members of `after` that differ: only they are sent, so that two people do not undo each other’s changes. */
export function changedMembers<Values extends object>(
  before: Values,
  after: Partial<Values>,
): Partial<Values> {
  const names = Object.keys(after) as (keyof Values)[];
  const isChanged = (name: keyof Values) =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return Object.fromEntries(
    names.filter(isChanged).map((name) => [name, after[name]]),
  ) as Partial<Values>;
}
