import type { StreamEntry, StreamItem } from '@matterdesk/contract/stream.ts';
import type { Page } from '../../core/entries.ts';

/** A stream as far as it was read: `pinned` and `counts` are those of its first page. */
export type StreamData = {
  items: StreamItem[];
  pinned: StreamItem[];
  counts: Record<string, number>;
  total: number;
  totalIsCapped?: true | undefined;
  nextCursor: string | null;
};

/**
 * A page that follows the items before it, or the first page once more: what was read beyond that stays, unless there is a
 * gap.
 */
export function withPage(
  answer: StreamData,
  held: Page<StreamData> | null,
  isMore: boolean,
): Page<StreamData> {
  if (!held) return { data: answer, cursor: answer.nextCursor };
  const before = held.data;
  if (isMore) {
    const known = new Set(before.items.map(({ id }) => id));
    const items = [...before.items, ...answer.items.filter(({ id }) => !known.has(id))];
    return { data: { ...before, items }, cursor: answer.nextCursor };
  }
  const last = answer.items.at(-1);
  const at = before.items.findIndex(({ id }) => id === last?.id);
  const older = at === -1 || answer.nextCursor === null ? [] : before.items.slice(at + 1);
  if (older.length === 0) return { data: answer, cursor: answer.nextCursor };
  return { data: { ...answer, items: [...answer.items, ...older] }, cursor: held.cursor };
}

/** The stream after an entry was changed, or left its matter. */
export function withEntry(
  data: StreamData,
  caseId: string,
  received: StreamEntry | { id: string; case: null },
): StreamData {
  const isHere = received.case === caseId;
  const settle = (items: StreamItem[]) =>
    items.flatMap((item) => {
      if (item.entry?.id !== received.id) return [item];
      if (!isHere || received.case === null) return [];
      if (item.entry.updatedAt > received.updatedAt) return [item];
      const { pinned, text, answer } = received;
      return [{ ...item, pinned, excerpt: answer ? item.excerpt : text, entry: received }];
    });
  if (!data.items.some(({ entry }) => entry?.id === received.id)) return data;
  const pinned = settle(data.pinned).filter((item) => item.pinned);
  return { ...data, items: settle(data.items), pinned };
}
