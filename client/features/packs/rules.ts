import { type LeftOut, type Pack, type PackPart, packParts } from '@matterdesk/contract/packs.ts';
import { counted, formatList, shortDay } from '../../core/words.ts';
import { localDay } from '../../ui/days.ts';
import { sizeInWords } from '../../ui/size-in-words.ts';

export const partLabels: Record<PackPart, string> = {
  documents: 'Documents',
  mail: 'Emails',
  texts: 'Texts',
  stream: 'Stream',
  calendar: 'Calendar',
  contacts: 'Contacts',
  tasks: 'Tasks',
  deadlines: 'Deadlines',
  answers: 'Answers',
  record: 'Record',
};

type Amount = Pick<Pack, 'files' | 'bytes'>;

/** '128 files · 1.2 GB', or 'No files'. */
export function amountInWords({ files, bytes }: Amount): string {
  return files === 0 ? 'No files' : `${counted(files, 'file')} · ${sizeInWords(bytes)}`;
}

export function totalOf(parts: Pack['parts'], chosen: readonly PackPart[]): Amount {
  const total = { files: 0, bytes: 0 };
  for (const { part, files, bytes } of parts) {
    if (!chosen.includes(part)) continue;
    total.files += files;
    total.bytes += bytes;
  }
  return total;
}

/** The parts with one more or one less, in the order of the contract. */
export function withPart(
  chosen: readonly PackPart[],
  changed: PackPart,
  isIn: boolean,
): readonly PackPart[] {
  return packParts.filter((part) => (part === changed ? isIn : chosen.includes(part)));
}

/** Items that can be left out, and the part that each belongs to, as the server counts them. */
const LEFT_OUT = [
  ['texts', 'text', 'texts'],
  ['mails', 'email', 'mail'],
  ['events', 'event', 'calendar'],
  ['answers', 'answer', 'answers'],
] as const satisfies (readonly [keyof LeftOut, string, PackPart])[];

/** '3 texts, 2 emails'; empty if the chosen parts hold everything. */
export function leftOutInWords(leftOut: LeftOut, chosen: readonly PackPart[]): string {
  const words = LEFT_OUT.flatMap(([member, word, part]) => {
    const count = leftOut[member];
    return count > 0 && chosen.includes(part) ? [counted(count, word)] : [];
  });
  return words.join(', ');
}

/** 'Documents and Tasks', or 'without Record' where that is shorter; null for a pack with every part. */
export function partsInWords(parts: Pack['parts']): string | null {
  const held = parts.map(({ part }) => part);
  const missing = packParts.filter((part) => !held.includes(part));
  if (missing.length === 0) return null;
  const isMost = missing.length < held.length;
  const words = formatList((isMost ? missing : held).map((part) => partLabels[part]));
  return isMost ? `without ${words}` : words;
}

/** 'Packing …', 'Ready until Dec 4', 'Failed: …'. */
export function stateInWords(
  { state, expiresAt, error }: Pick<Pack, 'state' | 'expiresAt' | 'error'>,
  today: string,
): string {
  if (state === 'waiting') return 'Waiting';
  if (state === 'running') return 'Packing …';
  if (state === 'erased') return 'Erased';
  if (state === 'failed') return error === null ? 'Failed' : `Failed: ${error}`;
  if (expiresAt === null) return 'Ready';
  return `Ready until ${shortDay(localDay(new Date(expiresAt)), today)}`;
}

/** Whether a pack is still on its way. */
export function isUnfinished({ state }: Pick<Pack, 'state'>): boolean {
  return state === 'waiting' || state === 'running';
}

/** The end of a pack between two answers, for screen readers; null if none ended. */
export function endInWords(before: readonly Pack[], after: readonly Pack[]): string | null {
  const unfinished = new Set(before.filter(isUnfinished).map(({ n }) => n));
  const ended = after.find((pack) => unfinished.has(pack.n) && !isUnfinished(pack));
  if (ended?.state === 'ready') return 'The pack is ready';
  if (ended?.state !== 'failed') return null;
  return ended.error === null ? 'The pack failed' : `The pack failed: ${ended.error}`;
}

/** The address of a volume; the session cookie opens it. */
export function volumeUrl(caseId: string, pack: number, volume: number): string {
  return `/api/v1/cases/${encodeURIComponent(caseId)}/pack/${pack}/${volume}`;
}
