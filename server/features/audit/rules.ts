import type { Entry } from '@matterdesk/contract/audit.ts';
import { fullName } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';

/** Timestamps that follow from other changes. */
const FOLLOWING = new Set(['updatedAt', 'columnSince']);

const DAY_MS = 86_400_000;

export const COLUMNS = [
  ...(['id', 'at', 'actor', 'address', 'agent', 'action', 'entity', 'entityId'] as const),
  ...(['name', 'caseId', 'requestId', 'before', 'after'] as const),
];

/** Members that differ between two states of an entity. */
export function changedMembers(before: object | null, after: object | null): string[] {
  if (!before || !after) return [];
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after)
    .filter(([name, value]) => !FOLLOWING.has(name) && !isSame(old.get(name), value))
    .map(([name]) => name);
}

/** Whether a filter names a kind of entity rather than an id. */
export function isKind(entity: string): boolean {
  return !isId(entity) && /^[a-z]+$/i.test(entity);
}

export function startOf(moment: string): Date {
  return new Date(moment);
}

/** The end of a day, or the millisecond after an instant. */
export function endOf(moment: string): Date {
  return new Date(new Date(moment).getTime() + (moment.length === 10 ? DAY_MS : 1));
}

/** The name in the state of something that no longer exists. */
export function nameIn({ before, after }: { before: unknown; after: unknown }): string | null {
  const { caseName, name, title } = {
    ...(before as object | null),
    ...(after as object | null),
  } as Record<string, unknown>;
  return [caseName, name, title].find((named) => typeof named === 'string') ?? null;
}

/** An entry as a row of the export. */
export function cellsOf(entry: Entry): string[] {
  const { actor, before, after } = entry;
  const own = {
    actor: actor && fullName(actor),
    before: before === null ? null : JSON.stringify(before),
    after: after === null ? null : JSON.stringify(after),
  };
  return COLUMNS.map((column) => ({ ...entry, ...own })[column] ?? '');
}

/** The case that a request names in its path or body, if any. */
export function caseIdOf(path: string, members: object): string | undefined {
  const { id, caseId, case: named } = members as Record<string, unknown>;
  const candidates = [path.startsWith('/api/v1/cases/{id}') ? id : undefined, caseId, named];
  return candidates.find(
    (candidate): candidate is string => typeof candidate === 'string' && isId(candidate),
  );
}

function isSame(a: unknown, b: unknown) {
  return JSON.stringify(a) === JSON.stringify(b);
}
