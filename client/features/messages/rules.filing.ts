/** Texts that are chosen in a conversation, and the one that was pressed last. */
export type Choice = { ids: ReadonlySet<string>; last: string | null };

export const nothingChosen: Choice = { ids: new Set(), last: null };

/**
 * The choice after a press on a text, which turns it on or off.
 * @param among all texts, in their order, where the press takes those between it and the last one along
 */
export function afterPress(before: Choice, id: string, among: readonly string[] = []): Choice {
  const isOn = !before.ids.has(id);
  const [from, to] = [among.indexOf(before.last ?? ''), among.indexOf(id)];
  const pressed =
    from === -1 || to === -1 ? [id] : among.slice(Math.min(from, to), Math.max(from, to) + 1);
  const ids = new Set(before.ids);
  for (const each of pressed)
    if (isOn) ids.add(each);
    else ids.delete(each);
  return { ids, last: id };
}
