import type { Storage } from '@matterdesk/contract/storage.ts';
import { sizeInWords } from '../../ui/size-in-words.ts';

type Kind = 'files' | 'trash' | 'free';
export type Part = { kind: Kind; label: string; bytes: number; share: number };

/** Files, trash and the room that is left, if it is bounded; `share` is of all of them, 0 to 1. */
export function partsOf({ used, trash, free }: Storage): Part[] {
  const whole = Math.max(1, used + (free ?? 0));
  const part = (kind: Kind, label: string, bytes: number) => [
    { kind, label, bytes, share: bytes / whole },
  ];
  return [
    ...part('files', 'Files', used - trash),
    ...part('trash', 'Trash', trash),
    ...(free === null ? [] : part('free', 'Room left', free)),
  ];
}

/** '1.2 GB of 5 GB used' with a limit, else '1.2 GB used'. */
export function inWords({ used, limit }: Storage): string {
  const of = limit === null ? '' : ` of ${sizeInWords(limit)}`;
  return `${sizeInWords(used)}${of} used`;
}

/** Bytes that one person stores, as a share of the most, 0 to 1: the longest bar fills its column. */
export function shareOf(used: number, { people }: Storage): number {
  return used / Math.max(1, ...people.map((each) => each.used));
}
