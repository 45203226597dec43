type Rows<Mail> = { mails: Mail[]; cursor: string | null };

/**
 * Merges a newly fetched first page into a list. Later rows stay if the new page reaches them; rows
 * missing within the page were removed.
 */
export function mergeFirstPage<Mail extends { id: string }>(
  held: Rows<Mail> | null,
  first: Rows<Mail>,
): Rows<Mail> {
  const end = held?.mails.findIndex(({ id }) => id === first.mails.at(-1)?.id) ?? -1;
  const known = new Set(first.mails.map(({ id }) => id));
  const behind = held?.mails.slice(end + 1).filter(({ id }) => !known.has(id)) ?? [];
  if (!held || end < 0 || first.cursor === null || behind.length === 0) return first;
  return { mails: [...first.mails, ...behind], cursor: held.cursor };
}
